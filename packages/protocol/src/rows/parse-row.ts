/**
 * Reads stored rows. A row written by an earlier version gets the fields that were added since, with their defaults
 * (LOG-35), so that no reader sees a row without them.
 *
 * Most rows are complete and are returned as parsed: copying each would slow down every decision.
 */
import type { Collection, RowOf } from "../collections.ts"
import { blankMessage } from "./message.ts"
import { blankStatus } from "./status.ts"

/** The stored text of a row. */
type Stored = { readonly value: string }

/** Defaults of fields that older rows may lack. Add every new field of a collection here. */
export const addedFields: { readonly [C in Collection]: Readonly<Partial<RowOf<C>>> } = {
  status: blankStatus,
  messages: blankMessage,
  deltas: {},
  queue: { guests: [], attachments: [], trigger: null, editedFrom: null, lease: null },
  turns: { guest: null, guestsNext: [], compaction: null, settings: null, runs: [], began: null, step: null },
  asks: { call: null, detail: "", options: null, schema: null, expiresAt: null, answer: null, answeredBy: null },
  slashCommands: { arguments: [], owner: null },
  archives: { madeOrd: null, ended: null },
  rollbacks: { cancels: null, files: [], change: null, ended: null, earlier: [] },
  files: { turn: null },
  changes: { bytes: 0, bytesBefore: 0, turn: null },
  branches: { from: null, ephemeral: false },
  conversations: {
    parent: null,
    preview: "",
    held: false,
    queued: 0,
    asks: 0,
    unread: false,
    latestFile: null,
    pinned: false,
    archived: false,
    ephemeral: false,
    tokens: 0,
    grantedTokens: 0,
    news: null,
  },
}

export function parseRow<C extends Collection>(collection: C, stored: string): RowOf<C> {
  return completeRow<RowOf<C>>(JSON.parse(stored) as RowOf<C>, addedFields[collection])
}

export function parseRows<C extends Collection>(collection: C, rows: readonly Stored[] = []): RowOf<C>[] {
  return rows.map(({ value }) => parseRow(collection, value))
}

export function completeRow<T extends object>(row: T, added: Readonly<Partial<T>>): T {
  for (const name in added) if (!(name in row)) return { ...added, ...row }
  return row
}
