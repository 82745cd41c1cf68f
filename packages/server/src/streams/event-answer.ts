/** A response written frame by frame: server-sent events of other protocols. */
import { type ResponseReader, UNBUFFERED, whileRead, writePieces } from "./response-reader.ts"

/** Frames until the signal is aborted or the source ends. A later error is a frame too. */
export type EventAnswer = {
  readonly headers?: Readonly<Record<string, string>>
  readonly frames: (signal: AbortSignal) => AsyncIterable<string>
}

export async function writeEvents({ headers = {}, frames }: EventAnswer, to: ResponseReader): Promise<void> {
  const { out } = to
  await whileRead(
    to,
    () => out.headersSent,
    async (signal) => {
      out.writeHead(200, {
        ...to.headers,
        ...headers,
        "content-type": "text/event-stream; charset=utf-8",
        ...UNBUFFERED,
      })
      out.flushHeaders()
      await writePieces(out, frames(signal))
    },
  )
}
