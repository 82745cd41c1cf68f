/** A stream route's answer: HEAD, catch-up, long-poll or server-sent events. */
import type { ServerResponse } from "node:http"
import type { Answer } from "../http/answer.ts"
import { type Followers, type Reader, whenClosed } from "./followers.ts"
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

/** Undefined when the answer is being written to the socket itself. */
export async function answerStream(
  streams: Reading & { readonly followers: Followers },
  source: Source,
  call: StreamCall,
  transport: Transport,
): Promise<Answer | undefined> {
  const { query } = call
  if (transport.method === "HEAD") return answerOf(await readHead(streams, source), transport.headers)
  if (query.live === "sse") {
    await streams.followers.follow(source, query, transport.out, call.caller, { ...transport.headers })
    return undefined
  }
  if (query.live === "long-poll") {
    const { out } = transport
    const left = new AbortController()
    const end = () => left.abort()
    whenClosed(out, end)
    const poll = { keepAlive() {}, cut: () => void out.destroy(), end }
    const read = () => readLongPoll(streams, source, query, left.signal)
    return answerOf(await streams.followers.during(poll, call.caller, read), transport.headers)
  }
  return answerOf(await readCatchUp(streams, source, query, call.header("if-none-match")), transport.headers)
}

function answerOf(answer: StreamAnswer, headers: Readonly<Record<string, string>>): Answer {
  return { ...answer, headers: { ...headers, ...answer.headers } }
}
