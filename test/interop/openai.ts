/** An unmodified client of OpenAI's API, pointed at a test server, that keeps the bodies it was sent. */
import OpenAI, { type ClientOptions } from "openai"

type Target = { readonly port: number; readonly token: string }

export type Client = OpenAI & {
  /** The body of every response so far, as it was received. */
  readonly bodies: readonly string[]
}

export function openaiClient(server: Target, options: ClientOptions = {}): Client {
  const bodies: string[] = []
  const client = new OpenAI({
    baseURL: `http://127.0.0.1:${server.port}/v1`,
    apiKey: server.token,
    maxRetries: 0,
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      if (response.body === null) return response
      const [seen, used] = response.body.tee()
      const index = bodies.push("") - 1
      void collect(seen, (text) => {
        bodies[index] += text
      })
      return new Response(used, response)
    },
    ...options,
  })
  return Object.assign(client, { bodies })
}

/** Frames without the comments that keep a connection alive. */
export function framesOf(body: string): readonly string[] {
  return body.split("\n\n").filter((frame) => frame !== "" && !frame.startsWith(":"))
}

async function collect(body: ReadableStream<Uint8Array>, add: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder()
  try {
    for await (const chunk of body) add(decoder.decode(chunk, { stream: true }))
  } catch {
    // Cut off: what came is kept.
  }
}
