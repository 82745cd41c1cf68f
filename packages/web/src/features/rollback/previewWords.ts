/** A preview of a rollback in words. Pure. */
import { type RollbackPreview, unreachable } from "@parlor/protocol"

type File = RollbackPreview["files"][number]

export function previewWords({ count, files }: Pick<RollbackPreview, "count" | "files">): string {
  const messages = count === 0 ? "No message dims" : `${count} ${count === 1 ? "message dims" : "messages dim"}`
  const changes =
    files.length === 0 ? "no file changes" : `${files.length} ${files.length === 1 ? "file changes" : "files change"}`
  return `${messages}, ${changes}.`
}

/** What becomes of a file; one edited by hand says so, and that a copy of it is kept (RBK-7). */
export function fileWords({ change, conflict }: Pick<File, "change" | "conflict">): string {
  const words = changeWords(change)
  return conflict && change !== "kept" ? `${words}; edited by hand, a copy is kept` : words
}

function changeWords(change: File["change"]): string {
  switch (change) {
    case "restored":
      return "goes back to what it was"
    case "recreated":
      return "comes back"
    case "removed":
      return "goes"
    case "kept":
      return "stays: too large to keep a copy of"
    default:
      return unreachable(change)
  }
}
