/** A stream route's answer: HEAD, catch-up, long-poll or server-sent events. */
import type { ServerResponse } from "node:http"
import type { Call } from "../services.ts"
import type { Followers } from "./followers.ts"
import { type Reading, readCatchUp, readHead, readLongPoll, type StreamAnswer } from "./read.ts"
import type { Source } from "./source.ts"

export type Transport = {
  readonly method: "GET" | "HEAD"
  readonly out: ServerResponse
  readonly headers: Readonly<Record<string, string>>
}

/** Undefined when the answer is being written to the socket itself. */
export async function answerStream(
  streams: Reading & { readonly followers: Followers },
  source: Source,
  call: Pick<Call<"followConversation">, "caller" | "query" | "header">,
  transport: Transport,
): Promise<Response | undefined> {
  const { query } = call
  const asked = { offset: query.offset, cursor: query.cursor, view: query.view, messages: query.messages }
  if (transport.method === "HEAD") return responseOf(await readHead(streams, source), transport.headers)
  if (query.live === "sse") {
    await streams.followers.follow(source, asked, transport.out, call.caller, { ...transport.headers })
    return undefined
  }
  if (query.live === "long-poll") {
    const left = new AbortController()
    transport.out.once("close", () => left.abort())
    return responseOf(await readLongPoll(streams, source, asked, left.signal), transport.headers)
  }
  return responseOf(await readCatchUp(streams, source, asked, call.header("if-none-match")), transport.headers)
}

function responseOf(answer: StreamAnswer, headers: Readonly<Record<string, string>>): Response {
  return new Response(answer.body, { status: answer.status, headers: { ...headers, ...answer.headers } })
}
