import { type ReactNode, useId } from "react"
import type { AccountSection } from "./sections.ts"

export type SectionProps = {
  readonly name: AccountSection
  readonly title: string
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A part of the account page. It can be focused, so that the menu leads to it. */
export function Section({ name, title, actions, children }: SectionProps) {
  const id = useId()
  return (
    <section
      data-section={name}
      aria-labelledby={id}
      tabIndex={-1}
      className="scroll-mt-4 rounded-lg outline-none focus-visible:outline-2"
    >
      <div className="mb-3 flex min-h-9 items-center gap-3">
        <h2 id={id} className="mr-auto font-semibold">
          {title}
        </h2>
        {actions}
      </div>
      {children}
    </section>
  )
}
