/**
 * Catch-up and long-poll reads of a stream, and its HEAD: the Durable Streams protocol over the log (LOG-6, LOG-7).
 *
 * An answer is a slice of the log between two offsets and never changes, so its ETag is made of them.
 */
import type { Clock, Runtime } from "@parlor/core"
import { formatOffset, limits, NOW_OFFSET, parseOffset, Refusal, START_OFFSET } from "@parlor/protocol"
import { nextCursor } from "./cursor.ts"
import { bodyOf, isJson, type Source, type State } from "./source.ts"

const LONG_POLL_MS = 20_000
const BOUNDS = { count: limits.readPageEvents, bytes: limits.readPageBytes }
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
  readonly body: string | Uint8Array<ArrayBuffer> | null
}

export type Reading = {
  readonly runtime: Pick<Runtime, "events" | "subscribe">
  readonly clock: Clock
  readonly longPollMs?: number
}

export async function readHead(reading: Reading, source: Source): Promise<StreamAnswer> {
  const { head } = await page(reading, source, Number.MAX_SAFE_INTEGER)
  return { status: 200, headers: { ...LIVE_HEADERS, ...common(source, head, head) }, body: null }
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
  const { head, changes } = await page(reading, source, from)
  const last = changes.at(-1)?.seq ?? from
  const atTail = query.offset === NOW_OFFSET
  const headers = {
    ...common(source, last, head),
    "cache-control": atTail ? "no-store" : "private, max-age=0, must-revalidate",
  }
  if (atTail) return { status: 200, headers, body: bodyOf(source, []) }
  const etag = `"${source.stream}:${from}:${last}${source.closed?.() && last === head ? ":closed" : ""}"`
  if (ifNoneMatch?.split(",").some((tag) => tag.trim() === etag))
    return { status: 304, headers: { ...headers, etag }, body: null }
  return { status: 200, headers: { ...headers, etag }, body: bodyOf(source, changes) }
}

export async function readLongPoll(
  reading: Reading,
  source: Source,
  query: StreamQuery,
  signal: AbortSignal,
): Promise<StreamAnswer> {
  const offset = liveOffset(query)
  const cursor = () => ({ "stream-cursor": String(nextCursor(reading.clock.now(), query.cursor)) })
  const state = await firstState(source, query)
  if (state) return stateAnswer(source, state, cursor())
  const from = await startOf(reading, source, offset)
  const news = waitForNews(reading, source, signal)
  try {
    let found = await page(reading, source, from)
    if (found.changes.length === 0 && !source.closed?.()) {
      await news.arrived
      found = await page(reading, source, from)
    }
    const last = found.changes.at(-1)?.seq ?? from
    const headers = { ...LIVE_HEADERS, ...common(source, last, found.head), ...cursor() }
    if (found.changes.length === 0) return { status: 204, headers, body: null }
    return { status: 200, headers, body: bodyOf(source, found.changes) }
  } finally {
    news.cancel()
  }
}

/** The rows to start from, for a reader that asks for the state and has nothing yet. */
export async function firstState(source: Source, query: StreamQuery): Promise<State | undefined> {
  if (query.view !== "state" || (query.offset ?? START_OFFSET) !== START_OFFSET) return undefined
  return source.state?.(query.messages)
}

export function liveOffset(query: StreamQuery): string {
  if (query.offset === undefined) throw new Refusal("offset.invalid", "A live read needs an offset.", "offset")
  return query.offset
}

/** The number to read after. An offset from the future is nobody's. */
export async function startOf(reading: Reading, source: Source, offset: string): Promise<number> {
  const parsed = parseOffset(offset)
  if (parsed === undefined) throw new Refusal("offset.invalid", `"${offset}" is not an offset.`, "offset")
  if (parsed === 0) return 0
  const { head } = await page(reading, source, Number.MAX_SAFE_INTEGER)
  if (parsed === "now") return head
  if (parsed > head) throw new Refusal("offset.invalid", `The stream ends at ${formatOffset(head)}.`, "offset")
  return parsed
}

export async function page(reading: Reading, source: Source, after: number) {
  const found = await reading.runtime.events(source.stream, after, BOUNDS)
  if (found === undefined) throw new Refusal("conversation.unknown", "There is no such stream.")
  return found
}

function stateAnswer(source: Source, state: State, more: Record<string, string> = {}): StreamAnswer {
  const headers = { ...LIVE_HEADERS, ...common(source, state.head, state.head), ...more }
  return { status: 200, headers, body: bodyOf(source, state.changes) }
}

function common(source: Source, last: number, head: number): Record<string, string> {
  return {
    "content-type": isJson(source) ? "application/json" : source.contentType,
    "stream-next-offset": formatOffset(last),
    ...(last >= head ? { "stream-up-to-date": "true" } : {}),
    ...(last >= head && source.closed?.() ? { "stream-closed": "true" } : {}),
  }
}

function waitForNews(reading: Reading, source: Source, signal: AbortSignal) {
  let done = () => {}
  const arrived = new Promise<void>((resolve) => {
    done = resolve
  })
  const unsubscribe = reading.runtime.subscribe(source.stream, done)
  const cancelTimer = reading.clock.after(reading.longPollMs ?? LONG_POLL_MS, done)
  signal.addEventListener("abort", done, { once: true })
  const cancel = () => {
    unsubscribe()
    cancelTimer()
    signal.removeEventListener("abort", done)
  }
  return { arrived, cancel }
}
