import type { LucideIcon } from "lucide-react"
import type { ReactNode } from "react"

export type EmptyProps = {
  readonly icon: LucideIcon
  readonly title: string
  /** What it is for and how to add something. */
  readonly children: ReactNode
  readonly action?: ReactNode
}

/** Nothing here yet, and what to do about it. */
export function Empty({ icon: Icon, title, children, action }: EmptyProps) {
  return (
    <div className="mx-auto flex max-w-sm flex-col items-center gap-2 px-4 py-14 text-center">
      <span className="mb-1 inline-flex size-11 items-center justify-center rounded-2xl bg-sunken">
        <Icon aria-hidden className="size-5 text-muted" />
      </span>
      <p className="font-semibold">{title}</p>
      <div className="text-muted text-sm">{children}</div>
      {action && <div className="mt-2">{action}</div>}
    </div>
  )
}
