import type { ComponentProps } from "react"
import type { ExtraProps } from "streamdown"
import { t } from "../../texts/en/markdown.ts"

/** The checkbox of a task list item. It is read-only. */
export function TaskBox({ checked }: ComponentProps<"input"> & ExtraProps) {
  return (
    <input type="checkbox" checked={checked === true} disabled aria-label={t(checked === true ? "done" : "toDo")} />
  )
}
