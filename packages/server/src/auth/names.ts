/**
 * Resolves names to people (ADR-4): a linked name to its person, any other name to itself. Done once per request,
 * after the credential was checked against the given name; no handler ever sees a linked name. The local token always
 * belongs to its owner and needs no lookup.
 *
 * Results are cached. A change made here clears the cache at once; a change by another node is seen when the entries
 * expire. Until then a name that was just linked may still resolve to itself: the store refuses to create anything
 * for it, and `again` returns who it is now.
 */
import type { Clock, Links, Store } from "@parlor/core"
import { Refusal } from "@parlor/protocol"
import type { Authenticate, Caller } from "./caller.ts"

/** Together with the four seconds after which open streams are checked again, this is less than the five of SEC-4. */
const FRESH_MS = 500
const KEPT = 10_000

type NameStore = Pick<Store, "watch"> & { readonly links: Pick<Links, "named"> }
type Known = { readonly person: string; readonly until: number }

export class Names {
  readonly #store: NameStore
  readonly #clock: Clock
  readonly #known = new Map<string, Known>()
  #changes = 0

  constructor(store: NameStore, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  async personOf(name: string): Promise<string> {
    const known = this.#known.get(name)
    if (known !== undefined && known.until > this.#clock.now()) return known.person
    const before = this.#changes
    // No other process writes to this store, so there is nothing to watch.
    const until = this.#store.watch === undefined ? Number.POSITIVE_INFINITY : this.#clock.now() + FRESH_MS
    const person = (await this.linkedAmong([name])).get(name) ?? name
    // What was read during a change may be stale.
    if (before === this.#changes) this.#keep(name, { person, until })
    return person
  }

  /** The current links of these names, uncached. */
  async linkedAmong(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (names.length === 0) return new Map()
    return new Map((await this.#store.links.named(names)).map(({ name, person }) => [name, person]))
  }

  /** After a change made here. */
  forget(): void {
    this.#changes += 1
    this.#known.clear()
  }

  /** Who this caller is now, if their name has been linked or unlinked since. */
  async again(caller: Caller): Promise<Caller | undefined> {
    if (caller.isLocal) return undefined
    const given = givenName(caller)
    const person = (await this.linkedAmong([given])).get(given) ?? given
    if (person === caller.person) return undefined
    this.#known.delete(given)
    return asPerson(caller, person)
  }

  #keep(name: string, known: Known): void {
    if (this.#known.size >= KEPT) this.#known.clear()
    this.#known.set(name, known)
  }
}

export function underOnePerson(authenticate: Authenticate, names: Names): Authenticate {
  return async (request) => {
    const caller = await authenticate(request)
    return caller.isLocal ? caller : asPerson(caller, await names.personOf(caller.person))
  }
}

/** The name the credential was checked for. */
export function givenName({ person, linkedName }: Pick<Caller, "person" | "linkedName">): string {
  return linkedName ?? person
}

/** Whether a caller may link names: for themselves, and for people they may act for (ADR-2). */
export function speaksFor(caller: Caller, name: string): boolean {
  if (caller.isLocal || name === caller.person) return true
  return caller.actFor !== null && name.startsWith(caller.actFor.slice(0, -1))
}

export function checkSpeaksFor(caller: Caller, name: string, pointer: string): void {
  if (speaksFor(caller, name)) return
  throw new Refusal(
    "person.not-allowed",
    `This token is not allowed to link names of ${JSON.stringify(name)}.`,
    pointer,
  )
}

function asPerson(caller: Caller, person: string): Caller {
  if (person === caller.person) return caller
  const { linkedName: _, ...given } = { ...caller, person: givenName(caller) }
  return person === given.person ? given : { ...given, person, linkedName: given.person }
}
