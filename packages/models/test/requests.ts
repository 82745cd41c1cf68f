/** Requests, a recorder and servers the tests of this package share. */
import http from "node:http"
import type { AddressInfo } from "node:net"
import type { Model, ModelEvent, ModelMessage, ModelRequest, ToolSpec } from "@parlor/core"

export const weatherTool: ToolSpec = {
  name: "weather",
  description: "The weather in a city.",
  inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
}

export function asking(text: string, parts: Partial<ModelRequest> = {}): ModelRequest {
  return { instructions: "Be brief.", tools: [], messages: [{ role: "person", text }], ...parts }
}

/** A question, the agent's tool call and its result: the second step of a turn. */
export const afterWeather: readonly ModelMessage[] = [
  { role: "person", text: "weather in Oslo?" },
  {
    role: "agent",
    parts: [
      { type: "text", text: "Let me look." },
      { type: "tool", call: "call_1", name: "weather", input: { city: "Oslo" } },
    ],
  },
  { role: "tools", results: [{ call: "call_1", name: "weather", outcome: "done", output: { celsius: 4 } }] },
]

export type Ran = { readonly events: readonly ModelEvent[]; readonly error: unknown }

export async function ran(model: Model, request: ModelRequest, signal?: AbortSignal): Promise<Ran> {
  const events: ModelEvent[] = []
  try {
    const options = {
      signal: signal ?? new AbortController().signal,
      onEvent: (event: ModelEvent) => events.push(event),
    }
    await model.run(request, options)
    return { events, error: undefined }
  } catch (error) {
    return { events, error }
  }
}

/** What was said and called, with neighboring text and reasoning joined: how an answer is split means nothing. */
export function joined(events: readonly ModelEvent[]): readonly ModelEvent[] {
  const list: ModelEvent[] = []
  for (const event of events) {
    if (event.type === "block") continue
    const last = list.at(-1)
    if ((event.type === "text" || event.type === "reasoning") && last?.type === event.type)
      list[list.length - 1] = { type: event.type, text: last.text + event.text }
    else list.push(event)
  }
  return list
}

export type RawServer = { readonly url: string; readonly requests: unknown[]; close(): Promise<void> }

/** A server that answers every POST as it is told to, byte for byte. */
export async function rawServer(
  answer: (response: http.ServerResponse, body: unknown) => void | Promise<void>,
): Promise<RawServer> {
  const requests: unknown[] = []
  const server = http.createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const body: unknown = JSON.parse(Buffer.concat(pieces).toString())
    requests.push(body)
    await answer(response, body)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

export function eventStream(response: http.ServerResponse): http.ServerResponse {
  return response.writeHead(200, { "content-type": "text/event-stream" })
}

export function chunk(delta: unknown, finish: string | null = null): string {
  return `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
}
