/**
 * Reads a request's body within its limit, chunked or not, whatever its Content-Length says. For unauthenticated
 * requests, the total of all bodies being read is limited too (SEC-15).
 */
import type { IncomingMessage } from "node:http"
import { Refusal, type RefusalCode, sizeWords } from "@parlor/protocol"
import type { Allowance } from "./allowance.ts"

/** How long a whole body may take to arrive. */
const BODY_TIMEOUT_MS = 30_000

export async function readBody(
  incoming: IncomingMessage,
  mediaTypes: readonly string[] | "any",
  maxBytes: number,
  { code, allowance }: { readonly code?: RefusalCode | undefined; readonly allowance?: Allowance | undefined } = {},
): Promise<Buffer> {
  checkBody(incoming, mediaTypes, maxBytes, code)
  const chunks = await collect(incoming, (bytes, more) => {
    if (bytes > maxBytes) throw tooLarge(maxBytes, code)
    allowance?.take(more)
  })
  const [first] = chunks
  return chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks)
}

/** Checks that need no body. */
export function checkBody(
  incoming: IncomingMessage,
  mediaTypes: readonly string[] | "any",
  maxBytes: number,
  code?: RefusalCode,
): void {
  checkMediaType(incoming, mediaTypes)
  const declared = Number(incoming.headers["content-length"] ?? 0)
  if (declared > maxBytes) throw tooLarge(maxBytes, code)
}

/** `check` throws if there are too many bytes; it gets the total and the new bytes. */
function collect(incoming: IncomingMessage, check: (bytes: number, more: number) => void): Promise<readonly Buffer[]> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const onData = (chunk: Buffer) => {
      bytes += chunk.length
      try {
        check(bytes, chunk.length)
        chunks.push(chunk)
      } catch (error) {
        leave(() => reject(error))
      }
    }
    const onEnd = () => leave(() => resolve(chunks))
    const onBroken = () => leave(() => reject(brokeOff()))
    // Stopping early must not close the connection: the refusal still has to be sent on it.
    const leave = (answer: () => void) => {
      clearTimeout(timer)
      incoming.off("data", onData).off("end", onEnd).off("error", onBroken).off("close", onBroken)
      incoming.on("error", () => {})
      if (!incoming.readableEnded) incoming.pause()
      answer()
    }
    const onLate = () =>
      leave(() => reject(new Refusal("request.timeout", "The request body took too long to arrive.")))
    const timer = setTimeout(onLate, BODY_TIMEOUT_MS)
    incoming.on("data", onData).on("end", onEnd).on("error", onBroken).on("close", onBroken)
  })
}

/** Changes require a media type that an HTML form cannot send, so that another site cannot make them (SEC-3). */
function checkMediaType(incoming: IncomingMessage, mediaTypes: readonly string[] | "any"): void {
  const encoding = incoming.headers["content-encoding"]
  if (encoding !== undefined && encoding !== "identity")
    throw new Refusal("request.encoding", `Send the body uncompressed, without Content-Encoding: ${encoding}.`)
  const type = incoming.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase() ?? ""
  if (mediaTypes !== "any" && !mediaTypes.includes(type))
    throw new Refusal("request.media-type", `Send ${mediaTypes[0]}${type === "" ? "" : `, not ${type}`}.`)
}

export function tooLarge(maxBytes: number, code: RefusalCode = "request.too-large"): Refusal {
  return new Refusal(code, `The body is too large. The maximum is ${sizeWords(maxBytes)}.`)
}

export function brokeOff(): Refusal {
  return new Refusal("request.http", "The connection closed before the whole body arrived.")
}
