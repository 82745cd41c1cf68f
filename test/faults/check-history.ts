/** Compares what the clients were told with the log of their conversation. Pure. */
import { type ComposerInput, parseOffset, type QueueRow } from "@parlor/protocol"
import { acknowledged, type History, type Sending } from "./history.ts"
import type { RawEvent } from "./raw-events.ts"
import type { Conversation } from "./wire.ts"

export function checkHistory(history: History, conversation: Conversation, log: readonly RawEvent[]): string[] {
  const sends = history.sends.filter((sending) => sending.conversation === conversation)
  const found = messagesIn(log)
  const copies = new Map<string, string[]>()
  for (const { text, id } of found.values()) copies.set(text, [...(copies.get(text) ?? []), id])
  return [
    ...checkSeen(history.seen.get(conversation) ?? new Map(), log),
    ...sends.flatMap((sending) => checkSend(sending, found, copies.get(sending.input.text) ?? [], log)),
    ...checkNobodyElse(sends, found),
    ...history.stops
      .filter((stop) => stop.conversation === conversation)
      .flatMap((stop) => (stop.answer.outcome === "ok" ? checkStop(stop.turn, log) : [])),
  ]
}

/** A person's message, queued or in the conversation. */
type Found = { readonly id: string; readonly text: string; readonly txid: string; said: number; queued: boolean }

function messagesIn(log: readonly RawEvent[]): Map<string, Found> {
  const found = new Map<string, Found>()
  for (const { event } of log) {
    const { txid, operation } = event.headers
    if (event.type === "queue") {
      const known = found.get(event.key) ?? { id: event.key, text: textOf(event.value), txid, said: 0, queued: false }
      known.queued = operation !== "delete"
      found.set(event.key, known)
    }
    if (event.type !== "messages" || event.value.role !== "person") continue
    const part = event.value.parts[0]
    const text = part?.type === "text" ? part.text : ""
    const known = found.get(event.key)
    if (known === undefined) found.set(event.key, { id: event.key, text, txid, said: 1, queued: false })
    else found.set(event.key, { ...known, text, said: known.said + 1 })
  }
  return found
}

function checkSeen(seen: ReadonlyMap<number, string>, log: readonly RawEvent[]): string[] {
  const wrong: string[] = []
  for (const [seq, text] of seen) {
    const kept = log[seq - 1]?.text
    if (kept === undefined) wrong.push(`[LOG-3] event ${seq} was shown and is gone: ${text}`)
    else if (kept !== text) wrong.push(`[LOG-3] event ${seq} was shown as ${text} and is now ${kept}`)
  }
  return wrong
}

function checkSend(
  sending: Sending,
  found: ReadonlyMap<string, Found>,
  copies: readonly string[],
  log: readonly RawEvent[],
): string[] {
  const wrong: string[] = []
  const { text, key } = sending.input
  if (copies.length > 1) wrong.push(`[QUE-11] key ${key} made ${copies.join(" and ")}`)
  const answers = acknowledged(sending)
  const [first] = answers
  if (first === undefined) return wrong
  for (const answer of answers)
    if (answer.message !== first.message || answer.offset !== first.offset)
      wrong.push(`[QUE-11] key ${key} was answered ${first.message} and then ${answer.message}`)
  const message = found.get(first.message)
  if (message === undefined) return [...wrong, `[LOG-4] ${first.message} (key ${key}) was acknowledged and is gone`]
  if (message.said + (message.queued ? 1 : 0) !== 1)
    wrong.push(
      `[QUE-14] ${first.message} is said ${message.said} times and ${message.queued ? "waits" : "does not wait"}`,
    )
  if (message.text !== text) wrong.push(`[LOG-4] ${first.message} was sent as "${text}" and is "${message.text}"`)
  const at = log[Number(parseOffset(first.offset)) - 1]
  if (at?.event.headers.txid !== message.txid)
    wrong.push(`[LOG-4] ${first.message} was acknowledged at ${first.offset}, where another request wrote`)
  return wrong
}

/** The conversation contains no message that no client sent. */
function checkNobodyElse(sends: readonly Sending[], found: ReadonlyMap<string, Found>): string[] {
  const texts = new Set(sends.map((sending) => sending.input.text))
  return [...found.values()]
    .filter((message) => !texts.has(message.text))
    .map((message) => `[LOG-4] nobody sent ${message.id}: "${message.text}"`)
}

/** An acknowledged stop is final: the turn ended as stopped, and no event of it follows. */
function checkStop(turn: string, log: readonly RawEvent[]): string[] {
  const wrong: string[] = []
  let end: number | undefined
  for (const { seq, event } of log) {
    if (event.type === "turns" && event.key === turn && event.value.endedAt !== null) {
      if (event.value.state !== "stopped") wrong.push(`[TRN-4] ${turn} was stopped and ended ${event.value.state}`)
      end = seq
    }
    if (end !== undefined && event.type === "messages" && event.value.turn === turn)
      wrong.push(`[TRN-4] ${seq}: ${event.key} belongs to ${turn}, which was stopped at ${end}`)
  }
  return end === undefined ? [`[TRN-4] ${turn} was stopped and has no end`] : wrong
}

function textOf(row: QueueRow): string {
  return (row.payload as unknown as ComposerInput).source
}
