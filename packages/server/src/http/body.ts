/** Reads a request's body within its bounds, chunked or not, whatever its length header claims. */
import type { IncomingMessage } from "node:http"
import { Refusal, type RefusalCode } from "@parlor/protocol"

export async function readBody(
  incoming: IncomingMessage,
  mediaTypes: readonly string[] | "any",
  maxBytes: number,
  code?: RefusalCode,
): Promise<Buffer> {
  checkMediaType(incoming, mediaTypes)
  const declared = Number(incoming.headers["content-length"] ?? 0)
  if (declared > maxBytes) throw tooLarge(maxBytes, code)
  const chunks = await collect(incoming, maxBytes, code)
  const [first] = chunks
  return chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks)
}

function collect(
  incoming: IncomingMessage,
  maxBytes: number,
  code: RefusalCode | undefined,
): Promise<readonly Buffer[]> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const onData = (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= maxBytes) chunks.push(chunk)
      else leave(() => reject(tooLarge(maxBytes, code)))
    }
    const onEnd = () => leave(() => resolve(chunks))
    const onBroken = () => leave(() => reject(brokeOff()))
    // Leaving early must not end the connection: the refusal still has to go out on it.
    const leave = (answer: () => void) => {
      incoming.off("data", onData).off("end", onEnd).off("error", onBroken).off("close", onBroken)
      incoming.on("error", () => {})
      if (!incoming.readableEnded) incoming.pause()
      answer()
    }
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

function tooLarge(maxBytes: number, code: RefusalCode = "request.too-large"): Refusal {
  return new Refusal(code, `The most is ${maxBytes} bytes.`)
}

function brokeOff(): Refusal {
  return new Refusal("request.http", "The body broke off before its end.")
}
