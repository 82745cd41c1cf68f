import type { StreamId, TurnRow } from "@parlor/protocol"
import type { RowReader, StoredRow } from "../ports/store.ts"

/** Rows written by 0.1.0 lack the newer fields. */
export const NEWER = { guestsNext: [], compaction: null, runs: [], began: null, step: null }

export async function readTurn(store: RowReader, stream: StreamId, id: string): Promise<TurnRow | undefined> {
  const row = (await store.log.read(stream, [{ collection: "turns", key: id }]))?.lists[0]?.[0]
  return row === undefined ? undefined : parseTurn(row)
}

export function parseTurn({ value }: Pick<StoredRow, "value">): TurnRow {
  return { ...NEWER, ...(JSON.parse(value) as TurnRow) }
}
