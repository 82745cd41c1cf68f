/** A conversation this process owns: its lease, its running turn. */
import type { Millis, TurnRow } from "@parlor/protocol"
import type { Owner } from "../log/owner.ts"
import type { TurnEnd } from "../turn/turn.ts"

export type Drive = Owner & {
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

type RunningTurn = {
  readonly turn: TurnRow
  readonly abort: AbortController
  readonly ended: Promise<{ readonly state: TurnEnd["state"]; readonly next: TurnRow | undefined }>
}
