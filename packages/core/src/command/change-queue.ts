/**
 * Commands on queued messages: edit, move, pause, release, lease, remove, clear; hold and resume the queue.
 *
 * Each is one decision. Of an edit or removal and a start at the same time, the store commits exactly one first; the
 * other decides again on the new state (QUE-7, QUE-9).
 */
import {
  type Address,
  type EditBody,
  limits,
  type QueueRow,
  Refusal,
  type StatusRow,
  type StreamId,
  type TxId,
} from "@parlor/protocol"
import { type EditedInput, editedInput } from "../composer/edit.ts"
import { conversationFor } from "../conversation/create.ts"
import { wake } from "../drive/recover.ts"
import { type Decision, decide, expectFirst } from "../log/decide.ts"
import { type ConversationState, statusChange } from "../log/state.ts"
import { wholeRow } from "../log/whole-row.ts"
import { positionBeside, removal } from "../queue/queue.ts"
import type { Waiting } from "../queue/waiting.ts"
import { checkMessageRoom } from "../quota/quota.ts"
import type { CommandAccess } from "./command-access.ts"

export type Held = { readonly held: StatusRow["held"]; readonly queued: number }

export async function edit(
  node: CommandAccess,
  address: Address,
  id: string,
  body: EditBody,
  txid: TxId,
): Promise<QueueRow> {
  if (body.before !== undefined && body.after !== undefined)
    throw new Refusal("request.invalid", "Provide `before` or `after`, not both.", "/after")
  await checkMessageRoom(node, address.person)
  return change(node, address, txid, async (state, stream) => {
    const waiting = await queued(node, stream, state, id)
    if (waiting.version !== body.version)
      throw new Refusal(
        "message.changed",
        `The message was changed: it is now at version ${waiting.version}, you saw version ${body.version}.`,
        "/version",
      )
    const message = await wholeRow(node, stream, waiting)
    return replaced(edited(state, message, body, await editedInput(node, address, message, body)))
  })
}

/** Opens a message for editing: it does not start while it is being edited (QUE-8). */
export async function lease(
  node: CommandAccess,
  address: Address,
  id: string,
  holder: string,
  txid: TxId,
): Promise<QueueRow> {
  return change(node, address, txid, async (state, stream) => {
    const message = await wholeRow(node, stream, await queued(node, stream, state, id))
    return replaced({ ...message, lease: { holder, until: (await node.store.now()) + limits.editLeaseMs } })
  })
}

export async function release(node: CommandAccess, address: Address, id: string, txid: TxId): Promise<QueueRow> {
  return change(node, address, txid, async (state, stream) => {
    const message = await wholeRow(node, stream, await queued(node, stream, state, id))
    return replaced({ ...message, lease: null })
  })
}

export async function removeQueued(node: CommandAccess, address: Address, id: string, txid: TxId): Promise<void> {
  await change(node, address, txid, async (state, stream) => {
    const message = await queued(node, stream, state, id)
    return { answer: undefined, changes: [removal(message)] }
  })
}

export async function clear(node: CommandAccess, address: Address, txid: TxId): Promise<{ removed: number }> {
  return change(node, address, txid, async ({ queue }) => ({
    answer: { removed: queue.length },
    changes: queue.map(removal),
  }))
}

export async function hold(node: CommandAccess, address: Address, txid: TxId): Promise<Held> {
  return change(node, address, txid, async (state) => {
    const { held } = state.status
    // A hold that ends by itself is not what the person asked for.
    const isEnough = held !== null && held.until === undefined
    return heldAs(state, isEnough ? held : { reason: "asked", since: node.clock.now() })
  })
}

/** A failed message that would be tried again later is tried again now (QUE-22). */
export async function resume(node: CommandAccess, address: Address, txid: TxId): Promise<Held> {
  return change(node, address, txid, async (state) => {
    const again = state.status.again && { ...state.status.again, at: 0 }
    return heldAs({ ...state, status: { ...state.status, again } }, null)
  })
}

/** The message, or why it is not queued: a late request learns what happened instead (QUE-9). */
export async function queued(
  node: CommandAccess,
  stream: StreamId,
  state: ConversationState,
  id: string,
): Promise<Waiting> {
  const message = state.queue.find((row) => row.id === id)
  if (message !== undefined) return message
  const read = await node.store.log.read(stream, [{ collection: "messages", key: id }])
  const started = read?.lists[0]?.[0] !== undefined
  throw started
    ? new Refusal("message.not-queued", `The message ${id} has already started and can't be changed.`)
    : new Refusal("message.not-queued", `The message ${id} is not in this queue: it was removed, or it never existed.`)
}

async function change<T>(
  node: CommandAccess,
  address: Address,
  txid: TxId,
  make: (state: ConversationState, stream: StreamId) => Promise<Decision<T>>,
): Promise<T> {
  const stream = await conversationFor(node, address, txid)
  const decided = await decide(node, stream.id, (state) => make(state, stream.id), { txid, queue: "whole" })
  wake(node, stream.id)
  return expectFirst(decided).answer
}

function replaced(row: QueueRow): Decision<QueueRow> {
  return { answer: row, changes: [{ collection: "queue", key: row.id, operation: "update", row }] }
}

function heldAs({ status, queued }: ConversationState, held: StatusRow["held"]): Decision<Held> {
  return { answer: { held, queued }, changes: [statusChange({ ...status, held })] }
}

function edited(state: ConversationState, message: QueueRow, body: EditBody, input: EditedInput | undefined): QueueRow {
  const moves = body.before !== undefined || body.after !== undefined
  return {
    ...message,
    ...input,
    mode: body.mode ?? message.mode,
    position: moves ? positionBeside(state.queue, message.id, body) : message.position,
    version: message.version + 1,
    // Saving the text ends the edit lease; a move or a pause from elsewhere does not.
    lease: input === undefined ? message.lease : null,
  }
}
