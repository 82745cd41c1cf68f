/**
 * Follows a conversation by server-sent events and passes on every event it receives.
 *
 * It keeps its position across restarts of the server, as a client does: the next event must have the next number.
 */
import { formatOffset } from "@parlor/protocol"
import { type RawEvent, rawEvents } from "./raw-events.ts"
import { type Conversation, credential, pathOf } from "./wire.ts"

export class Reader {
  readonly name: string
  readonly conversation: Conversation
  readonly #onEvent: (reader: Reader, event: RawEvent) => void
  #last: number

  constructor(
    name: string,
    conversation: Conversation,
    from: number,
    onEvent: (reader: Reader, event: RawEvent) => void,
  ) {
    this.name = name
    this.conversation = conversation
    this.#last = from
    this.#onEvent = onEvent
  }

  /** The number of the last event received. */
  get last(): number {
    return this.#last
  }

  /** Reads until the connection breaks or the signal ends it. */
  async follow(url: string, signal: AbortSignal): Promise<void> {
    const offset = this.#last === 0 ? "-1" : formatOffset(this.#last)
    try {
      const address = `${url}${pathOf(this.conversation)}/events?live=sse&offset=${offset}`
      const response = await fetch(address, { headers: credential(), signal })
      if (response.status !== 200 || response.body === null) return
      const decoder = new TextDecoder()
      let rest = ""
      for await (const bytes of response.body) {
        rest += decoder.decode(bytes, { stream: true })
        const frames = rest.split("\n\n")
        rest = frames.pop() ?? ""
        for (const frame of frames) this.#take(frame)
      }
    } catch {
      // The server was killed, or the round is over. Events received until then count.
    }
  }

  #take(frame: string): void {
    if (!frame.startsWith("event: data\n")) return
    const json = frame.slice("event: data\ndata:".length, frame.lastIndexOf("\nid:"))
    for (const event of rawEvents(json)) {
      this.#onEvent(this, event)
      this.#last = event.seq
    }
  }
}
