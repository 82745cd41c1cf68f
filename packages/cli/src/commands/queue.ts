/** `parlor queue …`: the queue of a conversation (QUE-7). */
import { text as readAll } from "node:stream/consumers"
import type { Conversation, Edit } from "@parlor/client"
import { recomposed } from "@parlor/client/composer"
import type { QueueRow } from "@parlor/protocol"
import { Complaint } from "../complaint.ts"
import { plainJson } from "../plain.ts"
import { heldLine, queuedId, queueLines } from "../queue-lines.ts"
import { referencesFor } from "../references.ts"
import { type ConversationOptions, connect, conversationOf, hint } from "../settings.ts"
import type { Terminal } from "../terminal.ts"

export type QueueOptions = ConversationOptions & { readonly terminal: Terminal }

export async function list(options: QueueOptions & { readonly json?: boolean }): Promise<number> {
  const { terminal } = options
  const { queue, status } = await (await conversationOf(options)).open({ messages: 1 })
  const lines = options.json
    ? queue.map((row) => plainJson(JSON.stringify(row)))
    : [...queueLines(queue, Date.now()).map((line) => line.trimEnd())]
  for (const line of lines) await terminal.out(`${line}\n`)
  if (options.json) return 0
  if (queue.length === 0) terminal.note("The queue is empty.")
  if (status.held !== null) terminal.note(heldLine(status.held, hint("queue resume", options)))
  return 0
}

export async function edit(ref: string, words: readonly string[], options: QueueOptions): Promise<number> {
  const text = words.length === 1 && words[0] === "-" ? await readAll(process.stdin) : words.join(" ")
  if (text.trim() === "")
    throw new Complaint(`The new text is empty. To remove a message, use ${hint("queue remove", options)}.`)
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
  const conversation = await conversationOf(options)
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
  await options.terminal.report(`Removed ${id}.`, await conversation.remove(id))
  return 0
}

export async function now(ref: string, options: QueueOptions): Promise<number> {
  const { conversation, id } = await find(ref, options)
  const started = await conversation.sendNow(id)
  const turn = started.turn ? `, turn ${started.turn}` : ""
  await options.terminal.report(`Started ${id}${turn}. ${hint("tail", options)} shows the answer.`, started)
  return 0
}

export async function hold(options: QueueOptions): Promise<number> {
  const held = await (await conversationOf(options)).hold()
  const words = `Queue paused, ${held.queued} queued. Nothing starts until ${hint("queue resume", options)}.`
  await options.terminal.report(words, held)
  return 0
}

export async function resume(options: QueueOptions): Promise<number> {
  const resumed = await (await conversationOf(options)).resume()
  await options.terminal.report(`Queue resumed, ${resumed.queued} queued.`, resumed)
  return 0
}

export async function clear(options: QueueOptions): Promise<number> {
  const cleared = await (await conversationOf(options)).clearQueue()
  await options.terminal.report(`Removed ${cleared.removed}.`, cleared)
  return 0
}

async function change(ref: string, edit: Omit<Edit, "version">, done: string, options: QueueOptions): Promise<number> {
  return put(await find(ref, options), edit, done, options)
}

async function put(found: Found, edit: Omit<Edit, "version">, done: string, options: QueueOptions): Promise<number> {
  const { conversation, id, row } = found
  const edited = await conversation.edit(id, { ...edit, version: row?.version ?? 1 })
  await options.terminal.report(`${done} ${id}.`, edited)
  return 0
}

type Found = { readonly conversation: Conversation; readonly id: string; readonly row: QueueRow | undefined }

/** An id that is not in the queue goes to the server unchanged, which reports what happened to it (QUE-9). */
async function find(ref: string, options: QueueOptions): Promise<Found> {
  const conversation = await conversationOf(options)
  const { queue } = await conversation.open({ messages: 1 })
  const id = queuedId(queue, ref)
  return { conversation, id, row: queue.find((row) => row.id === id) }
}
