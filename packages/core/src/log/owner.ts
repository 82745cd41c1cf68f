/** This process as the owner of a conversation: its writes carry this until another process takes over. */
import type { Address, StreamId, TxId } from "@parlor/protocol"
import type { Meter } from "../usage/meter.ts"

export type Owner = {
  readonly stream: StreamId
  readonly address: Address
  readonly epoch: number
  readonly txid: TxId
  /** The next number of this owner's own writes. */
  readonly batch: () => number
  /** What its model calls used and was not written yet. */
  readonly meter: Meter
}
