/** A response written frame by frame: server-sent events of other protocols. */
import type { ServerResponse } from "node:http"
import { taken, whenClosed } from "../http/taken.ts"
import type { Followers, Reader } from "./followers.ts"
import { KEEP_ALIVE } from "./frames.ts"

/** Frames until the signal is aborted or the source ends. A later error is a frame too. */
export type EventAnswer = {
  readonly headers?: Readonly<Record<string, string>>
  readonly frames: (signal: AbortSignal) => AsyncIterable<string>
}

/** Counts as one of its reader's open streams, ends with the connection, and waits for a slow reader (LOG-13). */
export async function writeEvents(
  { headers = {}, frames }: EventAnswer,
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
  const open = {
    keepAlive: () => void (out.headersSent && !out.writableNeedDrain && out.write(KEEP_ALIVE)),
    cut: () => void out.destroy(),
    // Not ended cleanly: a client that sees its connection break requests the rest.
    end: () => void out.destroy(),
  }
  await followers.during(open, reader, async () => {
    out.writeHead(200, {
      ...to.headers,
      ...headers,
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache, no-store",
      "x-accel-buffering": "no",
    })
    out.flushHeaders()
    for await (const frame of frames(left.signal)) {
      if (out.destroyed) return
      if (!out.write(frame)) await taken(out)
    }
    out.end()
  })
}
