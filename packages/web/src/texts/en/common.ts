/** Words that several parts of the page share. */
import { texts } from "../texts.ts"

export const t = texts("common", {
  tryAgain: "Try again",
  cancel: "Cancel",
  close: "Close",
  you: "You",
  delete: "Delete",
  undo: "Undo",
  loading: "Loading…",
  edit: "Edit",
  remove: "Remove",
  save: "Save",
})
