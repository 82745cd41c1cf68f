/**
 * What each person used today, as far as this process knows, so that a short turn reads nothing (SEC-21).
 *
 * Read from the ledger once a day for each person; this process's own usage is added at once. If other processes write
 * to the same store, a total older than `FRESH_MS` is read again: in the background, or before answering if it is older
 * than `STALE_MS` or little of the budget is left. So other processes' usage is seen a few seconds late, and near the
 * limit at once.
 */
import type { Millis } from "@parlor/protocol"
import type { Clock } from "../ports/clock.ts"
import type { Store } from "../ports/store.ts"
import type { DayTotal, Spending, UsageCounts } from "../ports/usage.ts"
import { dayOf } from "./day.ts"

const FRESH_MS = 5_000
const STALE_MS = 60_000
/** With more people than this the totals are read again. */
const MAX_CACHED = 10_000

type TotalsStore = Pick<Store, "watch"> & { readonly usage: Pick<UsageCounts, "dayTotal"> }
type Known = { readonly day: string; readonly readAt: Millis; readonly total: DayTotal }

export class DayTotals {
  readonly #store: TotalsStore
  readonly #clock: Clock
  readonly #known = new Map<string, Known>()
  readonly #reading = new Map<string, Promise<DayTotal>>()

  constructor(store: TotalsStore, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  /** `isNear`: whether this total leaves little of the budget. */
  today(person: string, isNear: (total: DayTotal) => boolean): DayTotal | Promise<DayTotal> {
    const now = this.#clock.now()
    const known = this.#known.get(person)
    if (known === undefined || known.day !== dayOf(now)) return this.read(person)
    if (this.#store.watch === undefined) return known.total
    const age = now - known.readAt
    if (age >= STALE_MS || isNear(known.total)) return this.read(person)
    // A failed read keeps the cached total; the next call retries.
    if (age >= FRESH_MS) this.read(person).catch(() => undefined)
    return known.total
  }

  /** From the ledger. */
  read(person: string): Promise<DayTotal> {
    const reading = this.#reading.get(person) ?? this.#read(person).finally(() => this.#reading.delete(person))
    this.#reading.set(person, reading)
    return reading
  }

  add({ person, day, source, calls, inputTokens, outputTokens, costMicros }: Spending): void {
    const known = this.#known.get(person)
    if (known === undefined || known.day !== day) return
    const { total } = known
    const tokens = inputTokens + outputTokens
    const more =
      source === "granted"
        ? { grantedTokens: total.grantedTokens + tokens, grantedMicros: total.grantedMicros + costMicros }
        : { calls: total.calls + calls, tokens: total.tokens + tokens, costMicros: total.costMicros + costMicros }
    this.#known.set(person, { ...known, total: { ...total, ...more } })
  }

  async #read(person: string): Promise<DayTotal> {
    const readAt = this.#clock.now()
    const day = dayOf(readAt)
    const before = this.#known.get(person)
    const total = await this.#store.usage.dayTotal(person, day)
    const after = this.#known.get(person)
    // What was added during the read may be missing in it: the larger of the two is never too small for long.
    const added = before !== undefined && after?.day === day && before.day === day && after !== before
    const kept = added ? larger(total, after.total) : total
    if (this.#known.size >= MAX_CACHED) this.#known.clear()
    this.#known.set(person, { day, readAt, total: kept })
    return kept
  }
}

function larger(a: DayTotal, b: DayTotal): DayTotal {
  return {
    calls: Math.max(a.calls, b.calls),
    tokens: Math.max(a.tokens, b.tokens),
    costMicros: Math.max(a.costMicros, b.costMicros),
    grantedTokens: Math.max(a.grantedTokens, b.grantedTokens),
    grantedMicros: Math.max(a.grantedMicros, b.grantedMicros),
  }
}
