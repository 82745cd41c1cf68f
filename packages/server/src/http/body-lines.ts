/**
 * Streams a request body as lines: memory holds one line and what the socket has read ahead. Backpressure stops the
 * sender until the previous line was handled (LOG-28).
 */
import { createHash } from "node:crypto"
import type { IncomingMessage } from "node:http"
import { limits, Refusal } from "@parlor/protocol"
import { brokeOff, checkBody, tooLarge } from "./body.ts"
import { checkShape, decodeText } from "./json.ts"

/** How long a sender may send nothing. */
const STALL_MS = 30_000
const NEWLINE = 0x0a

export type BodyLines = { readonly lines: AsyncIterable<string>; readonly digest: () => string }

export function bodyLines(incoming: IncomingMessage, mediaTypes: readonly string[]): BodyLines {
  checkBody(incoming, mediaTypes, limits.importBytes)
  const hash = createHash("sha256")
  let begun = false
  const lines = {
    [Symbol.asyncIterator]() {
      if (begun) throw new Refusal("conversation.contended", "The body was already read. Send the request again.")
      begun = true
      return linesOf(incoming, (chunk) => hash.update(chunk))
    },
  }
  return { lines, digest: () => hash.copy().digest("base64url") }
}

async function* linesOf(incoming: IncomingMessage, read: (chunk: Buffer) => void): AsyncGenerator<string> {
  let pieces: Buffer[] = []
  let length = 0
  let count = 0
  const add = (piece: Buffer) => {
    pieces.push(piece)
    length += piece.length
    if (length > limits.importLineBytes || count >= limits.importLines)
      throw new Refusal("import.invalid", `Line ${count + 1} is too long, or there are too many lines.`, `/${count}`)
  }
  const take = (): string => {
    const line = decodeText(pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces, length))
    checkShape(line, limits.importDepth, `/${count}`)
    pieces = []
    length = 0
    count += 1
    return line
  }
  for await (const chunk of chunksOf(incoming)) {
    read(chunk)
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      add(chunk.subarray(start, end))
      yield take()
      start = end + 1
    }
    if (start < chunk.length) add(chunk.subarray(start))
  }
  if (length > 0) yield take()
}

async function* chunksOf(incoming: IncomingMessage): AsyncGenerator<Buffer> {
  // Stopping early must not close the connection: the refusal still has to be sent on it.
  const chunks = incoming.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>
  let bytes = 0
  for (;;) {
    const next = await inTime(chunks.next().catch(() => Promise.reject(brokeOff())))
    if (next.done) return
    bytes += next.value.length
    if (bytes > limits.importBytes) throw tooLarge(limits.importBytes)
    yield next.value
  }
}

async function inTime<T>(arriving: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Refusal("request.timeout", "The body stopped arriving.")), STALL_MS)
  })
  try {
    return await Promise.race([arriving, late])
  } finally {
    clearTimeout(timer)
  }
}
