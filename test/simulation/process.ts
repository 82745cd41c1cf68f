/**
 * A process that runs a runtime, and how it may fail.
 *
 *   up ──pause──▶ paused ──resume──▶ up      what reaches it meanwhile waits, as for a stopped process
 *    └──kill─────────┴──▶ dead               nothing reaches it any more
 *
 * Everything that comes to a runtime from outside (timers, answers of the store, words of a model, results of tools,
 * commands) comes through `deliver`, so that a process that is not up does nothing at all.
 */
import type { Clock } from "@parlor/core"
import type { SimClock } from "./sim-clock.ts"

export class Process {
  readonly name: string
  readonly machine: number
  readonly clock: Clock
  state: "up" | "paused" | "dead" = "up"
  /** It is about to stop, and starts nothing any more. */
  isDraining = false
  /** When it was last not up, for what is promised only while nothing fails. */
  troubledAt = 0
  readonly #sim: SimClock
  #waiting: (() => void)[] = []

  constructor(name: string, machine: number, sim: SimClock) {
    this.name = name
    this.machine = machine
    this.#sim = sim
    this.clock = { now: () => sim.now(), after: (ms, call) => this.#after(ms, call) }
  }

  get isDead(): boolean {
    return this.state === "dead"
  }

  deliver(call: () => void): void {
    if (this.state === "up") call()
    else if (this.state === "paused") this.#waiting.push(call)
  }

  /** The same promise, as this process sees it. */
  receive<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      promise.then(
        (value) => this.deliver(() => resolve(value)),
        (error) => this.deliver(() => reject(error)),
      )
    })
  }

  pause(): void {
    this.state = "paused"
    this.troubledAt = this.#sim.now()
  }

  async resume(): Promise<void> {
    this.state = "up"
    this.troubledAt = this.#sim.now()
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      next()
      await this.#sim.settled()
    }
  }

  kill(): void {
    this.state = "dead"
    this.#waiting = []
  }

  #after(ms: number, call: () => void): () => void {
    let cancelled = false
    const fire = () => !cancelled && call()
    const cancel = this.#sim.after(ms, () => this.deliver(fire))
    return () => {
      cancelled = true
      cancel()
    }
  }
}
