import { formatOffset, type StreamId } from "@parlor/protocol"
import type { Ports } from "../ports/ports.ts"

/** The offset of the event with that number. Events never change, so it can be read separately. */
export async function offsetAt({ store }: Pick<Ports, "store">, stream: StreamId, seq: number): Promise<string> {
  if (seq === 0) return formatOffset(0)
  const event = (await store.log.events(stream, seq - 1, { count: 1, bytes: 1 }))?.changes[0]
  return formatOffset(seq, event?.seq === seq ? event.txid : undefined)
}
