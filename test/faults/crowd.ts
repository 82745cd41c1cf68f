/**
 * Clients that send, repeat, stop and read while the server is killed and restarted.
 *
 * A client that got no response to a send repeats it with the same key in later rounds until it gets one. Clients send a
 * little more than the server can answer between two kills, so that there is always a streaming reply and a queue.
 */
import { acknowledged, History, type Sending } from "./history.ts"
import type { Random } from "./random.ts"
import type { RawEvent } from "./raw-events.ts"
import { Reader } from "./reader.ts"
import { sleep } from "./waiting.ts"
import { type Answer, type Conversation, type SendInput, send, stop } from "./wire.ts"

const CLIENTS = 6
export const MOST_WAITING = 4
const ACTS_PER_ROUND = 3
/** How far back a new reader may start. */
const READ_AGAIN = 500
/** Readers that see every event once; the others may see it again. */
const FIRST_READERS = ["the steady reader", "the reader"]

export class Crowd {
  readonly history = new History()
  readonly #random: Random
  readonly #readers = new Map<Conversation, Reader>()
  readonly #running = new Map<Conversation, string>()
  readonly #waiting = new Map<Conversation, number>()
  #sent = 0
  #readersMade = 0

  constructor(random: Random) {
    this.#random = random
  }

  /** One round: all clients act and read until the signal says that the server is dead. */
  async act(
    url: string,
    conversations: readonly [Conversation, ...Conversation[]],
    signal: AbortSignal,
  ): Promise<void> {
    const reading = conversations.flatMap((conversation) => this.#read(url, conversation, signal))
    const acting = Array.from({ length: CLIENTS }, () => this.#client(url, conversations, signal, this.#random.fork()))
    await Promise.all([...acting, ...reading])
  }

  /** Repeats every send without a response. */
  async settle(url: string): Promise<void> {
    for (const sending of this.history.sends.filter(isOpen)) await this.#try(url, sending)
  }

  /** Sends a message to resume a queue that a stop has held (QUE-5). */
  nudge(url: string, conversation: Conversation): Promise<void> {
    return this.#sendNew(url, conversation, "immediate")
  }

  /** Follows until the signal: the last events shown are also compared with the log. */
  follow(url: string, conversations: readonly Conversation[], signal: AbortSignal): Promise<unknown> {
    return Promise.all(conversations.flatMap((conversation) => this.#read(url, conversation, signal)))
  }

  async #client(
    url: string,
    conversations: readonly [Conversation, ...Conversation[]],
    signal: AbortSignal,
    random: Random,
  ): Promise<void> {
    for (let acts = random.int(0, ACTS_PER_ROUND); acts > 0; acts--) {
      await sleep(random.int(0, 120))
      if (signal.aborted) return
      const conversation = random.pick(conversations)
      const open = this.history.sends.filter((sending) => sending.conversation === conversation && isOpen(sending))
      const turn = this.#running.get(conversation)
      if (random.chance(0.15) && turn !== undefined) await this.stop(url, conversation, turn, random)
      else if (open[0] !== undefined) await this.#try(url, open[0])
      else if (random.chance(0.1)) await this.repeat(url, conversation, random)
      else if (turn === undefined || (this.#waiting.get(conversation) ?? 0) < MOST_WAITING)
        await this.#sendNew(url, conversation, random.chance(0.2) ? "queued" : "immediate")
    }
  }

  #read(url: string, conversation: Conversation, signal: AbortSignal): Promise<void>[] {
    const see = (reader: Reader, raw: RawEvent) => this.see(reader, raw)
    const steady = this.#readers.get(conversation) ?? new Reader("the steady reader", conversation, 0, see)
    this.#readers.set(conversation, steady)
    this.#readersMade += 1
    const from = this.#random.int(Math.max(0, steady.last - READ_AGAIN), steady.last)
    const other = new Reader(`reader ${this.#readersMade}`, conversation, from, see)
    return [steady.follow(url, signal), other.follow(url, signal)]
  }

  see(reader: Reader, raw: RawEvent): void {
    this.history.see(reader, raw)
    const { event } = raw
    if (event.type === "turns" && event.value.endedAt === null) this.#running.set(reader.conversation, event.key)
    else if (event.type === "turns" && this.#running.get(reader.conversation) === event.key)
      this.#running.delete(reader.conversation)
    if (event.type === "queue" && event.headers.operation === "delete" && FIRST_READERS.includes(reader.name))
      this.#waiting.set(reader.conversation, Math.max(0, (this.#waiting.get(reader.conversation) ?? 1) - 1))
  }

  /** A send with a key that was used before is a repeat of that send. */
  async send(url: string, conversation: Conversation, input: SendInput): Promise<void> {
    const known = this.history.sends.find((sending) => sending.input.key === input.key)
    const sending: Sending = known ?? { conversation, input, answers: [] }
    if (known === undefined) this.history.sends.push(sending)
    await this.#try(url, sending)
  }

  async #sendNew(url: string, conversation: Conversation, mode: "immediate" | "queued"): Promise<void> {
    const number = ++this.#sent
    const input = {
      text: `Message ${number} to ${conversation} – ${"é😀".repeat(number % 5)}`,
      key: `key-${number}`,
      mode,
    }
    await this.send(url, conversation, input)
  }

  async repeat(url: string, conversation: Conversation, random: Random): Promise<void> {
    const done = this.history.sends.filter((sending) => sending.conversation === conversation && !isOpen(sending))
    const [first, ...rest] = done
    if (first !== undefined) await this.#try(url, random.pick([first, ...rest]))
  }

  async #try(url: string, sending: Sending): Promise<void> {
    const isFirst = acknowledged(sending).length === 0
    const answer = await send(url, sending.conversation, sending.input)
    sending.answers.push(answer)
    this.#notice("send", answer)
    if (answer.outcome !== "ok" || !isFirst) return
    const { outcome, place, turn } = answer.value
    if (outcome === "queued") this.#waiting.set(sending.conversation, place ?? 1)
    if (turn !== undefined) this.#running.set(sending.conversation, turn)
  }

  /** How many messages are queued, as far as the readers have seen. */
  waiting(conversation: Conversation): number {
    return this.#waiting.get(conversation) ?? 0
  }

  /** The running turn, as far as the readers have seen. */
  running(conversation: Conversation): string | undefined {
    return this.#running.get(conversation)
  }

  async stop(url: string, conversation: Conversation, turn: string, random: Random): Promise<void> {
    const answer = await stop(url, conversation, turn, random.chance(0.5) ? "hold" : "drain")
    this.history.stops.push({ conversation, turn, answer })
    this.#notice("stop", answer)
    if (answer.outcome !== "unknown") this.#running.delete(conversation)
  }

  /** With the store up and valid requests, only conflicts may be refused. */
  #notice(what: string, answer: Answer<unknown>): void {
    if (answer.outcome !== "refused" || answer.status === 409) return
    this.history.violations.push(`a ${what} was refused with ${answer.status} ${answer.code}`)
  }
}

function isOpen(sending: Sending): boolean {
  return acknowledged(sending).length === 0
}
