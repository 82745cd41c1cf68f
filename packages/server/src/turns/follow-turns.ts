/** The turn events of a conversation, live, for adapters of other protocols (LOG-33). */
import type { Runtime } from "@parlor/core"
import {
  type Collection,
  changeOf,
  limits,
  type MessageId,
  newTurnReading,
  passChange,
  Refusal,
  readTurnEvents,
  type StoredChange,
  type StreamId,
  type TurnEvent,
} from "@parlor/protocol"
import { type TailOf, tail } from "./tail.ts"

/** The only collections that cause turn events. */
const READ: ReadonlySet<string> = new Set<Collection>(["turns", "messages", "deltas", "asks", "status"])

/** The events of the turns that answer one message: its agent's, then those of each further guest. */
export async function* followAnswer(of: TailOf & { readonly message: MessageId }): AsyncGenerator<TurnEvent> {
  const reader = new AnswerReader(of.message)
  for await (const changes of tail(of)) {
    yield* reader.read(changes)
    if (reader.ended) return
    if (reader.isRemoved || (reader.hasLeft && (await isLast(of, changes)))) throw removed()
  }
}

export type AnswerOf = {
  readonly runtime: Pick<Runtime, "events">
  readonly stream: StreamId
  readonly after: number
  readonly message: MessageId
}

/** The events so far, without waiting for more. `isRemoved`: the message was removed from the queue. */
export async function readAnswer(
  of: AnswerOf,
  take: (event: TurnEvent) => void,
): Promise<{ readonly isRemoved: boolean }> {
  const reader = new AnswerReader(of.message)
  for (let last = of.after; !reader.ended && !reader.isRemoved; ) {
    const page = await of.runtime.events(of.stream, last, BOUNDS)
    if (page === undefined) throw new Refusal("conversation.unknown", "There is no such conversation.")
    for (const event of reader.read(page.changes)) take(event)
    const end = page.changes.at(-1)
    if (end === undefined || end.seq >= page.head) return { isRemoved: reader.isRemoved || reader.hasLeft }
    last = end.seq
  }
  return { isRemoved: reader.isRemoved }
}

/** Whether nothing follows these changes: a page may end in the middle of a write. */
async function isLast({ runtime, stream }: TailOf, changes: readonly StoredChange[]): Promise<boolean> {
  const page = await runtime.events(stream, changes.at(-1)?.seq ?? 0, { count: 1, bytes: 1 })
  return page === undefined || page.changes.length === 0
}

const BOUNDS = { count: limits.readPageEvents, bytes: limits.readPageBytes }

function removed(): Refusal {
  return new Refusal("message.not-queued", "The message was removed from the queue.")
}

class AnswerReader {
  readonly #reading = newTurnReading()
  readonly #message: MessageId
  readonly #removal: Removal
  #left: readonly string[] | undefined
  #answers = false
  #ended = false

  constructor(message: MessageId) {
    this.#message = message
    this.#removal = new Removal(message)
  }

  get ended(): boolean {
    return this.#ended
  }

  get isRemoved(): boolean {
    return this.#removal.isRemoved
  }

  /** The message is no longer queued, and was not seen to start. */
  get hasLeft(): boolean {
    return this.#removal.hasLeft
  }

  *read(changes: readonly StoredChange[]): Generator<TurnEvent> {
    for (const change of changes) {
      this.#removal.check(change)
      if (this.isRemoved) return
      passChange(this.#reading, { seq: change.seq, type: change.collection })
      if (!READ.has(change.collection)) continue
      for (const event of readTurnEvents(this.#reading, changeOf(change))) {
        if (event.type === "turn-started") {
          this.#answers = event.message === this.#message && !event.compaction
          if (this.#answers) this.#left = event.guestsNext
        }
        if (!this.#answers) continue
        this.#ended = event.type === "turn-ended" && (event.state !== "done" || (this.#left?.length ?? 0) === 0)
        yield event
        if (this.#ended) return
      }
    }
  }
}

/**
 * A message removed from the queue never starts. A message that starts leaves the queue too, but in the same write as
 * its message row.
 */
class Removal {
  readonly #message: MessageId
  #txid: string | undefined
  #isRemoved = false

  constructor(message: MessageId) {
    this.#message = message
  }

  get isRemoved(): boolean {
    return this.#isRemoved
  }

  get hasLeft(): boolean {
    return this.#txid !== undefined
  }

  check({ collection, key, operation, txid }: StoredChange): void {
    if (this.#txid !== undefined && txid !== this.#txid) this.#isRemoved = true
    if (key !== this.#message) return
    if (collection === "queue" && operation === "delete") this.#txid = txid
    if (collection === "messages") this.#txid = undefined
  }
}
