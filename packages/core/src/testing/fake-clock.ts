/** A clock that stands still until it is advanced. */
import type { Clock } from "../ports/clock.ts"

type Timer = { readonly at: number; readonly order: number; readonly call: () => void }

export class FakeClock implements Clock {
  #now: number
  #order = 0
  readonly #timers = new Set<Timer>()

  constructor(now = 1_700_000_000_000) {
    this.#now = now
  }

  now(): number {
    return this.#now
  }

  after(ms: number, call: () => void): () => void {
    const timer = { at: this.#now + Math.max(0, ms), order: this.#order++, call }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  /** Advances, firing due timers in order, and lets what they start settle in between. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms
    await settle()
    for (let next = this.#due(until); next !== undefined; next = this.#due(until)) {
      this.#timers.delete(next)
      this.#now = next.at
      next.call()
      await settle()
    }
    this.#now = until
  }

  get waiting(): number {
    return this.#timers.size
  }

  #due(until: number): Timer | undefined {
    let first: Timer | undefined
    for (const timer of this.#timers) {
      if (timer.at > until) continue
      if (first === undefined || timer.at < first.at || (timer.at === first.at && timer.order < first.order))
        first = timer
    }
    return first
  }
}

/** Runs promises that are ready. */
async function settle(): Promise<void> {
  for (let i = 0; i < 50; i++) await Promise.resolve()
}
