import { ChevronRight } from "lucide-react"
import type { ReactNode } from "react"
import { cx } from "../../ui/cx.ts"
import { useFold } from "./useFold.ts"

export type FoldProps = {
  /** The key under which its open state is remembered. */
  readonly id: string
  readonly title: string
  /** The size of the content. */
  readonly size?: string
  readonly icon?: ReactNode
  readonly active?: boolean
  readonly children: ReactNode
}

/** A collapsible section. Its content is rendered when open. */
export function Fold({ id, title, size, icon, active, children }: FoldProps) {
  const { isOpen, onToggle } = useFold(id)
  return (
    <details open={isOpen} onToggle={onToggle} className="group/fold">
      <summary className="-mx-1.5 inline-flex items-center gap-1.5 rounded-md px-1.5 py-0.5 text-muted text-sm hover:text-ink">
        <ChevronRight aria-hidden className="size-3.5 transition-transform group-open/fold:rotate-90" />
        {icon}
        <span className={cx(active === true && "animate-breathe")}>{title}</span>
        {size !== undefined && <span className="text-xs">{size}</span>}
      </summary>
      {isOpen && <div className="mt-1.5 ml-1.5 border-line border-l-2 pl-4">{children}</div>}
    </details>
  )
}
