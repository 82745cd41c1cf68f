/**
 * Reads run on the main thread, one after another: a loop of them would let nothing else happen before it ends (LOG-25).
 *
 *   asked ──this turn of the event loop has time left──▶ run at once
 *     └──none, or by whoever was just run from the line──▶ in line ──in a later turn, in the order they came──▶ run
 *
 * A turn has `TURN_MS` for reads that are asked by what came in, and `LINE_MS` for those in line. So a short request does
 * all its reads at once, whatever loops of others are under way, and each loop makes a step in a turn. Turns are short
 * because Node accepts few new connections in each.
 */
import { setImmediate } from "node:timers"

const TURN_MS = 4
const LINE_MS = 1

export class ReadPace {
  readonly #line: (() => void)[] = []
  #openedAt: number | undefined
  #isDraining = false
  #isScheduled = false

  run<T>(read: () => Promise<T>): Promise<T> {
    const now = performance.now()
    this.#schedule()
    if (!this.#isDraining) {
      this.#openedAt ??= now
      if (now - this.#openedAt < TURN_MS) return read()
    }
    return new Promise((resolve) => void this.#line.push(() => resolve(read())))
  }

  /** The second call comes when everything that follows from the first has happened. */
  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#drain())
    setImmediate(() => this.#close())
  }

  #drain(): void {
    this.#isDraining = true
    this.#openedAt = undefined
    const until = performance.now() + LINE_MS
    do this.#line.shift()?.()
    while (this.#line.length > 0 && performance.now() < until)
  }

  #close(): void {
    this.#isDraining = false
    this.#isScheduled = false
    if (this.#line.length > 0) this.#schedule()
  }
}
