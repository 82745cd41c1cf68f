/** The effect of changes on full-text search: the final text of each row. */
import type { RowChange } from "@parlor/core"
import type { Millis } from "@parlor/protocol"

export type TextKind = "message" | "archive"

export type TextChange = {
  readonly kind: TextKind
  readonly key: string
  readonly ord: number
  readonly at: Millis
  /** Null removes the row. */
  readonly text: string | null
}

export function textChanges(changes: readonly RowChange[], at: Millis): readonly TextChange[] {
  // Most appends are deltas.
  if (!changes.some((change) => kinds[change.collection] !== undefined)) return []
  const last = new Map<string, TextChange>()
  for (const change of changes) {
    const kind = kinds[change.collection]
    const text = change.operation === "delete" ? null : change.text
    if (kind === undefined || text === undefined) continue
    const { key } = change
    const name = `${kind} ${key}`
    // A row that occurs again moves behind the others, as if written later.
    last.delete(name)
    last.set(name, { kind, key, ord: change.ord ?? 0, at: change.at ?? at, text })
  }
  return [...last.values()]
}

const kinds: Partial<Record<RowChange["collection"], TextKind>> = { messages: "message", archives: "archive" }
