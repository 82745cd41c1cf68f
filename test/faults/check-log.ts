/**
 * Invariants of the log of one conversation, whatever the clients did. Pure.
 *
 * Each check gets the whole log, in order, and returns the violations it found.
 */
import type { MessageRow, StatusRow, TurnRow } from "@parlor/protocol"
import type { RawEvent } from "./raw-events.ts"

export function checkLog(log: readonly RawEvent[]): string[] {
  return [...checkNumbers(log), ...checkTurns(log), ...checkTexts(log), ...checkMessages(log)]
}

/** After everything had time to finish, nothing may be left open. */
export function checkRest(log: readonly RawEvent[]): string[] {
  const wrong: string[] = []
  const status = log.findLast((raw) => raw.event.type === "status")?.event.value as StatusRow | undefined
  if (status !== undefined && (status.state !== "idle" || status.turn !== null))
    wrong.push(`[QUE-6] it rests as ${status.state}, turn ${status.turn}`)
  const open = new Map<string, string>()
  for (const { event } of log) {
    if (event.type === "turns") open.set(event.key, event.value.state)
    if (event.type === "messages") open.set(event.key, event.value.state)
    if (event.type === "queue") open.set(event.key, event.headers.operation === "delete" ? "gone" : "queued")
  }
  for (const [key, state] of open)
    if (state === "running" || state === "streaming" || state === "queued")
      wrong.push(`[QUE-14] ${key} is left ${state}`)
  return wrong
}

function checkNumbers(log: readonly RawEvent[]): string[] {
  const index = log.findIndex((raw, i) => raw.seq !== i + 1)
  return index < 0 ? [] : [`[LOG-1] the event at place ${index + 1} has number ${log[index]?.seq}`]
}

/** One turn at a time, each with one start and one end, and the status names the running one. */
function checkTurns(log: readonly RawEvent[]): string[] {
  const wrong: string[] = []
  const ended = new Set<string>()
  const answered = new Set<string>()
  let open: string | null = null
  for (const { seq, event } of log) {
    if (event.type === "status" && event.value.turn !== open)
      wrong.push(`[TRN-2] ${seq}: the status names turn ${event.value.turn} while ${open} runs`)
    if (event.type !== "turns") continue
    const turn: TurnRow = event.value
    if (event.headers.operation === "insert") {
      if (open !== null) wrong.push(`[TRN-1] ${seq}: turn ${turn.id} starts while ${open} runs`)
      if (ended.has(turn.id)) wrong.push(`[TRN-1] ${seq}: turn ${turn.id} starts again`)
      if (answered.has(turn.message)) wrong.push(`[QUE-14] ${seq}: ${turn.message} starts a second turn`)
      answered.add(turn.message)
      open = turn.id
    } else if (turn.id !== open) wrong.push(`[TRN-1] ${seq}: turn ${turn.id} changes while ${open} runs`)
    if (turn.endedAt === null) continue
    ended.add(turn.id)
    open = null
  }
  return wrong
}

/** The stored row has exactly the text of the streamed deltas. */
function checkTexts(log: readonly RawEvent[]): string[] {
  const wrong: string[] = []
  const streamed = new Map<string, string[]>()
  const counts = new Map<string, number>()
  const over = new Set<string>()
  for (const { seq, event } of log) {
    if (isAskedAgain(event) && over.delete(event.key)) {
      streamed.delete(event.key)
      for (const place of [...counts.keys()]) if (place.startsWith(`${event.key}/`)) counts.delete(place)
    }
    if (event.type === "deltas") {
      const { message, part, n, text } = event.value
      if (over.has(message)) wrong.push(`[TRN-5] ${seq}: text for ${message}, which had ended`)
      const place = `${message}/${part}`
      if (n !== (counts.get(place) ?? 0)) wrong.push(`[LOG-10] ${seq}: piece ${n} of ${place}`)
      counts.set(place, n + 1)
      const texts = streamed.get(message) ?? []
      streamed.set(message, texts)
      texts[part] = (texts[part] ?? "") + text
    }
    if (event.type !== "messages" || event.value.state === "streaming") continue
    over.add(event.key)
    for (const [part, text] of (streamed.get(event.key) ?? []).entries())
      if (text !== undefined && text !== textAt(event.value, part))
        wrong.push(`[TRN-5] ${seq}: ${event.key} was streamed as "${text}" and kept as "${textAt(event.value, part)}"`)
  }
  return wrong
}

/** A truncated step is repeated: its row starts again with the first new text (TRN-18). */
function isAskedAgain(event: RawEvent["event"]): boolean {
  return event.type === "messages" && event.headers.operation === "update" && event.value.state === "streaming"
}

/** Messages appear once, in increasing order, and do not change after their end, or their turn's end if truncated. */
function checkMessages(log: readonly RawEvent[]): string[] {
  const wrong: string[] = []
  const states = new Map<string, string>()
  const cut = new Map<string, string>()
  let highest = 0
  for (const { seq, event } of log) {
    if (event.type === "turns" && event.value.endedAt !== null) cut.delete(event.key)
    if (event.type !== "messages") continue
    const row: MessageRow = event.value
    const before = states.get(row.id)
    if (event.headers.operation === "insert") {
      if (before !== undefined) wrong.push(`[QUE-14] ${seq}: message ${row.id} comes twice`)
      if (row.ord <= highest) wrong.push(`[LOG-27] ${seq}: message ${row.id} has number ${row.ord} after ${highest}`)
      highest = Math.max(highest, row.ord)
      const left = row.role === "agent" ? cut.get(row.turn ?? "") : undefined
      if (left !== undefined) wrong.push(`[TRN-18] ${seq}: ${row.id} comes after ${left}, which was cut off and stays`)
    } else if (before !== "streaming" && cut.get(row.turn ?? "") !== row.id)
      wrong.push(`[TRN-5] ${seq}: message ${row.id} changes after it was ${before}`)
    states.set(row.id, row.state)
    if (row.turn !== null && row.state === "truncated") cut.set(row.turn, row.id)
    else if (row.turn !== null && cut.get(row.turn) === row.id) cut.delete(row.turn)
  }
  return wrong
}

function textAt(message: MessageRow, index: number): string | undefined {
  const part = message.parts[index]
  return part?.type === "text" || part?.type === "reasoning" ? part.text : undefined
}
