/** A response as plain values, and how it is written: as fast as its reader reads (LOG-26). */
import type { IncomingMessage, ServerResponse } from "node:http"
import { setImmediate } from "node:timers/promises"
import { taken } from "./taken.ts"

type Pieces = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>

export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | Pieces | null
}

/** A longer body is written piece by piece. */
const PIECE_BYTES = 64 * 1024

/** How much of an unwanted body is read, and for how long, so that its sender receives the response. */
const DRAIN_BYTES = 64 * 1024 * 1024
const DRAIN_MS = 2_000

/** Resolves when everything was handed to the socket. Rejects if the reader stalls or a piece fails. */
export async function writeAnswer(incoming: IncomingMessage, out: ServerResponse, answer: Answer): Promise<void> {
  const { status, headers, body } = answer
  if (out.destroyed) return
  if (!incoming.complete) out.once("finish", () => drain(incoming))
  const isHead = incoming.method === "HEAD"
  if (body === null) {
    out.writeHead(status, headers).end()
  } else if (typeof body === "string" || body instanceof Uint8Array) {
    const bytes = typeof body === "string" && body.length > PIECE_BYTES ? Buffer.from(body) : body
    // Its length comes last: what is sent decides (0055 says why it is not a spread).
    out.writeHead(status, Object.assign({}, headers, { "content-length": String(Buffer.byteLength(bytes)) }))
    if (isHead || typeof bytes === "string" || bytes.length <= PIECE_BYTES) out.end(isHead ? undefined : bytes)
    else await writePieces(out, slices(bytes))
  } else {
    out.writeHead(status, headers)
    if (isHead) out.end()
    else await writePieces(out, body)
  }
}

/** One piece at a time: the next is produced after the reader has read this one, and after yielding to other requests. */
async function writePieces(out: ServerResponse, pieces: Pieces): Promise<void> {
  for await (const piece of pieces) {
    if (out.destroyed) return
    if (out.write(piece)) await setImmediate()
    else await taken(out)
  }
  out.end()
}

function* slices(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) yield bytes.subarray(start, start + PIECE_BYTES)
}

/** Closing immediately, with unread bytes, would reset the connection before the client has read the response. */
function drain(incoming: IncomingMessage): void {
  const { socket } = incoming
  if (incoming.complete || socket.destroyed) return
  let bytes = 0
  const close = () => {
    clearTimeout(timer)
    if (!incoming.complete) socket.destroySoon()
  }
  const timer = setTimeout(close, DRAIN_MS)
  incoming.on("data", (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > DRAIN_BYTES) close()
  })
  incoming.on("end", close).on("close", close).on("error", close).resume()
}
