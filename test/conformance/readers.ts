/** Readers of a stream, one per transport, that keep the rows as they came. */
import { readChanges } from "@parlor/protocol"
import { rawEvents } from "../faults/raw-events.ts"

export type Place = { readonly url: string; readonly headers: Readonly<Record<string, string>> }

/** Events as they stood in an answer, and where to go on. */
export type Read = { readonly events: string; readonly next: string; readonly upToDate: boolean }

export async function catchUp(place: Place, offset: string): Promise<Read> {
  return readOf(offset, await get(place, { offset }))
}

export async function longPoll(place: Place, offset: string, signal?: AbortSignal): Promise<Read> {
  return readOf(offset, await get(place, { offset, live: "long-poll" }, signal))
}

/** Everything up to the tail. */
export async function readAll(place: Place, offset = "-1"): Promise<Read> {
  const reads: Read[] = []
  for (let next = offset; ; ) {
    const read = await catchUp(place, next)
    reads.push(read)
    if (read.upToDate) return joined(reads)
    next = read.next
  }
}

/** Follows by server-sent events. */
export async function* follow(place: Place, offset: string, signal: AbortSignal): AsyncGenerator<Read> {
  const response = await get(place, { offset, live: "sse" }, signal)
  if (!response.ok || response.body === null) throw new Error(`${response.status}: ${await response.text()}`)
  yield* readsOf(response.body)
}

/**
 * The reads in the bytes of an event stream. One is yielded when its control event has come; what comes without is lost
 * with the connection, as it would be to any reader.
 */
export async function* readsOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Read> {
  let events = ""
  for await (const { event, data } of framesOf(bytes)) {
    if (event === "data") events = withAllHeaders(data)
    else {
      const control = JSON.parse(data) as { streamNextOffset: string; upToDate?: boolean }
      yield { events, next: control.streamNextOffset, upToDate: control.upToDate ?? false }
      events = ""
    }
  }
}

/** The events of several reads, one after another, with the commas a single answer would have. */
export function joined(reads: readonly Read[]): Read {
  const last = reads.at(-1)
  return {
    events: reads.flatMap((read) => (read.events === "" ? [] : [read.events])).join(","),
    next: last?.next ?? "-1",
    upToDate: last?.upToDate ?? false,
  }
}

export function parsed<T>(read: Read): T[] {
  return readChanges(`[${read.events}]`) as unknown as T[]
}

export function get(place: Place, query: Record<string, string>, signal?: AbortSignal): Promise<Response> {
  const url = new URL(place.url)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return fetch(url, { headers: place.headers, ...(signal === undefined ? {} : { signal }) })
}

async function readOf(offset: string, response: Response): Promise<Read> {
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
  return {
    events: response.status === 204 ? "" : withAllHeaders(await response.text()),
    next: response.headers.get("stream-next-offset") ?? offset,
    upToDate: response.headers.get("stream-up-to-date") === "true",
  }
}

async function* framesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<{ event: string; data: string }> {
  const decoder = new TextDecoder()
  let text = ""
  for await (const chunk of bytes) {
    text += decoder.decode(chunk, { stream: true })
    const frames = text.split("\n\n")
    text = frames.pop() ?? ""
    for (const frame of frames) {
      const [first = "", second = ""] = frame.split("\n")
      if (first.startsWith("event: ")) yield { event: first.slice(7), data: second.slice(5) }
    }
  }
}

/** With all the headers, which depend on where a response or frame begins. */
function withAllHeaders(array: string): string {
  return rawEvents(array)
    .map(({ text }) => text)
    .join(",")
}

/** A reader that stays connected, in the background, until it is stopped or cut. */
export function record(place: Place, offset = "-1") {
  const abort = new AbortController()
  const reads: Read[] = []
  const run = async () => {
    for await (const read of follow(place, offset, abort.signal)) reads.push(read)
  }
  run().catch(() => {})
  return { reads, next: () => reads.at(-1)?.next ?? offset, stop: () => abort.abort() }
}
