/** The person a turn's model calls are made for, and how they see that a call waits (SEC-20, SEC-21). */

import {
  isUnattended,
  type MessageRow,
  type Millis,
  type NewChange,
  type ProblemNote,
  type StatusRow,
  type TurnRow,
} from "@parlor/protocol"
import { decide } from "../log/decide.ts"
import type { LogAccess } from "../log/log-access.ts"
import type { Owner } from "../log/owner.ts"
import { statusChange } from "../log/state.ts"
import type { Spender } from "./permit.ts"

/** Nobody waits for the turn that this message starts. */
export function startedUnattended(message: MessageRow | undefined): boolean {
  const trigger = message?.trigger ?? null
  return trigger !== null && isUnattended(trigger.source)
}

export function spenderOf(
  node: LogAccess,
  parts: {
    readonly owner: Owner
    readonly turn: TurnRow
    readonly agent: string
    readonly message?: MessageRow | undefined
  },
): Spender {
  const { owner, turn, agent, message } = parts
  return {
    person: owner.address.person,
    agent,
    source: turn.compaction !== null ? "compaction" : (message?.trigger?.source ?? "person"),
    kind: turn.compaction === null && startedUnattended(message) ? "unattended" : "attended",
    meter: owner.meter,
    showWaiting: (until, note) => showRetrying(node, owner, turn, { attempt: 1, retryAt: until, error: note }),
    showRunning: () => showRunning(node, owner, turn),
  }
}

/** Shows that the turn continues by itself at `retryAt`. */
export function showRetrying(
  node: LogAccess,
  owner: Owner,
  turn: TurnRow,
  shown: { readonly attempt: number; readonly retryAt: Millis; readonly error: ProblemNote; readonly unread?: true },
): Promise<void> {
  return show(node, owner, { ...turn, state: "retrying" }, { ...shown, state: "retrying" })
}

export function showRunning(node: LogAccess, owner: Owner, turn: TurnRow): Promise<void> {
  return show(node, owner, { ...turn, state: "running" }, { state: "busy", attempt: null, retryAt: null, error: null })
}

async function show(node: LogAccess, owner: Owner, turn: TurnRow, shown: Partial<StatusRow>): Promise<void> {
  await decide(
    node,
    owner.stream,
    (state) => {
      const status: StatusRow = { ...state.status, ...shown, since: node.clock.now() }
      const turnChange: NewChange = { collection: "turns", key: turn.id, operation: "update", row: turn }
      return { answer: undefined, changes: [turnChange, statusChange(status)] }
    },
    { txid: owner.txid, owner },
  )
}
