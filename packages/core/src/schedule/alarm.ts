/**
 * One timer for everything that is due at a time this process knows of.
 *
 *   quiet ──at(t)──▶ set ──t──▶ ringing ──rung──▶ quiet, or set for what `ring` says is next
 *                     ▲ earlier: set anew          at(t) meanwhile: rings once more
 *
 * It stores nothing: ringing reads the store. Times that only another process knows of are found by the sweep.
 */
import type { Millis } from "@parlor/protocol"
import type { Clock } from "../ports/clock.ts"

/** Timers cannot wait longer than this; a longer wait takes several. */
const LONGEST_MS = 2 ** 31 - 1

export class Alarm {
  readonly #clock: Clock
  /** Does what is due and returns when to ring next. */
  readonly #ring: () => Promise<Millis | undefined>
  #setFor: Millis | undefined
  #cancel = () => {}
  #ringing: Promise<void> | undefined
  #missed = false
  #isOff = true

  constructor(parts: { readonly clock: Clock; readonly ring: () => Promise<Millis | undefined> }) {
    this.#clock = parts.clock
    this.#ring = parts.ring
  }

  start(): void {
    this.#isOff = false
  }

  /** Something is due at this time. */
  at(time: Millis): void {
    if (this.#isOff) return
    if (this.#ringing !== undefined && time <= this.#clock.now()) this.#missed = true
    if (this.#setFor !== undefined && this.#setFor <= time) return
    this.#cancel()
    this.#setFor = time
    const span = Math.min(Math.max(0, time - this.#clock.now()), LONGEST_MS)
    this.#cancel = this.#clock.after(span, () => void this.ring())
  }

  /** Checks now. Resolves when what was due is done. */
  ring(): Promise<void> {
    if (this.#isOff) return Promise.resolve()
    // Even while it rings: a timer that has fired must not stand in the way of the next time.
    this.#cancel()
    this.#setFor = undefined
    if (this.#ringing !== undefined) {
      this.#missed = true
      return this.#ringing
    }
    this.#ringing = this.#run().finally(() => {
      this.#ringing = undefined
    })
    return this.#ringing
  }

  async stop(): Promise<void> {
    this.#isOff = true
    this.#cancel()
    this.#setFor = undefined
    await this.#ringing
  }

  async #run(): Promise<void> {
    do {
      this.#missed = false
      const next = await this.#ring()
      if (next !== undefined) this.at(Math.max(next, this.#clock.now() + 1))
    } while (this.#missed && !this.#isOff)
  }
}
