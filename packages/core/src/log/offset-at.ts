import { formatOffset, type StreamId } from "@parlor/protocol"
import type { Ports } from "../ports/ports.ts"

/** The offset of the event with that number. An event does not change, so it need not be read with what it is told of. */
export async function offsetAt({ store }: Pick<Ports, "store">, stream: StreamId, seq: number): Promise<string> {
  if (seq === 0) return formatOffset(0)
  const event = (await store.events(stream, seq - 1, { count: 1, bytes: 1 }))?.changes[0]
  return formatOffset(seq, event?.seq === seq ? event.txid : undefined)
}
