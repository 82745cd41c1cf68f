import { ChevronRight } from "lucide-react"
import type { ReactNode } from "react"
import { cx } from "../../ui/cx.ts"

export type FoldProps = {
  readonly title: string
  readonly icon?: ReactNode
  readonly active?: boolean
  readonly children: ReactNode
}

/** Something that is there when one wants it and out of the way until then. */
export function Fold({ title, icon, active, children }: FoldProps) {
  return (
    <details className="group/fold">
      <summary className="-mx-1.5 inline-flex items-center gap-1.5 rounded-md px-1.5 py-0.5 text-muted text-sm hover:text-ink">
        <ChevronRight aria-hidden className="size-3.5 transition-transform group-open/fold:rotate-90" />
        {icon}
        <span className={cx(active === true && "animate-breathe")}>{title}</span>
      </summary>
      <div className="mt-1.5 ml-1.5 border-line border-l-2 pl-4">{children}</div>
    </details>
  )
}
