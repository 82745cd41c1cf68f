import type { Clock } from "../ports/clock.ts"
import { type Log, reasonFields } from "../ports/log.ts"

/** Work that repeats until `stop`. A run starts the given time after the end of the one before. */
export class Periodic {
  readonly #on: { readonly clock: Clock; readonly log: Log }
  readonly #timers = new Set<() => void>()

  constructor(on: { readonly clock: Clock; readonly log: Log }) {
    this.#on = on
  }

  /** Whether anything repeats. */
  get isRunning(): boolean {
    return this.#timers.size > 0
  }

  every(ms: number, work: () => Promise<void>): void {
    const { clock, log } = this.#on
    let cancel = () => {}
    const forget = () => cancel()
    const again = () => {
      cancel = clock.after(ms, () => {
        work()
          .catch((error) => log.warn("periodic work failed", reasonFields(error)))
          .finally(() => this.#timers.has(forget) && again())
      })
    }
    this.#timers.add(forget)
    again()
  }

  stop(): void {
    for (const cancel of this.#timers) cancel()
    this.#timers.clear()
  }
}
