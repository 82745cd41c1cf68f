/** Labels for the rollback preview. Pure. */
import { type RollbackPreview, type RollbackRow, unreachable } from "@parlor/protocol"
import { t } from "../../texts/en/rollback.ts"

type File = RollbackPreview["files"][number]
/** What is rolled back: the messages, the files or both. */
export type Scope = RollbackRow["scope"]

export function scopes(): readonly { readonly value: Scope; readonly label: string }[] {
  return [
    { value: "both", label: t("both") },
    { value: "conversation", label: t("messagesOnly") },
    { value: "files", label: t("filesOnly") },
  ]
}

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
  const messages = dimming === 0 ? t("noMessages") : t("messages", { count: dimming })
  const changes = moving === 0 ? t("noFiles") : t("files", { count: moving })
  return t("messagesWillBeHiddenChanges", { messages, changes })
}

/** What happens to a file. If it was edited by hand, a copy is kept (RBK-7). */
export function fileWords({ change, conflict }: Pick<File, "change" | "conflict">): string {
  const words = changeWords(change)
  return conflict && change !== "kept" ? t("wordsEditedByHandA", { words }) : words
}

function changeWords(change: File["change"]): string {
  switch (change) {
    case "restored":
      return t("willGoBackToIts")
    case "recreated":
      return t("willBeRestored")
    case "removed":
      return t("willBeDeleted")
    case "kept":
      return t("wontChangeTooLargeTo")
    default:
      return unreachable(change)
  }
}
