/** Labels for the rollback preview. Pure. */
import { type RollbackPreview, type RollbackRow, unreachable } from "@parlor/protocol"

type File = RollbackPreview["files"][number]
/** What is rolled back: the messages, the files or both. */
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
  const messages = dimming === 0 ? "No messages" : dimming === 1 ? "1 message" : `${dimming} messages`
  const changes = moving === 0 ? "no files" : moving === 1 ? "1 file" : `${moving} files`
  return `${messages} will be hidden, ${changes} will change.`
}

/** What happens to a file. If it was edited by hand, a copy is kept (RBK-7). */
export function fileWords({ change, conflict }: Pick<File, "change" | "conflict">): string {
  const words = changeWords(change)
  return conflict && change !== "kept" ? `${words}; edited by hand, a copy will be kept` : words
}

function changeWords(change: File["change"]): string {
  switch (change) {
    case "restored":
      return "will go back to its earlier version"
    case "recreated":
      return "will be restored"
    case "removed":
      return "will be deleted"
    case "kept":
      return "won't change: too large to keep a copy of"
    default:
      return unreachable(change)
  }
}
