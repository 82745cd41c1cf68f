/** Waits for what becomes of a message: its turn ends, it asks the person something, or the time is up. */
import type { Conversation } from "@parlor/client"
import type { AskRow, ChangeEvent, MessageRow, Sent } from "@parlor/protocol"

export type Answered = {
  readonly state: "done" | "stopped" | "failed" | "removed" | "asks" | "running"
  /** What the agent said. */
  readonly text: string
  /** What it asks, or why it failed. */
  readonly detail?: string
}

/** Of one answer; the conversation has the rest. */
const MAX_MESSAGES = 100

export async function answerTo(
  conversation: Conversation,
  sent: Sent,
  options: { readonly waitMs: number; readonly signal: AbortSignal },
): Promise<Answered> {
  const time = AbortSignal.timeout(options.waitMs)
  const signal = AbortSignal.any([time, options.signal])
  let seen: Seen = { turn: sent.turn, isUnqueued: false, end: undefined }
  try {
    for await (const changes of conversation.follow({ offset: sent.offset, signal })) {
      for (const change of changes) if (seen.end === undefined) seen = next(seen, change, sent.message)
      // Whoever leaves the queue for its turn has one before the changes that belong together are over.
      if (seen.isUnqueued && seen.turn === undefined) seen = { ...seen, end: { state: "removed" } }
      if (seen.end !== undefined) break
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
  options.signal.throwIfAborted()
  const end = seen.end ?? { state: "running" as const }
  return { ...end, text: await said(conversation, sent, seen.turn) }
}

type Seen = {
  readonly turn: string | undefined
  readonly isUnqueued: boolean
  readonly end: Omit<Answered, "text"> | undefined
}

function next(seen: Seen, change: ChangeEvent, message: string): Seen {
  if (change.type === "queue" && change.key === message && change.headers.operation === "delete")
    return { ...seen, isUnqueued: true }
  if (change.type === "messages" && change.key === message) return { ...seen, turn: change.value.turn ?? seen.turn }
  if (change.type === "asks" && change.value.turn === seen.turn && change.value.state === "open")
    return { ...seen, end: { state: "asks", detail: question(change.value) } }
  if (change.type !== "turns" || change.value.message !== message) return seen
  const { id, state, endedAt, guestsNext, error } = change.value
  if (endedAt === null || (state === "done" && guestsNext.length > 0)) return { ...seen, turn: id }
  const ended = state === "done" || state === "stopped" ? state : "failed"
  return { ...seen, turn: id, end: { state: ended, ...(error === null ? {} : { detail: error.detail }) } }
}

function question({ kind, title, detail, options }: AskRow): string {
  const choice = options === null ? "" : ` Answers: ${options.join(", ")}.`
  return `${kind}: ${title}${choice}${detail === "" ? "" : `\n${detail}`}`
}

/** Everything agents said after the message, up to the next one of a person. */
async function said(conversation: Conversation, sent: Sent, turn: string | undefined): Promise<string> {
  if (turn === undefined) return ""
  const { messages } = await conversation.open({ messages: MAX_MESSAGES })
  const inOrder = [...messages].sort((a, b) => a.ord - b.ord)
  const from = inOrder.findIndex(({ id }) => id === sent.message)
  const after = inOrder.slice(from + 1)
  const until = after.findIndex(({ role, trigger }) => role === "person" && trigger?.source !== "self")
  return after
    .slice(0, until < 0 ? undefined : until)
    .filter(({ role }) => role === "agent")
    .map(messageText)
    .filter((text) => text !== "")
    .join("\n\n")
}

export function messageText({ author, parts }: MessageRow): string {
  const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("")
  return author === "" || text === "" ? text : `${author}: ${text}`
}
