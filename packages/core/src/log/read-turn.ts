import { parseRow, type StreamId, type TurnRow } from "@parlor/protocol"
import type { RowReader } from "../ports/store.ts"

export async function readTurn(store: RowReader, stream: StreamId, id: string): Promise<TurnRow | undefined> {
  const row = (await store.log.read(stream, [{ collection: "turns", key: id }]))?.lists[0]?.[0]
  return row === undefined ? undefined : parseRow("turns", row.value)
}
