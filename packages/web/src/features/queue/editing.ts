/**
 * A queued message being edited here, and concurrent changes to it (QUE-7, QUE-9).
 *
 *   fits ──its text is changed elsewhere──▶ changed ──take mine or theirs──▶ fits
 *     └────it starts or is removed────────▶ gone
 */
import type { QueueRow } from "@parlor/protocol"
import { textOf } from "./queueView.ts"

export type Editing = {
  readonly id: string
  /** The editor's text. */
  readonly text: string
  /** The message's text as the editor last saw it. */
  readonly base: string
}

export type Standing =
  /** Saving with this version is safe: at most its position or mode changed. */
  | { readonly kind: "fits"; readonly version: number }
  | { readonly kind: "changed"; readonly version: number; readonly theirs: string }
  | { readonly kind: "gone" }

export function openedFor(row: QueueRow): Editing {
  const text = textOf(row.payload)
  return { id: row.id, text, base: text }
}

export function standingOf(editing: Editing, queue: readonly QueueRow[]): Standing {
  const row = queue.find(({ id }) => id === editing.id)
  if (row === undefined) return { kind: "gone" }
  const theirs = textOf(row.payload)
  const { version } = row
  return theirs === editing.base || theirs === editing.text
    ? { kind: "fits", version }
    : { kind: "changed", version, theirs }
}

export function isChanged(editing: Editing): boolean {
  return editing.text.trim() !== "" && editing.text !== editing.base
}
