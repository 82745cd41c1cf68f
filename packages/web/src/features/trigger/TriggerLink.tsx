import { AlarmClock } from "lucide-react"
import { cx } from "../../ui/cx.ts"
import { triggerAddress } from "./place.ts"

export type TriggerLinkProps = {
  readonly agent: string
  readonly current?: boolean
  readonly onChoose?: () => void
}

/** The way to what happens by itself. */
export function TriggerLink({ agent, current, onChoose }: TriggerLinkProps) {
  return (
    <a
      href={triggerAddress(agent)}
      onClick={onChoose}
      aria-current={current === true ? "page" : undefined}
      className={cx(
        "flex items-center gap-2.5 rounded-lg px-2.5 py-2 font-medium text-sm transition-colors hover:bg-line/50",
        current === true && "bg-line/60",
      )}
    >
      <span className="inline-flex size-8 shrink-0 items-center justify-center">
        <AlarmClock aria-hidden className="size-4.5 text-muted" />
      </span>
      Triggers
    </a>
  )
}
