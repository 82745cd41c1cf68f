/** Reads a request's body within its bounds, chunked or not, whatever its length header claims. */
import type { IncomingMessage } from "node:http"
import { Refusal } from "@parlor/protocol"

export async function readBody(
  incoming: IncomingMessage,
  mediaTypes: readonly string[],
  maxBytes: number,
): Promise<Buffer> {
  checkMediaType(incoming, mediaTypes)
  const declared = Number(incoming.headers["content-length"] ?? 0)
  if (declared > maxBytes) throw tooLarge(maxBytes)
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    // Leaving the loop early must not end the connection: the refusal still has to go out on it.
    for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > maxBytes) throw tooLarge(maxBytes)
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw brokeOff()
  }
  if (!incoming.complete) throw brokeOff()
  const [first] = chunks
  return chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks, bytes)
}

/** Changes need a media type no plain form can send, so that another site's page cannot make them (SEC-3). */
function checkMediaType(incoming: IncomingMessage, mediaTypes: readonly string[]): void {
  const encoding = incoming.headers["content-encoding"]
  if (encoding !== undefined && encoding !== "identity")
    throw new Refusal("request.encoding", `Send the body as it is, not as ${encoding}.`)
  const type = incoming.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase() ?? ""
  if (!mediaTypes.includes(type))
    throw new Refusal("request.media-type", `Send ${mediaTypes[0]}${type === "" ? "" : `, not ${type}`}.`)
}

function tooLarge(maxBytes: number): Refusal {
  return new Refusal("request.too-large", `The most is ${maxBytes} bytes.`)
}

function brokeOff(): Refusal {
  return new Refusal("request.http", "The body broke off before its end.")
}
