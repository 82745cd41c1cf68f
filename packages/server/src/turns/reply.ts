/** Collects the reply to a send from its turn events and the stored messages. */
import type { Store } from "@parlor/core"
import {
  limits,
  type MessageRow,
  parseRow,
  type Reply,
  type Sent,
  type StreamId,
  type TurnEvent,
} from "@parlor/protocol"

/** How many messages are read at a time. */
const BATCH = 20

export class ReplyReading {
  readonly #sent: Sent
  readonly #messages = new Set<string>()
  #hasOwnTurn = false
  #state: Reply["state"] | undefined
  #ask: Reply["ask"] = null
  #error: Reply["error"] = null

  constructor(sent: Sent) {
    this.#sent = sent
  }

  read(event: TurnEvent): void {
    switch (event.type) {
      case "turn-started":
        // Whatever came before belongs to a turn that a steering message was too late for.
        if (!this.#hasOwnTurn && event.message === this.#sent.message) this.#messages.clear()
        this.#hasOwnTurn ||= event.message === this.#sent.message
        this.#state = undefined
        break
      case "step-started":
        this.#messages.add(event.message)
        break
      case "attempt-reset":
        this.#messages.delete(event.message)
        break
      case "ask-opened":
        this.#ask = event.ask
        break
      case "ask-closed":
        this.#ask = null
        break
      case "turn-ended":
        this.#state = event.state
        this.#error = event.error
        break
      default:
    }
  }

  /** Undefined if the reply has not ended and asks nothing. */
  async reply(log: Store["log"], stream: StreamId): Promise<Reply | undefined> {
    const state = this.#ask === null ? this.#state : "asking"
    if (state === undefined) return undefined
    const messages = await rowsOf(log, stream, [...this.#messages])
    return { ...this.#sent, state, text: textOf(messages), messages, ask: this.#ask, error: this.#error }
  }
}

/** The newest ones that fit in one response, in order. */
async function rowsOf(log: Store["log"], stream: StreamId, ids: readonly string[]): Promise<MessageRow[]> {
  const rows: MessageRow[] = []
  let bytes = 0
  for (let end = ids.length; end > 0; end -= BATCH) {
    const queries = ids
      .slice(Math.max(0, end - BATCH), end)
      .reverse()
      .map((key) => ({ collection: "messages", key }) as const)
    for (const [row] of (await log.read(stream, queries))?.lists ?? []) {
      if (row === undefined) continue
      bytes += Buffer.byteLength(row.value)
      if (bytes > limits.pageBytes && rows.length > 0) return rows
      rows.unshift(parseRow("messages", row.value))
    }
  }
  return rows
}

function textOf(messages: readonly MessageRow[]): string {
  return messages
    .map(({ parts }) => parts.map((part) => (part.type === "text" ? part.text : "")).join(""))
    .filter((text) => text !== "")
    .join("\n\n")
}
