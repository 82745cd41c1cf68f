import type { FormEvent, ReactNode } from "react"

export type FormFrameProps = {
  readonly label: string
  readonly onSubmit: (event: FormEvent) => void
  readonly children: ReactNode
}

/** The frame of the forms on this page. */
export function FormFrame({ label, onSubmit, children }: FormFrameProps) {
  return (
    <form
      aria-label={label}
      onSubmit={onSubmit}
      className="mt-4 animate-arrive space-y-3 rounded-xl border border-line bg-sunken p-4 text-sm"
    >
      {children}
    </form>
  )
}
