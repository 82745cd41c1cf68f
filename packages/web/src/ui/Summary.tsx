import { ChevronRight } from "lucide-react"
import type { ReactNode } from "react"
import { cx } from "./cx.ts"

/** The line that opens a `details` with the class `group`, with a sign that it does. */
export function Summary({ className, children }: { readonly className?: string; readonly children: ReactNode }) {
  return (
    <summary
      className={cx(
        "inline-flex cursor-pointer items-center gap-1 rounded-md text-muted hover:text-ink pointer-coarse:py-2",
        className,
      )}
    >
      <ChevronRight aria-hidden className="size-3.5 shrink-0 transition-transform group-open:rotate-90" />
      {children}
    </summary>
  )
}
