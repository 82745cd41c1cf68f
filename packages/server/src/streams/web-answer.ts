/** A response made by a library as a web `Response`: JSON, or server-sent events. */
import type { ServerResponse } from "node:http"
import { type ResponseReader, UNBUFFERED, whileRead, writePieces } from "./response-reader.ts"

/** `signal` is aborted when the client is gone, or may no longer read. */
export type WebAnswer = {
  readonly respond: (to: { readonly signal: AbortSignal; readonly out: ServerResponse }) => Promise<Response>
}

const NOTHING: Iterable<Uint8Array> = []

export async function writeWebAnswer({ respond }: WebAnswer, to: ResponseReader): Promise<void> {
  const { out } = to
  let isStream = false
  await whileRead(
    to,
    () => isStream,
    async (signal) => {
      const response = await respond({ signal, out })
      if (out.destroyed) return void response.body?.cancel().catch(() => {})
      const type = response.headers.get("content-type") ?? ""
      isStream = type.startsWith("text/event-stream")
      out.writeHead(response.status, {
        ...to.headers,
        ...(type === "" ? {} : { "content-type": type }),
        ...(isStream ? UNBUFFERED : {}),
      })
      out.flushHeaders()
      await writePieces(out, response.body ?? NOTHING)
    },
  )
}
