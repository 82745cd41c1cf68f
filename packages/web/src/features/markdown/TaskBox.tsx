import type { ComponentProps } from "react"
import type { ExtraProps } from "streamdown"

/** The box of a task in a list. It shows, and is not for clicking: a message does not change by being read. */
export function TaskBox({ checked }: ComponentProps<"input"> & ExtraProps) {
  return <input type="checkbox" checked={checked === true} disabled aria-label={checked === true ? "done" : "to do"} />
}
