/** An unmodified `HttpAgent` of AG-UI, and one that connects to a thread as the guide shows. */
import {
  type BaseEvent,
  HttpAgent,
  type Interrupt,
  type RunAgentInput,
  type RunErrorEvent,
  runHttpRequest,
  transformHttpEventStream,
} from "@ag-ui/client"
import type { TestServer } from "../http/server.ts"

export type Device = {
  readonly agent: ParlorAgent
  /** Of every response so far: its bytes. */
  readonly bodies: string[]
  readonly events: BaseEvent[]
  readonly interrupts: Interrupt[]
  readonly errors: RunErrorEvent[]
  /** How runs ended. */
  readonly outcomes: string[]
  say(text: string, id?: string): Promise<void>
  run(parameters?: Parameters<HttpAgent["runAgent"]>[0]): Promise<void>
  connect(): Promise<void>
  /** The text of the assistant's messages. */
  text(): string
}

/** `HttpAgent` posts runs; `connect` shows a thread and the run that is in progress. */
export class ParlorAgent extends HttpAgent {
  override connect(input: RunAgentInput) {
    const url = `${this.url}/${encodeURIComponent(input.threadId)}/events`
    const { headers, signal } = this.requestInit(input)
    return transformHttpEventStream(
      runHttpRequest(() => this.fetch(url, { ...(headers && { headers }), ...(signal && { signal }) })),
    )
  }

  /** Leaving a run does not stop it. */
  async stop(): Promise<void> {
    await this.fetch(`${this.url}/${encodeURIComponent(this.threadId)}/stop`, { method: "POST", headers: this.headers })
  }
}

let count = 0

export function openDevice({ port, token }: Pick<TestServer, "port" | "token">, threadId: string): Device {
  const bodies: string[] = []
  const events: BaseEvent[] = []
  const interrupts: Interrupt[] = []
  const errors: RunErrorEvent[] = []
  const outcomes: string[] = []
  const agent = new ParlorAgent({
    url: `http://127.0.0.1:${port}/v1/ag-ui/host`,
    headers: { authorization: `Bearer ${token}` },
    threadId,
    fetch: async (url, init) => {
      const response = await fetch(url, init)
      if (response.body === null) return response
      const [seen, used] = response.body.tee()
      const index = bodies.push("") - 1
      void collect(seen, (text) => (bodies[index] += text))
      return new Response(quiet(used, init.signal ?? undefined), response)
    },
  })
  agent.subscribe({
    onEvent: ({ event }) => void events.push(event),
    onRunErrorEvent: ({ event }) => void errors.push(event),
    onRunFinishedEvent: (params) => {
      outcomes.push(params.outcome)
      interrupts.length = 0
      if (params.outcome === "interrupt") interrupts.push(...params.interrupts)
    },
  })
  const run: Device["run"] = async (parameters = {}) => void (await agent.runAgent(parameters))
  return {
    agent,
    bodies,
    events,
    interrupts,
    errors,
    outcomes,
    run,
    async say(text, id = `m-${++count}`) {
      agent.addMessage({ id, role: "user", content: text })
      await run()
    },
    connect: async () => void (await agent.connectAgent()),
    text: () => agent.messages.map((one) => (one.role === "assistant" ? (one.content ?? "") : "")).join(""),
  }
}

/**
 * A broken connection ends the body early instead of with an error: the client cancels the reader of a body that failed
 * and does not handle that this fails too.
 */
function quiet(body: ReadableStream<Uint8Array>, signal: AbortSignal | undefined): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        if (signal?.aborted) controller.error(error)
        else controller.close()
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

async function collect(body: ReadableStream<Uint8Array>, add: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder()
  try {
    for await (const chunk of body) add(decoder.decode(chunk, { stream: true }))
  } catch {
    // Cut off: what came is kept.
  }
}
