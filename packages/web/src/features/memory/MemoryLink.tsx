import { Brain } from "lucide-react"
import { cx } from "../../ui/cx.ts"
import { memoryAddress } from "./place.ts"

export type MemoryLinkProps = {
  readonly agent: string
  readonly current?: boolean
  readonly onChoose?: () => void
}

/** The way to what is remembered. */
export function MemoryLink({ agent, current, onChoose }: MemoryLinkProps) {
  return (
    <a
      href={memoryAddress(agent)}
      onClick={onChoose}
      aria-current={current === true ? "page" : undefined}
      className={cx(
        "flex items-center gap-2.5 rounded-lg px-2.5 py-2 font-medium text-sm transition-colors hover:bg-line/50",
        current === true && "bg-line/60",
      )}
    >
      <span className="inline-flex size-8 shrink-0 items-center justify-center">
        <Brain aria-hidden className="size-4.5 text-muted" />
      </span>
      Memory
    </a>
  )
}
