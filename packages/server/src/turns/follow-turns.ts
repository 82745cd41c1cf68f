/** The turn events of a conversation, live, for adapters of other protocols (LOG-33). */
import {
  type Collection,
  changeOf,
  type MessageId,
  newTurnReading,
  Refusal,
  readTurnEvents,
  type StoredChange,
  type TurnEvent,
} from "@parlor/protocol"
import { type TailOf, tail } from "./tail.ts"

/** The only collections that cause turn events. */
const READ: ReadonlySet<string> = new Set<Collection>(["turns", "messages", "deltas", "asks", "status"])

/** The events of the turns that answer one message: its agent's, then those of each further guest. */
export async function* followAnswer(of: TailOf & { readonly message: MessageId }): AsyncGenerator<TurnEvent> {
  const reading = newTurnReading()
  const removal = new Removal(of.message)
  let left: readonly string[] | undefined
  let answers = false
  for await (const changes of tail(of)) {
    for (const change of changes) {
      removal.check(change)
      if (!READ.has(change.collection)) continue
      for (const event of readTurnEvents(reading, changeOf(change))) {
        if (event.type === "turn-started") {
          answers = event.message === of.message && !event.compaction
          if (answers) left = event.guestsNext
        }
        if (!answers) continue
        yield event
        if (event.type === "turn-ended" && (event.state !== "done" || (left?.length ?? 0) === 0)) return
      }
    }
    if (removal.isPending) {
      // A page may end in the middle of a write.
      const end = changes.at(-1)?.seq ?? of.after
      removal.checkNext((await of.runtime.events(of.stream, end, { count: 1, bytes: 1 }))?.changes[0])
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

  constructor(message: MessageId) {
    this.#message = message
  }

  get isPending(): boolean {
    return this.#txid !== undefined
  }

  /** `next` is the change after those that were checked, if there is one. */
  checkNext(next: StoredChange | undefined): void {
    if (this.isPending && next?.txid !== this.#txid)
      throw new Refusal("message.not-queued", "The message was removed from the queue.")
  }

  check(change: StoredChange): void {
    this.checkNext(change)
    const { collection, key, operation, txid } = change
    if (key !== this.#message) return
    if (collection === "queue" && operation === "delete") this.#txid = txid
    if (collection === "messages") this.#txid = undefined
  }
}
