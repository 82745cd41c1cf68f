/** A conversation this process owns: its lease, its running turn. */
import type { Address, Millis, StreamId, TurnRow, TxId } from "@parlor/protocol"
import type { TurnEnd } from "../turn/turn.ts"
import type { Meter } from "../usage/meter.ts"

export type Drive = {
  readonly stream: StreamId
  readonly address: Address
  readonly epoch: number
  readonly txid: TxId
  /** The next number of this owner's own writes. */
  readonly batch: () => number
  /** What its model calls used, until it is written. */
  readonly meter: Meter
  /** The running turn, and how to end it early. */
  current: RunningTurn | undefined
  /** The queue changed since it was last looked at. */
  missed: boolean
  /** Looks at the queue again, when it waits for something in it. */
  poke: () => void
  /** The edit lease it waits for: it has run out once it was waited for as long as one lasts (QUE-19). */
  editing: { readonly until: Millis; hasLapsed: boolean; readonly cancel: () => void } | undefined
  /** Resolves when there is nothing left to do, whatever the reason. */
  over: Promise<void>
}

export type RunningTurn = {
  readonly turn: TurnRow
  readonly abort: AbortController
  readonly ended: Promise<{ readonly state: TurnEnd["state"]; readonly next: TurnRow | undefined }>
}
