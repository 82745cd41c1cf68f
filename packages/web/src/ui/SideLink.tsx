import type { LucideIcon } from "lucide-react"
import { cx } from "./cx.ts"

export type SideLinkProps = {
  readonly href: string
  readonly icon: LucideIcon
  readonly label: string
  readonly current?: boolean | undefined
  readonly onChoose?: (() => void) | undefined
}

/** A link to a page, in the sidebar and the phone's drawer. */
export function SideLink({ href, icon: Icon, label, current, onChoose }: SideLinkProps) {
  return (
    <a
      href={href}
      onClick={onChoose}
      aria-current={current === true ? "page" : undefined}
      className={cx(
        "flex items-center gap-2.5 rounded-lg px-2 py-1.5 font-medium text-sm transition-colors hover:bg-line/50 pointer-coarse:py-2.5",
        current === true && "bg-line/60",
      )}
    >
      <span className="inline-flex size-5 shrink-0 items-center justify-center">
        <Icon aria-hidden className="size-4.5 text-muted" />
      </span>
      {label}
    </a>
  )
}
