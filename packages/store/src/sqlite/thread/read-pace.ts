/**
 * Reads run on the main thread, one after another: a loop of them would block everything else until it ends (LOG-25).
 *
 *   asked ──this turn of the event loop has time left──▶ run at once
 *     └──none, or by whoever was just run from the line──▶ in line ──in a later turn, in the order they came──▶ run
 *
 * Each turn of the event loop has `TURN_MS` for reads requested by new events, and `LINE_MS` for waiting ones. So a
 * short request does all its reads at once, whatever loops are running, and each loop advances by a step per turn.
 * Turns are short because Node accepts few new connections in each.
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

  /** The second call comes after everything that follows from the first has happened. */
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
