/** An answer as plain values, and how it is written out. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { pipeline, type Readable } from "node:stream"

export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | Readable | null
}

/** How much of a body that nobody wants is read, and for how long, so that its sender gets to see the answer. */
const DRAIN_BYTES = 64 * 1024 * 1024
const DRAIN_MS = 500

export function writeAnswer(incoming: IncomingMessage, out: ServerResponse, answer: Answer): void {
  const { status, headers, body } = answer
  if (out.destroyed) return
  if (!incoming.complete) out.once("finish", () => drain(incoming))
  if (body === null) {
    out.writeHead(status, headers).end()
  } else if (typeof body === "string" || body instanceof Uint8Array) {
    out.writeHead(status, { ...headers, "content-length": String(Buffer.byteLength(body)) })
    out.end(incoming.method === "HEAD" ? undefined : body)
  } else {
    out.writeHead(status, headers)
    if (incoming.method !== "HEAD") return void pipeline(body, out, () => {})
    body.destroy()
    out.end()
  }
}

/** Closing at once, with bytes still unread, would take the answer away from its reader. */
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
