/** What the responses have in common that are written while they are made and read at their reader's pace. */
import type { ServerResponse } from "node:http"
import { taken, whenClosed } from "../http/taken.ts"
import type { Followers, Reader } from "./followers.ts"
import { KEEP_ALIVE } from "./frames.ts"

export type ResponseReader = {
  readonly out: ServerResponse
  readonly reader: Reader
  readonly followers: Followers
  readonly headers: Readonly<Record<string, string>>
}

/** No proxy may keep or collect server-sent events. */
export const UNBUFFERED = { "cache-control": "no-cache, no-store", "x-accel-buffering": "no" }

/**
 * Counts as one of its reader's open streams while `write` runs. `signal` is aborted when the client is gone, or may no
 * longer read. `takesComments`: whether a comment may be written now to keep the connection open.
 */
export async function whileRead(
  { out, reader, followers }: ResponseReader,
  takesComments: () => boolean,
  write: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const left = new AbortController()
  whenClosed(out, () => left.abort())
  const open = {
    keepAlive: () => void (takesComments() && !out.writableNeedDrain && out.write(KEEP_ALIVE)),
    cut: () => void out.destroy(),
    // Not ended cleanly: a client that sees its connection break knows that the response is not complete.
    end: () => void out.destroy(),
  }
  await followers.during(open, reader, () => write(left.signal))
}

/** Writes all pieces and ends the response, waiting for a slow reader (LOG-13). */
export async function writePieces(
  out: ServerResponse,
  pieces: AsyncIterable<string | Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  const together = corked(out)
  for await (const piece of pieces) {
    if (out.destroyed) return
    together()
    if (!out.write(piece)) await taken(out)
  }
  out.end()
}

/** Pieces that are ready at the same time are written at once: most of the cost of a piece is that of its write. */
function corked(out: ServerResponse): () => void {
  let isCorked = false
  return () => {
    if (isCorked) return
    isCorked = true
    out.cork()
    process.nextTick(() => {
      isCorked = false
      out.uncork()
    })
  }
}
