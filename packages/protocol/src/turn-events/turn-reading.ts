/**
 * Reads a conversation's log into turn events.
 *
 *   turn-started ─▶ step-started ─▶ text, tools, asks ─▶ step-ended ─┬─▶ step-started …
 *                          failed, interrupted ─▶ attempt-reset ─────┘
 *                                                                    └─▶ turn-ended
 *
 * The events are a function of the changes alone, so every reader of the same log gets the same ones, with the same
 * offsets. To resume inside a turn, read on from the offset in the turn's `began` and drop everything before the
 * position to resume from: `turnEventsAfter` does that.
 *
 * A message whose deltas are no longer in the log (LOG-36) yields its text in one delta. A reader that resumes among
 * dropped deltas has an unknown part of that text: it is told to discard the step (`attempt-reset`), which then follows
 * from its start.
 */
import type { ChangeEvent } from "../change.ts"
import type { MessageId, TurnId } from "../ids.ts"
import { formatOffset, parseOffset } from "../offset.ts"
import type { AskRow } from "../rows/ask.ts"
import type { DeltaRow, MessageRow, Part, TextPart, ToolPart } from "../rows/message.ts"
import type { StatusRow } from "../rows/status.ts"
import type { TurnRow } from "../rows/turn.ts"
import type { EndedState, TurnEvent, TurnEventBody } from "./turn-event.ts"

/** The state of a reader: the running turn and its newest step. Mutated by `readTurnEvents`. */
export type TurnReading = {
  turn: OpenTurn | undefined
  /** The last change that was read. */
  last: { readonly seq: number; readonly type: string } | undefined
  /** How many deltas are missing before it, since the last text. */
  dropped: number
}

type OpenTurn = {
  readonly id: TurnId
  readonly question: MessageId
  step: OpenStep | undefined
  attempt: number | null
  readonly asks: Set<string>
}

type OpenStep = {
  readonly message: MessageId
  readonly author: string
  state: MessageRow["state"]
  /** How far each text was read, by part. */
  readonly texts: Map<number, OpenText>
  readonly tools: Map<string, ToolPart["state"]>
  notices: number
}

type OpenText = { readonly kind: TextPart["type"]; length: number; ended: boolean }

export function newTurnReading(): TurnReading {
  return { turn: undefined, last: undefined, dropped: 0 }
}

/** The events of one change of the log. Changes must be read in log order, starting before a turn begins. */
export function readTurnEvents(reading: TurnReading, change: ChangeEvent): readonly TurnEvent[] {
  const seq = seqOf(change.headers.offset)
  passChange(reading, { seq, type: change.type })
  const before = reading.turn?.id
  const bodies = bodiesOf(reading, change)
  const turn = reading.turn?.id ?? before
  if (bodies.length === 0 || turn === undefined) return none
  const early = change.type === "messages" ? ofDropped(reading, bodies) : nothing
  const { offset } = change.headers
  return [
    ...early.map((body, n) => ({ ...body, turn, offset: formatOffset(seq - 1), n })),
    ...bodies.slice(early.length).map((body, n) => ({ ...body, turn, offset, n })),
  ]
}

/** For a change that causes no events. A reader that is not told of it takes it for a dropped one. */
export function passChange(reading: TurnReading, change: { readonly seq: number; readonly type: string }): void {
  const { last } = reading
  if (last?.seq === change.seq) return
  // Directly after a turn's row, only its status row may be missing.
  const missing = last === undefined || last.type === "turns" ? 0 : change.seq - last.seq - 1
  if (missing > 0 && Number.isFinite(missing)) reading.dropped += missing
  reading.last = change
}

/** All events of these changes that come after `after`; `n` is the last event seen at that offset, if any. */
export function* turnEventsAfter(
  changes: Iterable<ChangeEvent>,
  after?: { readonly offset: string; readonly n?: number },
): Generator<TurnEvent> {
  const reading = newTurnReading()
  let place = after === undefined ? 0 : seqOf(after.offset)
  for (const change of changes) {
    const isDropped = (reading.last?.seq ?? place) < place && seqOf(change.headers.offset) > place
    if (after !== undefined && isDropped) {
      yield* stepAgain(reading.turn, after)
      place = 0
    }
    for (const event of readTurnEvents(reading, change)) {
      const seq = seqOf(event.offset)
      if (seq > place || (seq === place && after?.n !== undefined && event.n > after.n)) yield event
    }
  }
}

/** Right after a position among dropped deltas: discards what the reader has of the open step. */
function stepAgain(
  turn: OpenTurn | undefined,
  { offset, n = -1 }: { readonly offset: string; readonly n?: number },
): readonly TurnEvent[] {
  const step = turn?.step
  if (turn === undefined || step === undefined || step.state !== "streaming") return none
  const { message, author } = step
  return [
    { type: "attempt-reset", message, turn: turn.id, offset, n: n + 1 },
    { type: "step-started", message, author, turn: turn.id, offset, n: n + 2 },
  ]
}

/**
 * A row may have the text of deltas that are no longer in the log. Up to its last text, its events are those of the last
 * of these deltas, so that the row's own events keep their numbers; its first text stands for all of them.
 */
function ofDropped(reading: TurnReading, bodies: readonly TurnEventBody[]): readonly TurnEventBody[] {
  const { dropped } = reading
  const texts = bodies.filter(({ type }) => type === "text-delta")
  if (dropped === 0 || texts.length === 0) return nothing
  reading.dropped = 0
  const deltas = dropped - texts.length + 1
  const early = bodies.slice(0, bodies.findLastIndex(({ type }) => type === "text-delta") + 1)
  return early.map((body) =>
    body.type === "text-delta" && body === texts[0] && deltas > 1 ? { ...body, deltas } : body,
  )
}

const none: readonly TurnEvent[] = []
const nothing: readonly TurnEventBody[] = []

function bodiesOf(reading: TurnReading, change: ChangeEvent): readonly TurnEventBody[] {
  if (change.headers.operation === "delete") return nothing
  switch (change.type) {
    case "turns":
      return readTurn(reading, change.value)
    case "messages":
      return readMessage(reading.turn, change.value, change.headers.operation === "insert")
    case "deltas":
      return readDelta(reading.turn, change.value)
    case "asks":
      return readAsk(reading.turn, change.value)
    case "status":
      return readStatus(reading.turn, change.value)
    default:
      return nothing
  }
}

function readTurn(reading: TurnReading, row: TurnRow): readonly TurnEventBody[] {
  const known = reading.turn?.id === row.id ? reading.turn : undefined
  if (isEnded(row.state)) {
    if (known === undefined) return nothing
    reading.turn = undefined
    // Uses the id from before this change: the state has no turn anymore.
    return [...endTexts(known.step), { type: "turn-ended", state: row.state, error: row.error, usage: row.usage }]
  }
  if (known !== undefined) return nothing
  const { message, agent, guest, guestsNext, startedAt } = row
  reading.dropped = 0
  reading.turn = { id: row.id, question: message, step: undefined, attempt: null, asks: new Set() }
  return [
    {
      type: "turn-started",
      message,
      agent,
      guest,
      guestsNext: guestsNext ?? [],
      compaction: row.compaction !== null,
      startedAt,
    },
  ]
}

function readMessage(turn: OpenTurn | undefined, row: MessageRow, isNew: boolean): readonly TurnEventBody[] {
  if (turn === undefined || row.turn !== turn.id) return nothing
  if (row.role === "person")
    return isNew && row.id !== turn.question ? [{ type: "steering-message", message: row }] : nothing
  const bodies: TurnEventBody[] = []
  const step = stepOf(turn, row, bodies)
  for (const [index, part] of row.parts.entries()) readPart(step, { index, part }, bodies)
  if (row.state === "streaming") return bodies
  bodies.push(...endTexts(step))
  if (step.state === "streaming") {
    step.state = row.state
    bodies.push({ type: "step-ended", message: row.id, state: row.state, usage: row.usage })
  }
  return bodies
}

/** The step of this message. A message not seen before begins a step, and so does one that is written again (TRN-18). */
function stepOf(turn: OpenTurn, row: MessageRow, bodies: TurnEventBody[]): OpenStep {
  const last = turn.step
  const isWrittenAgain = last?.message === row.id && last.state === "truncated" && row.state === "streaming"
  if (last?.message === row.id && !isWrittenAgain) return last
  bodies.push(...endTexts(last))
  if (last !== undefined && (last.state === "failed" || isWrittenAgain))
    bodies.push({ type: "attempt-reset", message: last.message })
  bodies.push({ type: "step-started", message: row.id, author: row.author })
  turn.step = {
    message: row.id,
    author: row.author,
    state: "streaming",
    texts: new Map(),
    tools: new Map(),
    notices: 0,
  }
  return turn.step
}

function readPart(
  step: OpenStep,
  { index, part }: { readonly index: number; readonly part: Part },
  bodies: TurnEventBody[],
): void {
  if (part.type === "text" || part.type === "reasoning") {
    const text = openText(step, index, part.type, bodies)
    addText(step, { index, text, added: part.text.slice(text.length) }, bodies)
  } else if (part.type === "tool") readTool(step, part, bodies)
  else if (part.type === "notice" && index >= step.notices) {
    bodies.push(...endTexts(step), { type: "notice", message: step.message, code: part.code, text: part.text })
    step.notices = index + 1
  }
}

function readTool(step: OpenStep, part: ToolPart, bodies: TurnEventBody[]): void {
  const { call, name, state } = part
  const { message } = step
  const known = step.tools.get(call)
  if (known === state) return
  if (known === undefined) {
    bodies.push(...endTexts(step), { type: "tool-input", message, call, name, input: part.input })
  }
  step.tools.set(call, state)
  if (state === "waiting") return
  if (state !== "started")
    bodies.push({ type: "tool-output", message, call, name, state, output: part.output, error: part.error })
  else bodies.push({ type: "tool-started", message, call, name })
}

function readDelta(turn: OpenTurn | undefined, delta: DeltaRow): readonly TurnEventBody[] {
  const step = turn?.step
  if (step === undefined || step.message !== delta.message) return nothing
  const bodies: TurnEventBody[] = []
  const text = openText(step, delta.part, delta.kind, bodies)
  addText(step, { index: delta.part, text, added: delta.text }, bodies)
  return bodies
}

function openText(step: OpenStep, index: number, kind: TextPart["type"], bodies: TurnEventBody[]): OpenText {
  const known = step.texts.get(index)
  if (known !== undefined) return known
  bodies.push(...endTexts(step), { type: "text-started", message: step.message, part: index, kind })
  const text = { kind, length: 0, ended: false }
  step.texts.set(index, text)
  return text
}

function addText(
  { message }: OpenStep,
  { index, text, added }: { readonly index: number; readonly text: OpenText; readonly added: string },
  bodies: TurnEventBody[],
): void {
  if (added === "" || text.ended) return
  text.length += added.length
  bodies.push({ type: "text-delta", message, part: index, kind: text.kind, text: added })
}

/** A text ends when another part begins, and with its message. */
function endTexts(step: OpenStep | undefined): readonly TurnEventBody[] {
  if (step === undefined) return nothing
  const bodies: TurnEventBody[] = []
  for (const [part, text] of step.texts) {
    if (text.ended) continue
    text.ended = true
    bodies.push({ type: "text-ended", message: step.message, part, kind: text.kind })
  }
  return bodies
}

function readAsk(turn: OpenTurn | undefined, ask: AskRow): readonly TurnEventBody[] {
  if (turn === undefined || ask.turn !== turn.id) return nothing
  if (ask.state === "open") {
    if (turn.asks.has(ask.id)) return nothing
    turn.asks.add(ask.id)
    return [{ type: "ask-opened", ask }]
  }
  return turn.asks.delete(ask.id) ? [{ type: "ask-closed", ask }] : nothing
}

function readStatus(turn: OpenTurn | undefined, row: StatusRow): readonly TurnEventBody[] {
  if (turn === undefined || row.turn !== turn.id) return nothing
  const attempt = row.state === "retrying" ? (row.attempt ?? 1) : null
  if (attempt === turn.attempt) return nothing
  turn.attempt = attempt
  return attempt === null ? nothing : [{ type: "retrying", attempt, retryAt: row.retryAt, error: row.error }]
}

function isEnded(state: TurnRow["state"]): state is EndedState {
  return state === "done" || state === "stopped" || state === "failed" || state === "interrupted"
}

function seqOf(offset: string): number {
  const seq = parseOffset(offset)
  return seq === undefined || seq === "now" ? Number.POSITIVE_INFINITY : seq
}
