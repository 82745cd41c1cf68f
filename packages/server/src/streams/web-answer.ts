/** A response made by a library as a web `Response`: JSON, or server-sent events. */
import type { ServerResponse } from "node:http"
import { taken, whenClosed } from "../http/taken.ts"
import type { Followers, Reader } from "./followers.ts"
import { KEEP_ALIVE } from "./frames.ts"

/** `signal` is aborted when the client is gone, or may no longer read. */
export type WebAnswer = {
  readonly respond: (to: { readonly signal: AbortSignal; readonly out: ServerResponse }) => Promise<Response>
}

const NOTHING: Iterable<Uint8Array> = []

/** Counts as one of its reader's open streams from before it is made, ends with the connection, and waits for a slow reader (LOG-13). */
export async function writeWebAnswer(
  { respond }: WebAnswer,
  to: {
    readonly out: ServerResponse
    readonly reader: Reader
    readonly followers: Followers
    readonly headers: Readonly<Record<string, string>>
  },
): Promise<void> {
  const { out, reader, followers } = to
  const left = new AbortController()
  whenClosed(out, () => left.abort())
  let isStream = false
  const open = {
    keepAlive: () => void (isStream && !out.writableNeedDrain && out.write(KEEP_ALIVE)),
    cut: () => void out.destroy(),
    // Not ended cleanly: a client that sees its connection break knows that the response is not complete.
    end: () => void out.destroy(),
  }
  await followers.during(open, reader, async () => {
    const response = await respond({ signal: left.signal, out })
    if (out.destroyed) return void response.body?.cancel().catch(() => {})
    const type = response.headers.get("content-type") ?? ""
    isStream = type.startsWith("text/event-stream")
    out.writeHead(response.status, {
      ...to.headers,
      ...(type === "" ? {} : { "content-type": type }),
      ...(isStream ? { "cache-control": "no-cache, no-store", "x-accel-buffering": "no" } : {}),
    })
    out.flushHeaders()
    for await (const chunk of response.body ?? NOTHING) {
      if (out.destroyed) return
      if (!out.write(chunk)) await taken(out)
    }
    out.end()
  })
}
