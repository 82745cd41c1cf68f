/** `parlor queue …`: the queue of a conversation (QUE-7). */
import { text as readAll } from "node:stream/consumers"
import { type Conversation, type Edit, recomposed } from "@parlor/client"
import type { QueueRow } from "@parlor/protocol"
import { Complaint } from "../explain.ts"
import { plainJson } from "../plain.ts"
import { heldLine, queuedId, queueLines } from "../queue-lines.ts"
import { referencesFor } from "../references.ts"
import { type ConversationOptions, connect, conversationOf } from "../settings.ts"
import type { Terminal } from "../terminal.ts"

export type QueueOptions = ConversationOptions & { readonly terminal: Terminal }

export async function list(options: QueueOptions & { readonly json?: boolean }): Promise<number> {
  const { terminal } = options
  const { queue, status } = await conversationOf(options).open({ messages: 1 })
  const lines = options.json
    ? queue.map((row) => plainJson(JSON.stringify(row)))
    : [...queueLines(queue, Date.now()).map((line) => line.trimEnd())]
  for (const line of lines) await terminal.out(`${line}\n`)
  if (options.json) return 0
  if (queue.length === 0) terminal.note("The queue is empty.")
  if (status.held !== null) terminal.note(heldLine(status.held, '"parlor queue resume"'))
  return 0
}

export async function edit(ref: string, words: readonly string[], options: QueueOptions): Promise<number> {
  const text = words.length === 1 && words[0] === "-" ? await readAll(process.stdin) : words.join(" ")
  if (text.trim() === "") throw new Complaint('The new text is empty. To remove a message, use "parlor queue remove".')
  const found = await find(ref, options)
  const references = await referencesFor(connect(options), found.conversation, text)
  const edited = found.row === undefined ? { text } : recomposed(found.row, text, references)
  return put(found, edited, "Edited", options)
}

export async function move(
  ref: string,
  options: QueueOptions & { readonly before?: string; readonly after?: string },
): Promise<number> {
  if ((options.before === undefined) === (options.after === undefined))
    throw new Complaint("Use --before or --after to say where to move it.")
  const conversation = conversationOf(options)
  const { queue } = await conversation.open({ messages: 1 })
  const place =
    options.before === undefined
      ? { after: queuedId(queue, options.after ?? "") }
      : { before: queuedId(queue, options.before) }
  return change(ref, place, "Moved", options)
}

export function pause(ref: string, options: QueueOptions): Promise<number> {
  return change(ref, { mode: "paused" }, "Paused", options)
}

export function release(ref: string, options: QueueOptions): Promise<number> {
  return change(ref, { mode: "immediate" }, "Released", options)
}

export async function remove(ref: string, options: QueueOptions): Promise<number> {
  const { conversation, id } = await find(ref, options)
  await conversation.remove(id)
  options.terminal.note(`Removed ${id}.`)
  return 0
}

export async function now(ref: string, options: QueueOptions): Promise<number> {
  const { conversation, id } = await find(ref, options)
  const { turn } = await conversation.sendNow(id)
  options.terminal.note(`Started ${id}${turn ? `, turn ${turn}` : ""}. "parlor tail" shows the answer.`)
  return 0
}

export async function hold(options: QueueOptions): Promise<number> {
  const { queued } = await conversationOf(options).hold()
  options.terminal.note(`Queue paused, ${queued} queued. Nothing starts until "parlor queue resume".`)
  return 0
}

export async function resume(options: QueueOptions): Promise<number> {
  const { queued } = await conversationOf(options).resume()
  options.terminal.note(`Queue resumed, ${queued} queued.`)
  return 0
}

export async function clear(options: QueueOptions): Promise<number> {
  const { removed } = await conversationOf(options).clearQueue()
  options.terminal.note(`Removed ${removed}.`)
  return 0
}

async function change(ref: string, edit: Omit<Edit, "version">, done: string, options: QueueOptions): Promise<number> {
  return put(await find(ref, options), edit, done, options)
}

async function put(found: Found, edit: Omit<Edit, "version">, done: string, options: QueueOptions): Promise<number> {
  const { conversation, id, row } = found
  await conversation.edit(id, { ...edit, version: row?.version ?? 1 })
  options.terminal.note(`${done} ${id}.`)
  return 0
}

type Found = { readonly conversation: Conversation; readonly id: string; readonly row: QueueRow | undefined }

/** An id that is not in the queue goes to the server unchanged, which reports what happened to it (QUE-9). */
async function find(ref: string, options: QueueOptions): Promise<Found> {
  const conversation = conversationOf(options)
  const { queue } = await conversation.open({ messages: 1 })
  const id = queuedId(queue, ref)
  return { conversation, id, row: queue.find((row) => row.id === id) }
}
