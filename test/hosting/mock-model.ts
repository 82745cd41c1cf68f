/** A model behind OpenAI's chat completions and Google's API, for agents with their own loop: it follows the person's words. */
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export type MockModel = {
  readonly url: string
  /** The texts of the person in all requests with tools, in order. */
  readonly heard: string[]
  /** The paths of all requests. */
  readonly asked: string[]
  /** Lets replies that wait go on. */
  release(): void
  close(): Promise<void>
}

/** What a model is asked, in either format. */
type Asked = {
  /** The newest message of the person. */
  readonly text: string
  /** Results of tools since then. */
  readonly done: number
  readonly hasTools: boolean
}

/** How a reply is sent in a format. */
type Speaker = {
  say(text: string): void
  call(line: string, id: string): void
  end(reason: "stop" | "tool_calls"): void
}

type Message = { readonly role: string; readonly content?: unknown; readonly tool_call_id?: string }
type Request = { readonly model: string; readonly messages: readonly Message[]; readonly tools?: readonly unknown[] }

/** The lines of the newest message: `say x`, `write <file> <text>`, `bash <command>`, `wait`. One call per request. */
export async function startMockModel(): Promise<MockModel> {
  const [heard, paths]: [string[], string[]] = [[], []]
  let go = () => {}
  let released = new Promise<void>((resolve) => {
    go = resolve
  })
  const server = createServer((incoming, response) => {
    let body = ""
    incoming.on("data", (chunk: Buffer) => (body += chunk.toString()))
    incoming.on("end", () => {
      const url = incoming.url ?? ""
      paths.push(url)
      const [asked, speaker] = url.includes(":streamGenerateContent")
        ? google(JSON.parse(body) as GoogleRequest, response)
        : url.endsWith("/chat/completions")
          ? openai(JSON.parse(body) as Request, response)
          : []
      if (asked === undefined || speaker === undefined) return void response.writeHead(404).end("{}")
      void reply(asked, speaker, heard, () => released).catch(() => response.destroy())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    heard,
    asked: paths,
    release() {
      go()
      released = new Promise((resolve) => {
        go = resolve
      })
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

async function reply(asked: Asked, speaker: Speaker, heard: string[], released: () => Promise<void>): Promise<void> {
  // A title for the session.
  if (!asked.hasTools) {
    speaker.say("A title")
    return speaker.end("stop")
  }
  const { text, done } = asked
  if (done === 0) heard.push(text)
  const lines = text.split("\n").map((line) => line.trim())
  const next = lines.filter((line) => /^(write|bash) /.test(line))[done]
  if (done === 0) for (const line of lines) if (line.startsWith("first ")) speaker.say(line.slice(6))
  if (done === 0 && lines.includes("wait")) await released()
  if (next !== undefined) {
    speaker.call(next, `call_${Date.now()}_${done}`)
    return speaker.end("tool_calls")
  }
  const said = lines.filter((line) => line.startsWith("say ")).map((line) => line.slice(4))
  speaker.say(said.join(" ") || "Done.")
  speaker.end("stop")
}

function openai({ model, messages, tools = [] }: Request, response: ServerResponse): [Asked, Speaker] {
  response.writeHead(200, { "content-type": "text/event-stream" })
  const send = (delta: object, finish: string | null = null) =>
    response.write(
      `data: ${JSON.stringify({
        id: "chat_1",
        object: "chat.completion.chunk",
        created: 1,
        model,
        choices: [{ index: 0, delta, finish_reason: finish }],
        ...(finish === null ? {} : { usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 } }),
      })}\n\n`,
    )
  const newest = messages.findLastIndex(({ role }) => role === "user")
  const done = messages.slice(newest).filter(({ role }) => role === "tool").length
  return [
    { text: textOf(messages[newest]), done, hasTools: tools.length > 0 },
    {
      say: (content) => void send({ role: "assistant", content }),
      call: (line, id) => void send({ tool_calls: [{ index: 0, id, type: "function", function: callOf(line) }] }),
      end(reason) {
        send({}, reason)
        response.end("data: [DONE]\n\n")
      },
    },
  ]
}

type GooglePart = { readonly text?: string; readonly functionResponse?: unknown; readonly thought?: boolean }
type GoogleRequest = {
  readonly contents: readonly { readonly role?: string; readonly parts: readonly GooglePart[] }[]
  readonly tools?: readonly unknown[]
}

function google({ contents, tools = [] }: GoogleRequest, response: ServerResponse): [Asked, Speaker] {
  response.writeHead(200, { "content-type": "text/event-stream" })
  const send = (part: object, more: object = {}) =>
    response.write(
      `data: ${JSON.stringify({ candidates: [{ index: 0, content: { role: "model", parts: [part] }, ...more }] })}\r\n\r\n`,
    )
  const isResult = ({ functionResponse }: GooglePart) => functionResponse !== undefined
  const newest = contents.findLastIndex(({ role, parts }) => role === "user" && !parts.some(isResult))
  const text = (contents[newest]?.parts ?? []).map((part) => part.text ?? "").join("\n")
  const done = contents.slice(newest).filter(({ parts }) => parts.some(isResult)).length
  return [
    { text, done, hasTools: tools.length > 0 },
    {
      say: (words) => void send({ text: words }),
      call(line) {
        const { name, arguments: input } = callOf(line)
        const { filePath, content, command } = JSON.parse(input) as Record<string, string>
        const functionCall =
          name === "write"
            ? { name: "write_file", args: { file_path: filePath, content } }
            : { name: "run_shell_command", args: { command, description: "Runs it" } }
        send({ functionCall })
      },
      end() {
        const usage = { promptTokenCount: 10, candidatesTokenCount: 2, totalTokenCount: 12 }
        response.write(
          `data: ${JSON.stringify({ candidates: [{ index: 0, content: { role: "model", parts: [{ text: "" }] }, finishReason: "STOP" }], usageMetadata: usage })}\r\n\r\n`,
        )
        response.end()
      },
    },
  ]
}

function callOf(line: string): { readonly name: string; readonly arguments: string } {
  const [verb = "", name = "", ...rest] = line.split(" ")
  if (verb === "write") return { name: "write", arguments: JSON.stringify({ filePath: name, content: rest.join(" ") }) }
  return { name: "bash", arguments: JSON.stringify({ command: [name, ...rest].join(" "), description: "Runs it" }) }
}

function textOf(message: Message | undefined): string {
  const { content } = message ?? {}
  if (typeof content === "string") return content
  if (!Array.isArray(content)) return ""
  return content.map((part: { readonly text?: unknown }) => (typeof part.text === "string" ? part.text : "")).join("\n")
}
