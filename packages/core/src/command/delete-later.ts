/**
 * Deletes a conversation when its grace period is over, unless that is undone first (ADR-10).
 *
 *   listed ──delete──▶ marked (`status.deleteAt`, in no list) ──grace over──▶ deleted
 *      ▲                 │ undo (`mark`), or a branch of it must stay
 *      └─────────────────┘
 *
 * The timer is stored before the mark: a process that dies in between leaves a timer without a mark, which does nothing.
 * A timer counts only for the mark with its own time, so a mark that was undone and set again is deleted by the later
 * one. Timers are deleted with their conversation.
 */
import { type Address, type Millis, Refusal, type StreamId, type TxId } from "@parlor/protocol"
import { decide, Gone, readState } from "../log/decide.ts"
import { statusChange } from "../log/state.ts"
import { reasonFields } from "../ports/log.ts"
import type { TriggerRecord } from "../ports/triggers.ts"
import type { CommandAccess } from "./command-access.ts"
import { namedTree, removeAll } from "./remove.ts"

const KINDS = ["deletion"] as const
const BATCH = 64
/** Limits one round; whatever is still due is handled by the next one. */
const ROUNDS = 50
/** Deletions of one conversation that were undone leave a timer until it is due. */
const MAX_TIMERS = 100
/** Wait after a failure. */
const FAULT_MS = 1_000

export async function removeLater(
  node: CommandAccess,
  address: Address,
  options: { readonly branches: readonly string[]; readonly txid: TxId },
): Promise<void> {
  const deleteAt = node.clock.now() + node.settings.deletionGraceMs
  for (const one of await namedTree(node, address, options.branches)) await markOne(node, one, deleteAt, options.txid)
  node.alarm.at(deleteAt)
}

/** Deletes what is due by now, and returns when the next is due. */
export async function deleteDue(
  node: CommandAccess,
  onDeleted: (streams: readonly StreamId[]) => void,
): Promise<Millis | undefined> {
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const due = await node.store.triggers.due(KINDS, node.clock.now(), { limit: BATCH })
      if (due.length === 0) return await node.store.triggers.nextLook(KINDS)
      let isAny = false
      for (const timer of due) isAny = (await tryDelete(node, timer, onDeleted)) || isAny
      if (!isAny) return node.clock.now() + FAULT_MS
    }
    return node.clock.now()
  } catch (error) {
    node.log.warn("could not delete conversations that are due", reasonFields(error))
    return node.clock.now() + FAULT_MS
  }
}

async function markOne(node: CommandAccess, address: Address, deleteAt: Millis, txid: TxId): Promise<void> {
  const stream = await node.store.log.find({ kind: "conversation", ...address })
  if (stream === undefined || stream.head === 0) return
  const timer: TriggerRecord = {
    id: `del_${stream.id}_${deleteAt}`,
    kind: "deletion",
    person: address.person,
    stream: stream.id,
    lookAt: deleteAt,
    live: true,
    version: 1,
    createdAt: node.clock.now(),
    value: JSON.stringify({ agent: address.agent, branch: address.branch, deleteAt }),
  }
  const added = await node.store.triggers.add(timer, { per: "stream", most: MAX_TIMERS })
  if (added === "gone") return
  if (added === "full")
    throw new Refusal("rate.exceeded", "This conversation was deleted and restored too often. Try again in a minute.")
  await decide(
    node,
    stream.id,
    (state) => ({ answer: undefined, changes: [statusChange({ ...state.status, deleteAt })] }),
    { txid },
  )
}

/** False if it has to be tried again. One that fails does not keep the others. */
async function tryDelete(
  node: CommandAccess,
  timer: TriggerRecord,
  onDeleted: (streams: readonly StreamId[]) => void,
): Promise<boolean> {
  try {
    onDeleted(await deleteOne(node, timer))
    return true
  } catch (error) {
    node.log.warn("could not delete a conversation", { trigger: timer.id, ...reasonFields(error) })
    return false
  }
}

async function deleteOne(node: CommandAccess, timer: TriggerRecord): Promise<readonly StreamId[]> {
  const { agent, branch, deleteAt } = JSON.parse(timer.value) as Timer
  const address = { agent, branch, person: timer.person }
  const txid = node.ids.next("del") as TxId
  try {
    if (timer.stream !== null && (await isMarked(node, timer.stream, deleteAt)))
      return await removeAll(node, await namedTree(node, address, []), txid)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code === "conversation.has-branches" && timer.stream !== null) await unmark(node, timer.stream, txid)
  }
  await node.store.triggers.delete(timer.id)
  return []
}

type Timer = { readonly agent: string; readonly branch: string; readonly deleteAt: Millis }

async function isMarked(node: CommandAccess, stream: StreamId, deleteAt: Millis): Promise<boolean> {
  try {
    return (await readState(node, stream)).status.deleteAt === deleteAt
  } catch (error) {
    if (error instanceof Gone) return false
    throw error
  }
}

/** A branch that was created meanwhile keeps its parent. */
async function unmark(node: CommandAccess, stream: StreamId, txid: TxId): Promise<void> {
  await decide(
    node,
    stream,
    (state) => ({ answer: undefined, changes: [statusChange({ ...state.status, deleteAt: null })] }),
    { txid },
  )
}
