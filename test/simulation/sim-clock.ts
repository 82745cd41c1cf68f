/**
 * The one clock of a simulation. It stands still until it is moved; what falls due goes off in order, one at a time, and
 * everything that this started has settled before the next goes off. So a run is the same every time.
 */
import type { Clock } from "@parlor/core"

type Timer = { readonly at: number; readonly order: number; call: (() => void) | undefined }

export class SimClock implements Clock {
  /** What has to be waited for besides promises: a store in another thread. */
  settled: () => Promise<void> = drained
  #now = 1_700_000_000_000
  #order = 0
  /** A heap: the earliest timer first. */
  readonly #timers: Timer[] = []

  now(): number {
    return this.#now
  }

  after(ms: number, call: () => void): () => void {
    const timer: Timer = { at: this.#now + Math.max(0, Math.round(ms)), order: this.#order++, call }
    this.#push(timer)
    return () => {
      timer.call = undefined
    }
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void this.after(ms, resolve))
  }

  async advance(ms: number): Promise<void> {
    const until = this.#now + ms
    await this.settled()
    for (let next = this.#timers[0]; next !== undefined && next.at <= until; next = this.#timers[0]) {
      this.#pop()
      if (next.call === undefined) continue
      this.#now = next.at
      next.call()
      await this.settled()
    }
    this.#now = until
  }

  #push(timer: Timer): void {
    const heap = this.#timers
    let place = heap.push(timer) - 1
    while (place > 0) {
      const parent = (place - 1) >>> 1
      const above = heap[parent]
      if (above === undefined || isBefore(above, timer)) break
      heap[place] = above
      place = parent
    }
    heap[place] = timer
  }

  #pop(): void {
    const heap = this.#timers
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return
    let place = 0
    for (;;) {
      let child = place * 2 + 1
      let below = heap[child]
      if (below === undefined) break
      const right = heap[child + 1]
      if (right !== undefined && isBefore(right, below)) {
        child += 1
        below = right
      }
      if (isBefore(last, below)) break
      heap[place] = below
      place = child
    }
    heap[place] = last
  }
}

/** All promises that are ready have run: a tick comes when no more of them are. It costs no turn of the event loop. */
export function drained(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve))
}

function isBefore(a: Timer, b: Timer): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order)
}
