/**
 * Catch-up and long-poll reads of a stream, and its HEAD: the Durable Streams protocol over the log (LOG-6, LOG-7).
 *
 * A response is a slice of the log between two offsets and never changes, so its ETag is made of them.
 */
import type { Clock, Runtime } from "@parlor/core"
import {
  fitsOffset,
  formatOffset,
  limits,
  NOW_OFFSET,
  parseOffset,
  Refusal,
  START_OFFSET,
  type StoredChange,
} from "@parlor/protocol"
import type { Answer } from "../http/answer.ts"
import { nextCursor } from "./cursor.ts"
import { bodyOf, bodyPieces, isJson, type Source, type State } from "./source.ts"

const LONG_POLL_MS = 20_000
const BOUNDS: { readonly count: number; readonly bytes: number } = {
  count: limits.readPageEvents,
  bytes: limits.readPageBytes,
}
const ONE = { count: 1, bytes: 1 }
const LIVE_HEADERS = { "cache-control": "no-store" }

export type StreamQuery = {
  readonly offset?: string | undefined
  readonly cursor?: string | undefined
  readonly view: "log" | "state"
  readonly messages: number
}

export type StreamAnswer = {
  readonly status: 200 | 204 | 304
  readonly headers: Record<string, string>
  readonly body: Answer["body"]
}

export type Reading = {
  readonly runtime: Pick<Runtime, "events" | "subscribe">
  readonly clock: Clock
  readonly longPollMs?: number
}

/** A position in the log: after the event with that number. */
export type Start = { readonly seq: number; readonly offset: string }

export async function readHead(reading: Reading, source: Source): Promise<StreamAnswer> {
  const tail = await tailOf(reading, source)
  return { status: 200, headers: { ...LIVE_HEADERS, ...common(source, tail, tail.seq) }, body: null }
}

export async function readCatchUp(
  reading: Reading,
  source: Source,
  query: StreamQuery,
  ifNoneMatch: string | undefined,
): Promise<StreamAnswer> {
  const state = await firstState(source, query)
  if (state) return stateAnswer(source, state)
  const from = await startOf(reading, source, query.offset ?? START_OFFSET)
  const { head, changes } = await page(reading, source, from.seq)
  const last = endOf(changes) ?? from
  const atTail = query.offset === NOW_OFFSET
  const headers = {
    ...common(source, last, head),
    "cache-control": atTail ? "no-store" : "private, max-age=0, must-revalidate",
  }
  if (atTail) return { status: 200, headers, body: bodyOf(source, []) }
  const etag = `"${source.stream}${source.variant ?? ""}:${from.seq}:${last.offset}${source.closed?.() && last.seq === head ? ":closed" : ""}"`
  if (ifNoneMatch?.split(",").some((tag) => tag.trim() === etag))
    return { status: 304, headers: { ...headers, etag }, body: null }
  return { status: 200, headers: { ...headers, etag }, body: bodyOf(source, changes) }
}

export async function readLongPoll(
  reading: Reading,
  source: Source,
  query: StreamQuery,
  { signal, enter }: { readonly signal: AbortSignal; readonly enter: () => Promise<() => void> },
): Promise<StreamAnswer> {
  const offset = liveOffset(query)
  const cursor = () => ({ "stream-cursor": String(nextCursor(reading.clock.now(), query.cursor)) })
  const leave = await enter()
  const state = await firstState(source, query)
  if (state) return stateAnswer(source, state, cursor())
  const from = await startOf(reading, source, offset)
  const news = waitForNews(reading, source, signal)
  try {
    let found = await page(reading, source, from.seq)
    if (found.changes.length === 0 && !source.closed?.()) {
      leave()
      await news.arrived
      await enter()
      found = await page(reading, source, from.seq)
    }
    const last = endOf(found.changes) ?? from
    const headers = { ...LIVE_HEADERS, ...common(source, last, found.head), ...cursor() }
    if (found.changes.length === 0) return { status: 204, headers, body: null }
    return { status: 200, headers, body: bodyOf(source, found.changes) }
  } finally {
    news.cancel()
  }
}

/** The initial rows, for a reader that requests the state. */
export async function firstState(source: Source, query: StreamQuery): Promise<State | undefined> {
  if (source.lens !== undefined && (query.offset ?? START_OFFSET) !== START_OFFSET)
    throw new Refusal(
      "offset.gone",
      "What is shared is always read from its current state. Start over from -1.",
      "offset",
    )
  if (query.view !== "state" || (query.offset ?? START_OFFSET) !== START_OFFSET) return undefined
  return source.state?.(query.messages)
}

export function liveOffset(query: StreamQuery): string {
  if (query.offset === undefined) throw new Refusal("offset.invalid", "A live read needs an offset.", "offset")
  return query.offset
}

/**
 * The position to read after. An offset that is not of this history is gone: its reader starts over (LOG-20). An
 * offset whose event is no longer stored cannot be checked, and is accepted.
 */
export async function startOf(reading: Reading, source: Pick<Source, "stream">, offset: string): Promise<Start> {
  const seq = parseOffset(offset)
  if (seq === undefined) throw new Refusal("offset.invalid", `"${offset}" is not a valid offset.`, "offset")
  if (seq === 0) return { seq, offset: formatOffset(0) }
  if (seq === "now") return tailOf(reading, source)
  const { head, changes } = await page(reading, source, seq - 1, ONE)
  const event = changes[0]?.seq === seq ? changes[0] : undefined
  if (seq > head || (event !== undefined && !fitsOffset(offset, event.txid)))
    throw new Refusal("offset.gone", "The stream was restored from a backup. Start over from -1.", "offset")
  return { seq, offset: formatOffset(seq, event?.txid) }
}

async function tailOf(reading: Reading, source: Pick<Source, "stream">): Promise<Start> {
  const { head } = await page(reading, source, Number.MAX_SAFE_INTEGER, ONE)
  if (head === 0) return { seq: 0, offset: formatOffset(0) }
  const last = (await page(reading, source, head - 1, ONE)).changes[0]
  return { seq: head, offset: formatOffset(head, last?.seq === head ? last.txid : undefined) }
}

function endOf(changes: readonly StoredChange[]): Start | undefined {
  const last = changes.at(-1)
  return last && { seq: last.seq, offset: formatOffset(last.seq, last.txid) }
}

export async function page(
  reading: Reading,
  source: Pick<Source, "stream">,
  after: number,
  bounds: typeof BOUNDS = BOUNDS,
) {
  const found = await reading.runtime.events(source.stream, after, bounds)
  if (found === undefined) throw new Refusal("conversation.unknown", "There is no such stream.")
  return found
}

function stateAnswer(source: Source, state: State, more: Record<string, string> = {}): StreamAnswer {
  const headers = { ...LIVE_HEADERS, ...common(source, { seq: state.head, offset: state.offset }, state.head), ...more }
  return { status: 200, headers, body: bodyPieces(source, state) }
}

function common(source: Source, last: Start, head: number): Record<string, string> {
  return {
    "content-type": isJson(source) ? "application/json" : source.contentType,
    "stream-next-offset": last.offset,
    ...(last.seq >= head ? { "stream-up-to-date": "true" } : {}),
    ...(last.seq >= head && source.closed?.() ? { "stream-closed": "true" } : {}),
  }
}

function waitForNews(reading: Reading, source: Source, signal: AbortSignal) {
  let done = () => {}
  const arrived = new Promise<void>((resolve) => {
    done = resolve
  })
  const unsubscribe = reading.runtime.subscribe(source.stream, done, { isPerson: source.lens === undefined })
  const cancelTimer = reading.clock.after(reading.longPollMs ?? LONG_POLL_MS, done)
  signal.addEventListener("abort", done, { once: true })
  const cancel = () => {
    unsubscribe()
    cancelTimer()
    signal.removeEventListener("abort", done)
  }
  return { arrived, cancel }
}
