/** A conversation this process owns: its lease, its running turn. */
import type { Millis, TurnRow } from "@parlor/protocol"
import type { Owner } from "../log/owner.ts"
import type { TurnEnd } from "../turn/turn.ts"

export type Drive = Owner & {
  /** The running turn, and how to end it early. */
  current: RunningTurn | undefined
  /** The queue changed since it was last read. */
  missed: boolean
  /** Reads the queue again, if the drive waits for something in it. */
  poke: () => void
  /** The edit lease or the hold it waits for: its time has come after one full wait, whatever the clock says (QUE-19, QUE-23). */
  waiting: { readonly until: Millis; hasLapsed: boolean; readonly cancel: () => void } | undefined
  /** Resolves when there is nothing left to do, for whatever reason. */
  over: Promise<void>
}

type RunningTurn = {
  readonly turn: TurnRow
  readonly abort: AbortController
  readonly ended: Promise<{ readonly state: TurnEnd["state"]; readonly next: TurnRow | undefined }>
}
