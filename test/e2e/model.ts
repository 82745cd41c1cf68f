/**
 * A chat-completions server on a real socket whose replies the test controls word by word.
 *
 * Every request waits until the test takes it with `next`, and is answered through the object that `next` returns.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export type SteeredModel = {
  readonly url: string
  /**
   * Resolves with the earliest request not taken yet, or with the one whose last message is the given text. Rejects if
   * none comes: a request that is still waited for would take the one of the next test.
   */
  next(asked?: string): Promise<Answer>
  /** Rejects the next request as an overloaded server does. */
  failNext(refusal: Refusal): void
  close(): Promise<void>
}

type Refusal = { readonly status: number; readonly retryAfterSeconds?: number; readonly message?: string }

export type Answer = {
  /** The person's last message in the request. */
  readonly asked: string
  /** Resolves when the client has disconnected because a turn was stopped. */
  readonly left: Promise<void>
  say(text: string): void
  /** Ends the reply with a tool call. */
  call(name: string, input: object): void
  end(): void
  /** Drops the connection in the middle of the reply. */
  breakOff(): void
}

/** Generous for slow machines. */
const PATIENCE_MS = 30_000

type Message = { readonly role: string; readonly content: string | null }

export async function startSteeredModel(): Promise<SteeredModel> {
  const untaken: Answer[] = []
  const refusals: Refusal[] = []
  const waiting: { readonly asked: string | undefined; readonly take: (answer: Answer) => void }[] = []

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const messages = await messagesOf(request)
    const refusal = refusals.shift()
    if (refusal !== undefined) return refuse(response, refusal)
    const answer = answerThrough(response, messages)
    const place = waiting.findIndex(({ asked }) => asked === undefined || asked === answer.asked)
    if (place === -1) untaken.push(answer)
    else waiting.splice(place, 1)[0]?.take(answer)
  }

  const arriving = (asked: string | undefined) =>
    new Promise<Answer>((resolve, reject) => {
      const giveUp = () => {
        waiting.splice(waiting.indexOf(waiter), 1)
        const others = untaken.map((answer) => JSON.stringify(answer.asked)).join(", ")
        reject(
          new Error(`The model was not asked${asked === undefined ? "" : ` ${JSON.stringify(asked)}`}, but: ${others}`),
        )
      }
      const timer = setTimeout(giveUp, PATIENCE_MS)
      const take = (answer: Answer) => {
        clearTimeout(timer)
        resolve(answer)
      }
      const waiter = { asked, take }
      waiting.push(waiter)
    })

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
      return answer ?? arriving(asked)
    },
    failNext: (refusal) => void refusals.push(refusal),
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => void server.close(() => resolve()))
    },
  }
}

function refuse(response: ServerResponse, { status, retryAfterSeconds, message = "Overloaded" }: Refusal): void {
  const wait = retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) }
  response.writeHead(status, { "content-type": "application/json", ...wait })
  response.end(JSON.stringify({ error: { message } }))
}

function answerThrough(response: ServerResponse, messages: readonly Message[]): Answer {
  response.writeHead(200, { "content-type": "text/event-stream" })
  response.flushHeaders()
  const end = (reason: string) => {
    response.write(chunk({}, reason))
    response.end('data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1}}\n\ndata: [DONE]\n\n')
  }
  return {
    asked: messages.findLast(({ role }) => role === "user")?.content ?? "",
    left: new Promise((resolve) => response.once("close", () => resolve())),
    say: (text) => void response.write(chunk({ content: text })),
    call: (name, input) => {
      const called = { name, arguments: JSON.stringify(input) }
      response.write(chunk({ tool_calls: [{ index: 0, id: `call_${name}`, type: "function", function: called }] }))
      end("tool_calls")
    },
    end: () => end("stop"),
    breakOff: () => void response.destroy(),
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
