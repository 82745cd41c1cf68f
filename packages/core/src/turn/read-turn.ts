import type { StreamId, TurnRow } from "@parlor/protocol"
import type { Store } from "../ports/store.ts"

/** Rows written by 0.1.0 lack what came since. */
const NEWER = { guestsNext: [], compaction: null, runs: [] }

export async function readTurn(store: Pick<Store, "read">, stream: StreamId, id: string): Promise<TurnRow | undefined> {
  const row = (await store.read(stream, [{ collection: "turns", key: id }]))?.lists[0]?.[0]
  return row === undefined ? undefined : { ...NEWER, ...(JSON.parse(row.value) as TurnRow) }
}
