import { type FormEvent, type ReactNode, useEffect, useRef } from "react"

export type FormFrameProps = {
  readonly label: string
  readonly onSubmit: (event: FormEvent) => void
  readonly children: ReactNode
}

/** The frame of the forms on this page. */
export function FormFrame({ label, onSubmit, children }: FormFrameProps) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    form.current?.querySelector<HTMLElement>("input, textarea, select")?.focus()
    form.current?.scrollIntoView({ block: "nearest" })
  }, [])
  return (
    <form
      ref={form}
      aria-label={label}
      onSubmit={onSubmit}
      className="mt-4 animate-arrive space-y-3 rounded-xl border border-line bg-sunken p-4 text-sm"
    >
      {children}
    </form>
  )
}
