/**
 * A cache of conversations as this process last wrote them, so that its next decision on one need not read first.
 *
 * An entry is stored once a decision, or a write of a running turn, is committed, and only if nothing else was written
 * since the rows it was decided on; any other write of this process drops it. Another process may have written since:
 * then the store rejects the decision as `moved`, and `decide` reads. So the cache is only an optimistic first attempt;
 * answers are read from the store.
 *
 * The messages a model was last shown are cached too, for the turn that such a decision starts: only an owner writes
 * messages, and by that decision this process is the owner. So a process reads a conversation's history once, however
 * many turns follow.
 *
 * A conversation with queued messages or open asks is not cached: those can be large. The cache is bounded, so idle
 * conversations are evicted.
 *
 * Commands are cached differently: only an owner writes them, and every claim increments the epoch by one. So what was
 * cached under our claim is valid until the claim ends, and through our next claim if no other came in between.
 */
import type { Address, ArchiveRow, MessageRow, NewChange, SlashCommandRow, StreamId } from "@parlor/protocol"
import type { Append, Appended } from "../ports/store.ts"
import type { ConversationState } from "./state.ts"

const CONVERSATIONS = 500
/** Characters of stored messages: per conversation, enough for a large window, and in total. */
const HISTORY_CHARS = 1_500_000
const ALL_HISTORY_CHARS = 8_000_000

/** A message and its stored length. */
export type Said = { readonly message: MessageRow; readonly chars: number }

/** The newest messages of a conversation without a gap, in order, without dimmed ones. */
export type CachedHistory = {
  readonly said: readonly Said[]
  readonly chars: number
  /** Whether these are all messages since the archive. */
  readonly isWhole: boolean
  /** Its summary replaces everything up to its end. */
  readonly archive: ArchiveRow | undefined
}

type Commands = ReadonlyMap<string, SlashCommandRow>

type CachedCommands = { readonly epoch: number; readonly commands: Commands }

type Entry = { readonly state: ConversationState; readonly history: CachedHistory | undefined }

/** The append being written, and the state derived from it. */
export type Writing = {
  readonly after: ConversationState
  readonly changes: readonly NewChange[]
  readonly append: Append
}

/** These collections change which messages a model is shown. */
const HISTORY_COLLECTIONS: ReadonlySet<NewChange["collection"]> = new Set(["archives", "rollbacks"])

const NOTHING_SAID: CachedHistory = { said: [], chars: 0, isWhole: true, archive: undefined }

export class ConversationCache {
  readonly #entries = new Map<StreamId, Entry>()
  readonly #ids = new Map<string, StreamId>()
  readonly #commands = new Map<StreamId, CachedCommands>()
  #chars = 0

  state(stream: StreamId): ConversationState | undefined {
    return this.#entries.get(stream)?.state
  }

  history(stream: StreamId): CachedHistory | undefined {
    return this.#entries.get(stream)?.history
  }

  /** The stream last seen at an address. It may have been deleted elsewhere. */
  at(address: Address): StreamId | undefined {
    return this.#ids.get(nameOf(address))
  }

  /**
   * Call before writing to `state`. Returns a function that stores the entry once the write is committed, together with
   * the messages cached now.
   */
  following(state: ConversationState, writing: Writing): (appended: Appended) => void {
    const before = this.#historyOf(state)
    return (appended) => {
      const after = isFollowing(state, writing, appended) ? withCounters(writing.after, appended) : undefined
      if (after === undefined || after.queued > 0 || after.asks.length > 0) return
      this.#put({ state: after, history: before && historyAfter(before, writing) })
      this.#ids.set(nameOf(after.address), after.stream.id)
      bound(this.#ids)
    }
  }

  /** Stores what was read, if nothing was written since that event. */
  keepHistory(stream: StreamId, head: number, history: CachedHistory): void {
    const state = this.state(stream)
    if (state?.stream.head === head && history.chars <= HISTORY_CHARS) this.#put({ state, history })
  }

  #historyOf(state: ConversationState): CachedHistory | undefined {
    if (state.lastOrd === 0 && state.status.origin === null) return NOTHING_SAID
    const entry = this.#entries.get(state.stream.id)
    return entry?.state === state ? entry.history : undefined
  }

  forget(stream: StreamId): void {
    this.#chars -= this.history(stream)?.chars ?? 0
    this.#entries.delete(stream)
  }

  /** The most recently written entry is evicted last. */
  #put(entry: Entry): void {
    const { id } = entry.state.stream
    this.forget(id)
    this.#entries.set(id, entry)
    this.#chars += entry.history?.chars ?? 0
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= CONVERSATIONS && this.#chars <= ALL_HISTORY_CHARS) return
      this.forget(oldest)
    }
  }

  /** `epoch`: of the current claim. */
  commands(stream: StreamId, epoch: number): Commands | undefined {
    const cached = this.#commands.get(stream)
    return cached !== undefined && (cached.epoch === epoch || cached.epoch + 1 === epoch) ? cached.commands : undefined
  }

  /** Undefined while they are being written. */
  keepCommands(stream: StreamId, epoch: number, commands: Commands | undefined): void {
    this.#commands.delete(stream)
    if (commands === undefined) return
    this.#commands.set(stream, { epoch, commands })
    bound(this.#commands)
  }

  remove(stream: StreamId, address: Address): void {
    this.forget(stream)
    this.#commands.delete(stream)
    this.#ids.delete(nameOf(address))
  }
}

/** Whether nothing else was written between the state and this append. */
function isFollowing(
  { stream }: ConversationState,
  { changes }: Writing,
  appended: Appended,
): appended is Extract<Appended, { ok: true }> {
  return appended.ok && !appended.skipped && appended.head === stream.head + changes.length
}

function withCounters(after: ConversationState, { head, control, epoch }: Extract<Appended, { ok: true }>) {
  return { ...after, stream: { ...after.stream, head, control, epoch } }
}

function historyAfter(before: CachedHistory, { changes, append }: Writing): CachedHistory | undefined {
  if (changes.some(({ collection }) => HISTORY_COLLECTIONS.has(collection))) return undefined
  if (!changes.some(({ collection }) => collection === "messages")) return before
  const said = [...before.said]
  let { chars } = before
  for (const [index, change] of changes.entries()) {
    if (change.collection !== "messages") continue
    const message = change.row
    const one = { message, chars: append.changes[index]?.value.length ?? 0 }
    const place = said.findLastIndex((earlier) => earlier.message.ord <= message.ord)
    const earlier = said[place]
    chars += one.chars
    if (earlier?.message.id === message.id) {
      chars -= earlier.chars
      said[place] = one
    } else if (place === said.length - 1) said.push(one)
    else return undefined
  }
  return chars > HISTORY_CHARS ? undefined : { ...before, said, chars }
}

function bound<K, V>(map: Map<K, V>): void {
  if (map.size <= CONVERSATIONS) return
  for (const oldest of map.keys()) {
    map.delete(oldest)
    return
  }
}

/** Names contain no line breaks (ADR-5). */
function nameOf({ agent, branch, person }: Address): string {
  return `${agent}\n${branch}\n${person}`
}
