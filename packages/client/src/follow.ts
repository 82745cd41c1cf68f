/**
 * Follows a stream.
 *
 *   connecting ──answer──▶ live ──break──▶ connecting ──no answer──▶ offline ──pause──▶ connecting
 *                           │ ▲
 *         without a slot: read, pause, read (TAB-50)
 *
 * A connection may end at any time; the next one continues at the last position. Only a response that a retry
 * cannot change (401, 403, 404 …) ends it, with a `ParlorError`.
 *
 * Uses SSE over fetch, because `EventSource` cannot send the token in a header.
 */
import { type ChangeEvent, readChanges, START_OFFSET } from "@parlor/protocol"
import { chunksOf } from "./bytes.ts"
import { ParlorError } from "./error.ts"
import { type Advance, type Control, type Place, placeAt, withChanges, withControl } from "./place.ts"
import type { RequestOf } from "./request.ts"
import type { StreamSlot, StreamSlots } from "./slots.ts"
import { type ServerEvent, SseParser } from "./sse.ts"
import { backoff, type NextTry, openLine, pauseUntil, type Timing } from "./timing.ts"

export type Connection = "connecting" | "live" | "offline"

export type FollowOptions = {
  /** Where to start: `-1` for the beginning, `now`, or an offset from the server. */
  readonly offset?: string
  readonly signal?: AbortSignal
  /** `next` is null except while waiting for the next attempt. */
  readonly onConnection?: (connection: Connection, next: NextTry | null) => void
}

/** The result of one read. `upToDate` is known only from the server's control events. */
export type News = {
  readonly changes: readonly ChangeEvent[]
  readonly offset: string
  readonly upToDate: boolean | undefined
  /** These are current rows from the beginning, because the history that was read before no longer exists (LOG-20). */
  readonly startsOver?: boolean
}

/** Opens a connection to a stream. Both streams accept the same query. */
export type OpenStream = (request: RequestOf<"followFeed">) => Promise<Response>

type Source = {
  readonly open: OpenStream
  readonly slots?: StreamSlots | undefined
  readonly rows?: boolean
  /** A part of the log: every connection starts over with the current rows (SHR-5). */
  readonly partial?: boolean
}

/** Batches of changes in order, without gaps or repetitions. `offset` is the position after the last batch. */
export class Following implements AsyncIterable<readonly ChangeEvent[]> {
  readonly #news: AsyncGenerator<News>
  #offset: string

  constructor(news: AsyncGenerator<News>, offset: string) {
    this.#news = news
    this.#offset = offset
  }

  get offset(): string {
    return this.#offset
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly ChangeEvent[]> {
    for await (const { changes, offset } of this.#news) {
      this.#offset = offset
      if (changes.length > 0) yield changes
    }
  }
}

export async function* readStream(timing: Timing, source: Source, options: FollowOptions = {}): AsyncGenerator<News> {
  const { signal, onConnection } = options
  let place = placeAt(options.offset ?? START_OFFSET, source.rows, source.partial)
  const { slots } = source
  let failures = 0
  let startsOver = false
  /** Only paused: there was no slot, or another window took it. */
  let isPaused = false
  while (!signal?.aborted) {
    if (!isPaused) onConnection?.(failures > 1 ? "offline" : "connecting", null)
    const slot = await slots?.take()
    isPaused = slots !== undefined && slot === undefined
    let retryAfterMs: number | undefined
    try {
      for await (const advance of readOnce(timing, source.open, place, { ...options, slot, isBrief: isPaused })) {
        place = advance.place
        failures = 0
        yield { changes: advance.fresh, offset: place.offset, upToDate: advance.upToDate, startsOver }
        startsOver = false
      }
    } catch (error) {
      if (signal?.aborted) return
      isPaused = slot?.lost.aborted === true
      if (source.rows && isGone(error)) {
        place = placeAt(START_OFFSET, true)
        startsOver = true
      } else if (isFinal(error)) throw error
      if (error instanceof ParlorError) retryAfterMs = error.retryAfterMs
    } finally {
      slot?.release()
    }
    if (signal?.aborted) return
    startsOver ||= source.partial === true
    if (isPaused) await slots?.pause(signal)
    else {
      const connection = failures > 0 ? "offline" : "connecting"
      const waitMs = backoff(timing, failures, retryAfterMs)
      await pauseUntil(waitMs, signal, (next) => onConnection?.(connection, next))
      failures += 1
    }
  }
}

type Step = Advance & { readonly upToDate: boolean | undefined }

type ReadOptions = FollowOptions & {
  readonly slot: StreamSlot | undefined
  /** It ends when everything is read. */
  readonly isBrief: boolean
}

/** One connection, until it ends. Events before a gap are returned before the connection is dropped. */
async function* readOnce(timing: Timing, open: OpenStream, from: Place, options: ReadOptions): AsyncGenerator<Step> {
  const { slot, isBrief } = options
  const line = openLine(timing.silenceMs, options.signal)
  slot?.lost.addEventListener("abort", line.close)
  try {
    const view = from.rows ? "state" : undefined
    const query = { offset: from.offset, live: "sse", cursor: from.cursor, view } as const
    const response = await open({ query, signal: line.signal, headers: { accept: EVENT_STREAM } })
    if (!response.headers.get("content-type")?.startsWith(EVENT_STREAM)) throw new Error("not an event stream")
    options.onConnection?.("live", null)
    const parser = new SseParser()
    let place = from
    for await (const chunk of chunksOf(response.body)) {
      line.heard()
      for (const event of parser.push(chunk)) {
        const step = takeEvent(place, event)
        if (step === undefined) continue
        place = step.place
        if (step.fresh.length > 0 || step.upToDate !== undefined) yield step
        if (step.gap || (isBrief && step.upToDate)) return
      }
    }
  } finally {
    line.close()
  }
}

const EVENT_STREAM = "text/event-stream"

function takeEvent(place: Place, event: ServerEvent): Step | undefined {
  if (event.event === "data") return { ...withChanges(place, readChanges(event.data)), upToDate: undefined }
  if (event.event !== "control") return undefined
  const control = JSON.parse(event.data) as Control
  const advance = withControl(place, control)
  return { ...advance, upToDate: advance.gap ? undefined : control.upToDate === true }
}

/** The server's log is a different one: it was restored from a backup. */
export function isGone(error: unknown): boolean {
  return error instanceof ParlorError && (error.code === "offset.gone" || error.code === "offset.invalid")
}

/** The server rejected the request; a retry would be rejected too. */
function isFinal(error: unknown): boolean {
  return (
    error instanceof ParlorError && error.status >= 400 && error.status < 500 && !error.passing && error.status !== 429
  )
}
