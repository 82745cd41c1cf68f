/**
 * Rates that all servers of one store count together (SEC-44), without a round trip for any call.
 *
 *   take ──▶ decided by this server's bucket ──within a second──▶ told to the store, together with all others
 *                      ▲                                               │
 *                      └── corrected: how full the shared bucket is ◀──┘
 *
 * The store has one bucket per key, and every server adds to it what it let pass. A server keeps asking about a bucket
 * that is not full, so it notices what the others let pass. Between two reports servers do not see each other: each may
 * let one burst pass, and what the rate allows meanwhile. The shared bucket remembers all of it, so nothing passes
 * afterwards until that is made up for. While the store does not answer, each server counts for itself.
 */
import type { Millis } from "@parlor/protocol"
import type { Clock } from "../ports/clock.ts"
import type { Store } from "../ports/store.ts"
import { Rates } from "./rates.ts"

const REPORT_MS: Millis = 1_000
/** Keys whose calls the store does not know yet. With more, all of them are forgotten. */
const MAX_UNTOLD = 20_000

type Share = NonNullable<Store["shareRates"]>

/**
 * Calls that passed, as one change of a bucket: full at the later of its time and `from`, plus `cost`. Any sequence of
 * calls is such a change, so one report says exactly what many calls did.
 */
type Passed = { readonly from: Millis; readonly cost: Millis }

export class SharedRates {
  readonly #clock: Clock
  readonly #share: Share | undefined
  readonly #rates = new Map<string, Rates>()
  /** What passed here since the last report, by name and key. */
  #untold = new Map<string, Passed>()
  #isDue = false
  #cancel: () => void = () => {}
  #closed = false

  /** Without `share`, this is the only server. */
  constructor(clock: Clock, share: Share | undefined) {
    this.#clock = clock
    this.#share = share
  }

  /** `name`: the same on every server, without spaces. */
  add(name: string): Rates {
    if (this.#share === undefined) return new Rates()
    const rates = new Rates((key, cost) => this.#note(`${name} ${key}`, cost))
    this.#rates.set(name, rates)
    return rates
  }

  close(): void {
    this.#closed = true
    this.#cancel()
  }

  #note(whose: string, cost: Millis): void {
    if (this.#untold.size >= MAX_UNTOLD) this.#untold.clear()
    this.#untold.set(whose, followedBy(this.#untold.get(whose), { from: this.#clock.now(), cost }))
    this.#soon()
  }

  #soon(): void {
    if (this.#isDue || this.#closed) return
    this.#isDue = true
    this.#cancel = this.#clock.after(REPORT_MS, () => void this.#report())
  }

  async #report(): Promise<void> {
    const told = this.#untold
    const now = this.#clock.now()
    this.#untold = new Map()
    const asked = this.#unfilled().map((whose) => [whose, { cost: 0, agoMs: 0 }] as const)
    const given = new Map([
      ...asked,
      ...[...told].map(([whose, { from, cost }]) => [whose, { cost, agoMs: Math.max(0, now - from) }] as const),
    ])
    try {
      this.#correct(given.keys(), (await this.#share?.(given)) ?? new Map())
    } catch {
      const since = this.#untold
      this.#untold = told
      for (const [whose, passed] of since) told.set(whose, followedBy(told.get(whose), passed))
    }
    this.#isDue = false
    if (this.#untold.size > 0 || this.#unfilled().length > 0) this.#soon()
  }

  /** What passed while the store was asked is not in its answer. */
  #correct(asked: Iterable<string>, answer: ReadonlyMap<string, Millis>): void {
    const now = this.#clock.now()
    for (const whose of asked) {
      const at = whose.indexOf(" ")
      const { from, cost } = this.#untold.get(whose) ?? { from: now, cost: 0 }
      const fullAt = Math.max(now + (answer.get(whose) ?? 0), from) + cost
      this.#rates.get(whose.slice(0, at))?.correct(whose.slice(at + 1), fullAt - now, now)
    }
  }

  #unfilled(): readonly string[] {
    const now = this.#clock.now()
    return [...this.#rates].flatMap(([name, rates]) => rates.unfilled(now).map((key) => `${name} ${key}`))
  }
}

function followedBy(first: Passed | undefined, next: Passed): Passed {
  if (first === undefined) return next
  return { from: Math.max(first.from, next.from - first.cost), cost: first.cost + next.cost }
}
