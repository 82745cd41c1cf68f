/** The response of a stream route: HEAD, catch-up, long-poll or server-sent events. */
import type { ServerResponse } from "node:http"
import type { Answer } from "../http/answer.ts"
import type { Slots } from "../http/slots.ts"
import { whenClosed } from "../http/taken.ts"
import type { Followers, Reader } from "./followers.ts"
import { type Reading, readCatchUp, readHead, readLongPoll, type StreamAnswer, type StreamQuery } from "./read.ts"
import type { Source } from "./source.ts"

export type Transport = {
  readonly method: "GET" | "HEAD"
  readonly out: ServerResponse
  readonly headers: Readonly<Record<string, string>>
}

export type StreamCall = {
  readonly caller: Reader
  readonly query: StreamQuery & { readonly live?: "long-poll" | "sse" | undefined }
  readonly header: (name: string) => string | undefined
}

/** Undefined if the response is written to the socket directly. */
export async function answerStream(
  streams: Reading & { readonly followers: Followers; readonly heavy: Slots },
  source: Source,
  call: StreamCall,
  transport: Transport,
): Promise<Answer | undefined> {
  const { query } = call
  if (transport.method === "HEAD") return answerOf(await readHead(streams, source), transport.headers)
  if (query.live === "sse") {
    const from = resumed(query, call.header("last-event-id"))
    await streams.followers.follow(source, from, transport.out, call.caller, { ...transport.headers })
    return undefined
  }
  const { out } = transport
  // A page is buffered until its reader has read it: then the response closes and releases its place (SEC-12).
  const enter = () => streams.heavy.enter(call.caller, out)
  if (query.live === "long-poll") {
    const left = new AbortController()
    const end = () => left.abort()
    whenClosed(out, end)
    const poll = { keepAlive() {}, cut: () => void out.destroy(), end }
    const read = () => readLongPoll(streams, source, query, { signal: left.signal, enter })
    return answerOf(await streams.followers.during(poll, call.caller, read), transport.headers)
  }
  await enter()
  return answerOf(await readCatchUp(streams, source, query, call.header("if-none-match")), transport.headers)
}

/** An EventSource reconnects with the URL it began with, so the id of the last frame it received counts (API-19). */
function resumed<Q extends StreamQuery>(query: Q, lastEventId: string | undefined): Q {
  return lastEventId === undefined || lastEventId === "" ? query : { ...query, offset: lastEventId }
}

function answerOf(answer: StreamAnswer, headers: Readonly<Record<string, string>>): Answer {
  return { ...answer, headers: { ...headers, ...answer.headers } }
}
