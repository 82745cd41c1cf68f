/**
 * Reads a request's body within its bounds, chunked or not, whatever its length header claims. Of strangers, the bytes of
 * all bodies that are being read are bounded too (SEC-15).
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

/** What can be told before any of it is read. */
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

/** `check` throws when there are too many: it is told how many there are now, and how many of them are new. */
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
    // Leaving early must not end the connection: the refusal still has to go out on it.
    const leave = (answer: () => void) => {
      clearTimeout(timer)
      incoming.off("data", onData).off("end", onEnd).off("error", onBroken).off("close", onBroken)
      incoming.on("error", () => {})
      if (!incoming.readableEnded) incoming.pause()
      answer()
    }
    const onLate = () => leave(() => reject(new Refusal("request.timeout", "The whole body has to arrive in time.")))
    const timer = setTimeout(onLate, BODY_TIMEOUT_MS)
    incoming.on("data", onData).on("end", onEnd).on("error", onBroken).on("close", onBroken)
  })
}

/** Changes need a media type no plain form can send, so that another site's page cannot make them (SEC-3). */
function checkMediaType(incoming: IncomingMessage, mediaTypes: readonly string[] | "any"): void {
  const encoding = incoming.headers["content-encoding"]
  if (encoding !== undefined && encoding !== "identity")
    throw new Refusal("request.encoding", `Send the body as it is, not as ${encoding}.`)
  const type = incoming.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase() ?? ""
  if (mediaTypes !== "any" && !mediaTypes.includes(type))
    throw new Refusal("request.media-type", `Send ${mediaTypes[0]}${type === "" ? "" : `, not ${type}`}.`)
}

export function tooLarge(maxBytes: number, code: RefusalCode = "request.too-large"): Refusal {
  return new Refusal(code, `The most is ${sizeWords(maxBytes)}.`)
}

export function brokeOff(): Refusal {
  return new Refusal("request.http", "The body broke off before its end.")
}
