/**
 * Decisions of this process on one conversation wait for each other, so that only other processes can make them retry
 * (QUE-16).
 *
 *   free ──run──▶ one decides, the others wait in order of arrival ──done──▶ the next one
 *
 * The owner's own decisions go first: the end of a turn does not wait for everyone who sends to it.
 *
 * This is an optimization, not the lock: the store's `expect` is. A decision that has waited too long, and every
 * decision when the store fails, proceeds without waiting further. So a decision that waits for another one on the same
 * conversation cannot deadlock.
 */
import { Refusal, type StreamId } from "@parlor/protocol"
import type { Clock } from "../ports/clock.ts"

const MAX_WAITING = 2_000
const MAX_WAIT_MS = 10_000

/** Called with true when it is its turn, false when it proceeds without. */
type Waiting = (isTurn: boolean) => void
type Line = { readonly owner: Waiting[]; readonly others: Waiting[] }

export class DecisionQueue {
  readonly #clock: Clock
  /** One per conversation with decisions in progress. */
  readonly #lines = new Map<StreamId, Line>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async run<T>(stream: StreamId, by: keyof Line, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(stream)
    if (line === undefined) this.#lines.set(stream, { owner: [], others: [] })
    const isTurn = line === undefined || (await this.#wait(line, by))
    try {
      return await work()
    } finally {
      if (isTurn) this.#next(stream)
    }
  }

  /** Releases all waiting decisions: what they wait for may itself be waiting for the store. */
  open(): void {
    for (const { owner, others } of this.#lines.values())
      for (const go of [...owner.splice(0), ...others.splice(0)]) go(false)
  }

  #wait(line: Line, by: keyof Line): Promise<boolean> {
    const waiting = line[by]
    if (by === "others" && waiting.length >= MAX_WAITING)
      throw new Refusal(
        "conversation.contended",
        `${MAX_WAITING} requests are waiting for this conversation. Try again.`,
      )
    return new Promise((resolve) => {
      const go: Waiting = (isTurn) => {
        cancel()
        resolve(isTurn)
      }
      const cancel = this.#clock.after(MAX_WAIT_MS, () => {
        waiting.splice(waiting.indexOf(go), 1)
        resolve(false)
      })
      waiting.push(go)
    })
  }

  #next(stream: StreamId): void {
    const line = this.#lines.get(stream)
    const go = line?.owner.shift() ?? line?.others.shift()
    if (go === undefined) this.#lines.delete(stream)
    else go(true)
  }
}
