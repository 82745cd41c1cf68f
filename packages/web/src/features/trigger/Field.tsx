import type { ReactNode } from "react"

export const fieldLook = "mt-1 w-full rounded-lg border border-line-strong bg-raised px-3 py-1.5"

export function Field({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child.
    <label className="block">
      <span className="font-medium">{label}</span>
      {children}
    </label>
  )
}
