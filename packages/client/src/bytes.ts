import { ParlorError } from "./error.ts"

/** The chunks of a body. Uses a reader, because not every browser can iterate a stream. */
export async function* chunksOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (body === null) return
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw new ParlorError("connection.lost", "The connection closed before the response was complete.", {
          cause: error,
        })
      })
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** The lines of a body, without line endings. */
export async function* linesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let open: string[] = []
  for await (const chunk of chunksOf(body)) {
    const pieces = decoder.decode(chunk, { stream: true }).split("\n")
    const last = pieces.pop() ?? ""
    for (const piece of pieces) {
      yield open.join("") + piece
      open = []
    }
    if (last !== "") open.push(last)
  }
  const rest = open.join("") + decoder.decode()
  if (rest !== "") yield rest
}
