/**
 * A chat-completions server on a real socket that replies at a constant rate.
 *
 * Every word is unique, so text that is lost, duplicated or mixed up cannot look correct by chance. It validates the
 * requests and records those that a strict provider would have refused (TRN-8).
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

const FEWEST_WORDS = 20
const MOST_WORDS = 60
const TOOL_EVERY = 5
const TOOL_WORDS = 3
const MAX_BODY_BYTES = 8 * 1024 * 1024
const MAX_COMPLAINTS = 20

export type FakeModel = {
  readonly url: string
  /** Replies that have started streaming and not ended. */
  readonly streaming: number
  readonly asked: number
  /** Requests that a provider would have refused, with the reason. */
  readonly refusable: readonly string[]
  setTokenMs(ms: number): void
  close(): Promise<void>
}

type Message = {
  readonly role: string
  readonly content: string | null
  readonly tool_calls?: readonly { readonly id: string }[]
  readonly tool_call_id?: string
}

export type FakeModelOptions = {
  readonly tokenMs: number
  /** Length of the replies; 20 to 60 words by default. */
  readonly words?: number
  /** The tool to call in reply to this text; by default one in five replies calls `current_time`. */
  readonly toolFor?: (said: string) => ToolUse | undefined
}

type ToolUse = { readonly name: string; readonly input: string }

export async function startFakeModel(options: FakeModelOptions): Promise<FakeModel> {
  let tokenMs = options.tokenMs
  let streaming = 0
  let asked = 0
  const refusable: string[] = []

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const messages = await messagesOf(request)
    const number = ++asked
    const wrong = defectOf(messages)
    if (wrong !== undefined && refusable.length < MAX_COMPLAINTS) refusable.push(`request ${number}: ${wrong}`)
    response.writeHead(200, { "content-type": "text/event-stream" })
    const tool = toolUse(number, messages.at(-1))
    const usual = options.words ?? FEWEST_WORDS + ((number * 7) % (MOST_WORDS - FEWEST_WORDS))
    const words = tool ? TOOL_WORDS : usual
    await say(number, words, response)
    if (tool) response.write(chunk({ tool_calls: [toolCall(number, tool)] }))
    response.write(chunk({}, tool ? "tool_calls" : "stop"))
    response.end(`data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":${words}}}\n\ndata: [DONE]\n\n`)
  }

  function toolUse(number: number, last: Message | undefined): ToolUse | undefined {
    if (last?.role !== "user") return undefined
    if (options.toolFor) return options.toolFor(last.content ?? "")
    return number % TOOL_EVERY === 0 ? { name: "current_time", input: "{}" } : undefined
  }

  function say(number: number, words: number, response: ServerResponse): Promise<void> {
    return new Promise((resolve) => {
      let said = 0
      const end = () => {
        response.off("close", end)
        if (said > 0) streaming -= 1
        resolve()
      }
      const next = () => {
        if (response.destroyed) return
        if (said === words) return end()
        if (said === 0) streaming += 1
        response.write(chunk({ content: `${wordOf(number, said)} ` }))
        said += 1
        setTimeout(next, tokenMs)
      }
      response.once("close", end)
      next()
    })
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    refusable,
    get streaming() {
      return streaming
    },
    get asked() {
      return asked
    },
    setTokenMs: (ms) => {
      tokenMs = ms
    },
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => void server.close(() => resolve()))
    },
  }
}

/** Why a strict provider would refuse these messages, or undefined. */
export function defectOf(messages: readonly Message[]): string | undefined {
  const [first, ...rest] = messages
  if (first?.role !== "system") return "it does not begin with the instructions"
  let open = new Set<string>()
  let before = "system"
  for (const message of rest) {
    const calls = message.tool_calls ?? []
    if (message.role === "tool" && !open.delete(message.tool_call_id ?? "")) return "a result of no call"
    if (message.role !== "tool" && open.size > 0) return "a call without a result"
    if (message.role === before && message.role !== "tool") return `two messages of ${message.role} in a row`
    if (!message.content?.trim() && calls.length === 0) return `an empty message of ${message.role}`
    if (message.content?.isWellFormed() === false) return "half a character"
    if (before === "system" && message.role !== "user") return `the first message is of ${message.role}`
    if (message.role === "assistant") open = new Set(calls.map((call) => call.id))
    before = message.role
  }
  if (open.size > 0) return "a call without a result at the end"
  return before === "user" || before === "tool" ? undefined : `it ends with a message of ${before}`
}

/** Some words contain surrogate pairs, which a naive cut would split. */
function wordOf(number: number, index: number): string {
  return index % 7 === 3 ? `r${number}.${index}😀` : `r${number}.${index}`
}

function toolCall(number: number, { name, input }: ToolUse): object {
  return { index: 0, id: `call_${number}`, type: "function", function: { name, arguments: input } }
}

function chunk(delta: object, finish: string | null = null): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
}

async function messagesOf(request: IncomingMessage): Promise<readonly Message[]> {
  let body = ""
  request.setEncoding("utf8")
  for await (const piece of request) {
    body += piece
    if (body.length > MAX_BODY_BYTES) throw new Error("the request is too large")
  }
  return (JSON.parse(body) as { readonly messages: readonly Message[] }).messages
}
