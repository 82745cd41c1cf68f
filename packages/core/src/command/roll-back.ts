/**
 * Moves the end of the visible conversation back to a message of the person (RBK-1 to RBK-4).
 *
 * Messages are not touched: one small row records the dimmed range, and readers derive the rest. Ten messages or ten
 * thousand cost the same.
 */
import {
  type Address,
  type ComposerInput,
  limits,
  type MessageRow,
  Refusal,
  type RollbackRow,
  type StatusRow,
  type TxId,
} from "@parlor/protocol"
import { conversationAt } from "../log/address.ts"
import type { ConversationState } from "../log/state.ts"
import { type FilesPlan, planFiles } from "../rollback/files.ts"
import { checkRoom, newRollback, rollbackChange } from "../rollback/plan.ts"
import { newestMessage, readRollbacks, type Target, targetOf } from "../rollback/target.ts"
import { excerpt } from "../text/excerpt.ts"
import { textOf } from "../text/text-of.ts"
import { filesAt } from "../workspace/at.ts"
import { carryOut, type Made, type Make } from "./carry-out-rollback.ts"
import type { CommandAccess } from "./command-access.ts"

export type RollBack = {
  readonly to: string
  readonly scope: RollbackRow["scope"]
  /** The message itself is dimmed too, and its text is returned for editing. */
  readonly edit: boolean
  readonly txid: TxId
}

export type RolledBack = {
  readonly rollback: RollbackRow
  readonly edited: { readonly message: string; readonly text: string; readonly composer: ComposerInput | null } | null
}

export async function rollBack(node: CommandAccess, address: Address, asked: RollBack): Promise<RolledBack> {
  const { scope, edit, txid } = asked
  if (edit && scope === "files")
    throw new Refusal("request.invalid", "Editing a message requires the scope to include the conversation.", "/edit")
  const { id: stream } = await conversationAt(node, address)
  // Checked before a turn is stopped for it.
  const { message } = await targetOf(node, stream, asked.to, edit)
  const id = node.ids.next("rbk")
  const since = scope === "conversation" ? undefined : message.at
  const make: Make = (state, found) => decided(node, state, { ...asked, id, ...found })
  const rollback = await carryOut(node, { stream, address, txid }, since, make)
  return { rollback, edited: edit ? editedOf(message) : null }
}

/** The typed input, to be put back into the composer. */
function editedOf(message: MessageRow): RolledBack["edited"] {
  return { message: message.id, text: message.composer?.source ?? textOf(message.parts), composer: message.composer }
}

type Asked = RollBack & { readonly id: string } & Parameters<Make>[1]

async function decided(node: CommandAccess, state: ConversationState, asked: Asked): Promise<Made> {
  const { stream } = state
  const target = await targetOf(node, stream.id, asked.to, asked.edit)
  checkRoom(await readRollbacks(node, stream.id))
  const files = asked.scope === "conversation" ? undefined : await filesFor(node, state, asked, target)
  const newest = (await newestMessage(node, stream.id, { visible: true }))?.ord ?? 0
  const dims = asked.scope !== "files" && newest > target.toOrd
  // A stopped turn may have written nothing yet: it is rolled back all the same, because the turn is gone.
  if (!dims && (files?.files.length ?? 0) === 0 && !asked.stopped) {
    // Another node may have rolled back further between the two reads: then there is nothing left to roll back.
    await targetOf(node, stream.id, asked.to, asked.edit)
    throw new Refusal("rollback.nothing", "Nothing has happened since that message.", "/to")
  }
  const row = newRollback({
    id: asked.id,
    to: target.last?.id ?? null,
    toOrd: target.toOrd,
    from: (await newestMessage(node, stream.id))?.id ?? null,
    fromOrd: state.lastOrd,
    scope: asked.scope,
    files: [...(files?.files ?? [])],
    change: files?.change ?? null,
    at: node.clock.now(),
    began: stream.head + 1,
  })
  return {
    row,
    changes: (written) => [rollbackChange(written, "insert")],
    status: statusAfter(node, state, asked.scope === "files" ? undefined : target),
    ...(files === undefined ? {} : { files }),
  }
}

/**
 * The files as they were when the message was sent. A message above a branch's fork belongs to another stream, with
 * other changes.
 */
function filesFor(
  node: CommandAccess,
  state: ConversationState,
  { hands }: Asked,
  { section, message }: Target,
): Promise<FilesPlan> {
  return planFiles(node, state, hands, () => filesAt(node, section.stream, message.ord))
}

/**
 * Queued messages are held: they were written in view of what is now dimmed (RBK-8). A failed turn is rolled back with
 * the rest, and not tried again.
 */
function statusAfter(node: CommandAccess, state: ConversationState, target: Target | undefined): StatusRow {
  const { status, queued } = state
  const now = node.clock.now()
  const lasting = status.held?.until === undefined ? status.held : null
  const held = lasting ?? (queued > 0 ? { reason: "stopped" as const, since: now } : null)
  if (target === undefined) return { ...status, held, again: null, activityAt: now }
  const preview = excerpt(textOf(target.last?.parts ?? []), limits.previewLength)
  return { ...status, state: "idle", error: null, held, again: null, preview, activityAt: now }
}
