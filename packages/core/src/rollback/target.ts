/** The message a person rolls back to, and what comes after it (RBK-1, RBK-3). */
import { type MessageRow, parseRow, Refusal, type RollbackRow, type StreamId } from "@parlor/protocol"
import { findOnLine, isOnLineDimmed, readLine, type Section } from "../log/line.ts"
import type { Ports } from "../ports/ports.ts"

export type Target = {
  readonly message: MessageRow
  readonly section: Section
  /** The last message that stays: the target itself, or the one before it if it is to be edited. */
  readonly last: MessageRow | undefined
  readonly toOrd: number
}

export async function targetOf(node: Ports, stream: StreamId, id: string, edit: boolean): Promise<Target> {
  const found = await findOnLine(node.store, stream, id)
  if (found === undefined) throw new Refusal("message.unknown", await whyUnknown(node, stream, id), "/to")
  const { message, section } = found
  if (message.role !== "person")
    throw new Refusal("rollback.target", "Choose one of your own messages. This is an agent's message.", "/to")
  if (isOnLineDimmed(message.ord, section))
    throw new Refusal("rollback.dimmed", "This message is already rolled back. Cancel that rollback first.", "/to")
  if (!edit) return { message, section, last: message, toOrd: message.ord }
  const last = await newestMessage(node, stream, { visible: true, before: message.ord })
  return { message, section, last, toOrd: message.ord - 1 }
}

/** The newest message: of all, of those below a number, or of those not dimmed. */
export async function newestMessage(
  node: Ports,
  stream: StreamId,
  options: { readonly visible?: boolean; readonly before?: number } = {},
): Promise<MessageRow | undefined> {
  for await (const { rows } of readLine(node.store, stream, { page: 1, ...options })) {
    const row = rows[0]
    if (row !== undefined) return parseRow("messages", row.value)
  }
  return undefined
}

export async function readRollbacks(node: Ports, stream: StreamId): Promise<readonly RollbackRow[]> {
  const rows = (await node.store.log.read(stream, [{ collection: "rollbacks" }]))?.lists[0] ?? []
  return rows.map((row) => parseRow("rollbacks", row.value))
}

async function whyUnknown(node: Ports, stream: StreamId, id: string): Promise<string> {
  const waiting = (await node.store.log.read(stream, [{ collection: "queue", key: id, outlines: true }]))?.lists[0]?.[0]
  return waiting === undefined
    ? `There is no message ${id} here.`
    : `The message ${id} has not started yet. Edit or remove it in the queue.`
}
