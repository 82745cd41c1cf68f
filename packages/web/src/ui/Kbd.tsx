import type { ReactNode } from "react"

/** A key, as it is on the keyboard. */
export function Kbd({ children }: { readonly children: ReactNode }) {
  return (
    <kbd className="whitespace-nowrap rounded-md border border-line-strong border-b-2 bg-raised px-1.5 font-sans text-muted text-xs leading-5">
      {children}
    </kbd>
  )
}
