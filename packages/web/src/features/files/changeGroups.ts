/** File changes, newest first, grouped by turn (WSP-4). Pure. */

import type { FileChange } from "@parlor/protocol"
import { t } from "../../texts/en/files.ts"
import { byWords, whoWords } from "./fileTree.ts"

export type ChangeGroup = {
  readonly key: string
  readonly title: string
  /** Its name for screen readers. */
  readonly label: string
  readonly at: number
  readonly changes: readonly FileChange[]
}

export function changeGroups(changes: readonly FileChange[]): readonly ChangeGroup[] {
  const groups: (ChangeGroup & { readonly changes: FileChange[] })[] = []
  for (const change of changes) {
    const key = change.turn ?? change.id
    const last = groups.at(-1)
    if (last !== undefined && change.turn !== null && last.key === key) last.changes.push(change)
    else {
      const label = t("changesBy", { who: whoWords(change.by) })
      groups.push({ key, title: byWords(change.by), label, at: change.at, changes: [change] })
    }
  }
  return groups
}

export function changeKind({ before, after }: Pick<FileChange, "before" | "after">): "created" | "changed" | "deleted" {
  if (after === null) return "deleted"
  return before === null ? "created" : "changed"
}

export type DiffLine = { readonly kind: "added" | "removed" | "place" | "same"; readonly text: string }

export function diffLines(diff: string): readonly DiffLine[] {
  if (diff === "") return []
  return diff.split("\n").map((text) => ({ text, kind: kindOf(text) }))
}

function kindOf(line: string): DiffLine["kind"] {
  if (line.startsWith("+")) return "added"
  if (line.startsWith("-")) return "removed"
  return line.startsWith("@@") || line.startsWith("\\") ? "place" : "same"
}
