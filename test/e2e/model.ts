/**
 * A chat-completions server on a real socket that says only what a test tells it to, word by word.
 *
 * Every request waits until the test takes it with `next`, and is answered through what `next` gives.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export type SteeredModel = {
  readonly url: string
  /** The earliest request nobody has taken yet, once there is one; the one that asks just this, when it is given. */
  next(asked?: string): Promise<Answer>
  close(): Promise<void>
}

export type Answer = {
  /** What the person said last, as the model was told. */
  readonly asked: string
  /** Resolves when the server has left: a turn was stopped. */
  readonly left: Promise<void>
  say(text: string): void
  end(): void
}

type Message = { readonly role: string; readonly content: string | null }

export async function startSteeredModel(): Promise<SteeredModel> {
  const untaken: Answer[] = []
  const waiting: { readonly asked: string | undefined; readonly take: (answer: Answer) => void }[] = []

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = answerThrough(response, await messagesOf(request))
    const place = waiting.findIndex(({ asked }) => asked === undefined || asked === answer.asked)
    if (place === -1) untaken.push(answer)
    else waiting.splice(place, 1)[0]?.take(answer)
  }

  const server = createServer((request, response) => {
    take(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    next: async (asked) => {
      const place = untaken.findIndex((answer) => asked === undefined || asked === answer.asked)
      const [answer] = place === -1 ? [] : untaken.splice(place, 1)
      return answer ?? new Promise((take) => waiting.push({ asked, take }))
    },
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => void server.close(() => resolve()))
    },
  }
}

function answerThrough(response: ServerResponse, messages: readonly Message[]): Answer {
  response.writeHead(200, { "content-type": "text/event-stream" })
  response.flushHeaders()
  return {
    asked: messages.findLast(({ role }) => role === "user")?.content ?? "",
    left: new Promise((resolve) => response.once("close", () => resolve())),
    say: (text) => void response.write(chunk({ content: text })),
    end: () => {
      response.write(chunk({}, "stop"))
      response.end('data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1}}\n\ndata: [DONE]\n\n')
    },
  }
}

function chunk(delta: object, finish: string | null = null): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
}

async function messagesOf(request: IncomingMessage): Promise<readonly Message[]> {
  let body = ""
  request.setEncoding("utf8")
  for await (const piece of request) body += piece
  return (JSON.parse(body) as { readonly messages: readonly Message[] }).messages
}
