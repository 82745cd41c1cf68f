/** A preview of a rollback in words. Pure. */
import { type RollbackPreview, type RollbackRow, unreachable } from "@parlor/protocol"

type File = RollbackPreview["files"][number]
/** Of what: the messages, the files, or both. */
export type Scope = RollbackRow["scope"]

export const scopes = [
  { value: "both", label: "Both" },
  { value: "conversation", label: "Messages only" },
  { value: "files", label: "Files only" },
] as const satisfies readonly { readonly value: Scope; readonly label: string }[]

export function dims(scope: Scope): boolean {
  return scope !== "files"
}

export function moves(scope: Scope): boolean {
  return scope !== "conversation"
}

export function previewWords(
  { count, files }: Pick<RollbackPreview, "count" | "files">,
  scope: Scope = "both",
): string {
  const dimming = dims(scope) ? count : 0
  const moving = moves(scope) ? files.length : 0
  const messages = dimming === 0 ? "No message dims" : `${dimming} ${dimming === 1 ? "message dims" : "messages dim"}`
  const changes = moving === 0 ? "no file changes" : `${moving} ${moving === 1 ? "file changes" : "files change"}`
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
