/** The responses to routes, by what their handler returns. */
import type { Route } from "@parlor/protocol"
import type { RawBytes } from "../services.ts"
import type { Answer } from "./answer.ts"
import type { CommandAnswer } from "./once.ts"
import { SECURITY_HEADERS } from "./problem.ts"

export function jsonAnswer(route: Route, result: unknown): Pick<CommandAnswer, "status" | "body"> {
  const body = route.answer?.schema === undefined ? null : JSON.stringify(result)
  return { status: route.answer?.status ?? 200, body }
}

export function commandAnswer({ status, txid, body }: CommandAnswer): Answer {
  const headers = { "parlor-txid": txid, ...SECURITY_HEADERS }
  return { status, headers: body === null ? headers : { "content-type": "application/json", ...headers }, body }
}

export function linesAnswer(source: AsyncIterable<string>): Answer {
  return {
    status: 200,
    headers: { ...SECURITY_HEADERS, "content-type": "application/jsonl" },
    body: chunksOf(source),
  }
}

/** Batches small lines, so that each does not cost a write of its own. */
const CHUNK_CHARS = 64 * 1024

async function* chunksOf(source: AsyncIterable<string>): AsyncIterable<Buffer> {
  let chunk = ""
  for await (const line of source) {
    chunk += `${line}\n`
    if (chunk.length < CHUNK_CHARS) continue
    yield Buffer.from(chunk)
    chunk = ""
  }
  if (chunk !== "") yield Buffer.from(chunk)
}

/** Never rendered in our origin: whatever the file contains, a browser downloads or sandboxes it (SEC-7). */
export function bytesAnswer({ bytes, mediaType, name, etag }: RawBytes): Answer {
  const headers = {
    ...SECURITY_HEADERS,
    "content-type": mediaType,
    "content-security-policy": "sandbox; default-src 'none'",
    ...(etag === undefined ? {} : { etag: `"${etag}"` }),
    ...(name === undefined
      ? {}
      : { "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(name)}` }),
  }
  return { status: 200, headers, body: bytes }
}
