/** An unmodified AI SDK chat without a browser: its own transport and state machine, plain fields in place of React. */
import { AbstractChat, type ChatInit, type ChatState, type ChatStatus, type UIMessage } from "ai"
import { parlorChat } from "./parlor-chat.ts"

class State implements ChatState<UIMessage> {
  status: ChatStatus = "ready"
  error: Error | undefined
  messages: UIMessage[] = []
  pushMessage = (message: UIMessage) => void this.messages.push(message)
  popMessage = () => void this.messages.pop()
  replaceMessage = (index: number, message: UIMessage) => {
    this.messages[index] = structuredClone(message)
  }
  snapshot = <T>(thing: T): T => structuredClone(thing)
}

export type ChatServer = { readonly port: number; readonly token: string; readonly sdk?: 6 | 7 }

export class Chat extends AbstractChat<UIMessage> {
  /** The body of every answer so far, as it was received. */
  readonly bodies: string[] = []

  constructor(server: ChatServer, { messages = [], ...init }: ChatInit<UIMessage> = {}) {
    const bodies: string[] = []
    const state = new State()
    state.messages = messages
    super({
      ...parlorChat({
        url: `http://127.0.0.1:${server.port}`,
        agent: "host",
        token: server.token,
        ...(server.sdk === undefined ? {} : { sdk: server.sdk }),
        fetch: async (input, options) => {
          const response = await fetch(input, options)
          if (response.body === null) return response
          const [seen, used] = response.body.tee()
          const index = bodies.push("") - 1
          void collect(seen, (text) => (bodies[index] += text))
          return new Response(used, response)
        },
      }),
      ...init,
      state,
    })
    this.bodies = bodies
  }

  /** Of the last message: all its text. */
  get text(): string {
    return (this.lastMessage?.parts ?? []).map((part) => (part.type === "text" ? part.text : "")).join("")
  }

  get tools() {
    return (this.lastMessage?.parts ?? []).flatMap((part) => (part.type === "dynamic-tool" ? [part] : []))
  }
}

async function collect(body: ReadableStream<Uint8Array>, add: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder()
  try {
    for await (const chunk of body) add(decoder.decode(chunk, { stream: true }))
  } catch {
    // Cut off: what came is kept.
  }
}
