import type { ComponentProps } from "react"
import type { ExtraProps } from "streamdown"

/** The checkbox of a task list item. It is read-only. */
export function TaskBox({ checked }: ComponentProps<"input"> & ExtraProps) {
  return <input type="checkbox" checked={checked === true} disabled aria-label={checked === true ? "done" : "to do"} />
}
