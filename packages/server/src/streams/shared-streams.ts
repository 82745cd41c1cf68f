/**
 * Counts the open streams of people on all servers of a store (SEC-14).
 *
 *   few here, few elsewhere ──▶ admitted at once, told to the store within seconds
 *   otherwise ──▶ told to the store, which answers with what the others have ──▶ admitted or refused
 *
 * So somebody with a few streams never waits for it, and near the limit servers see each other exactly. What a server
 * has told expires by itself: one that dies frees its places within a minute. While the store does not answer, each
 * server counts for itself.
 */
import type { Clock, Store } from "@parlor/core"

const TELL_MS = 2_000
/** Shorter than the time after which the store forgets a server. */
const RENEW_MS = 20_000
/** Below this share of the limit here, and this share in all, nobody is asked. */
const FEW_HERE = 1 / 8
const FEW_IN_ALL = 1 / 2

export type Place = { readonly whose: string; readonly most: number }

type Told = { readonly count: number; readonly at: number; readonly elsewhere: number }

export class SharedStreams {
  readonly #clock: Clock
  readonly #taken: ReadonlyMap<string, number>
  readonly #tell: NonNullable<Store["openStreams"]>
  readonly #told = new Map<string, Told>()
  readonly #wanted = new Set<string>()
  #running: Promise<void> | undefined
  #next: Promise<void> | undefined
  #cancel: () => void = () => {}
  #closed = false

  /** `taken`: the streams of this server, by counter. */
  constructor(clock: Clock, taken: ReadonlyMap<string, number>, tell: NonNullable<Store["openStreams"]>) {
    this.#clock = clock
    this.#taken = taken
    this.#tell = tell
    this.#again()
  }

  /** After the place was taken here: the first one that all servers together have no room for. */
  async refused(places: readonly Place[]): Promise<Place | undefined> {
    const isFew = ({ whose, most }: Place) => {
      const here = this.#taken.get(whose) ?? 0
      return here <= most * FEW_HERE && here + (this.#told.get(whose)?.elsewhere ?? 0) <= most * FEW_IN_ALL
    }
    if (places.every(isFew)) return undefined
    await this.#report(places.map(({ whose }) => whose)).catch(() => undefined)
    return places.find(
      ({ whose, most }) => (this.#taken.get(whose) ?? 0) + (this.#told.get(whose)?.elsewhere ?? 0) > most,
    )
  }

  close(): void {
    this.#closed = true
    this.#cancel()
    const none = new Map([...this.#told.keys()].map((whose) => [whose, 0] as const))
    if (none.size > 0) void this.#tell(none).catch(() => undefined)
  }

  /** One report at a time, each with the current counts: an older one must not overwrite a newer one. */
  async #report(counters: readonly string[]): Promise<void> {
    if (counters.length === 0) return
    for (const whose of counters) this.#wanted.add(whose)
    this.#next ??= this.#run()
    return this.#next
  }

  async #run(): Promise<void> {
    await this.#running?.catch(() => undefined)
    this.#next = undefined
    const counts = new Map([...this.#wanted].map((whose) => [whose, this.#taken.get(whose) ?? 0] as const))
    this.#wanted.clear()
    this.#running = this.#send(counts)
    return this.#running
  }

  async #send(counts: ReadonlyMap<string, number>): Promise<void> {
    const elsewhere = await this.#tell(counts)
    const at = this.#clock.now()
    for (const [whose, count] of counts)
      if (count === 0) this.#told.delete(whose)
      else this.#told.set(whose, { count, at, elsewhere: elsewhere.get(whose) ?? 0 })
  }

  /** What changed since it was told, or was told long ago. */
  #due(): readonly string[] {
    const old = this.#clock.now() - RENEW_MS
    const isDue = (whose: string) => {
      const told = this.#told.get(whose)
      return told === undefined || told.count !== this.#taken.get(whose) || told.at <= old
    }
    return [...new Set([...this.#taken.keys(), ...this.#told.keys()])].filter(isDue)
  }

  #again(): void {
    if (this.#closed) return
    this.#cancel = this.#clock.after(TELL_MS, () => {
      this.#report(this.#due())
        .catch(() => undefined)
        .finally(() => this.#again())
    })
  }
}
