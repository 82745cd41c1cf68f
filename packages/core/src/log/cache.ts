/**
 * A cache of conversations as this process last wrote them, so that its next decision on one need not read it first.
 *
 * An entry is stored once a decision, or what a turn of ours has said, is committed, and only when nothing else was
 * written between the rows it was decided on and itself; any other write of this process drops it. Another process may
 * have written since: then the store refuses what is decided here as `moved`, and `decide` reads. So the cache is only an
 * optimistic first attempt; answers are read from the store.
 *
 * The messages a model was last shown are cached with it, for the turn that such a decision starts: only an owner writes
 * messages, and by that decision the owner is us. So a turn reads no history but the first one here, however long the
 * conversation is.
 *
 * A conversation with messages waiting or asks open is not cached: those can be large. The cache is bounded, so a
 * conversation nobody writes to costs nothing for long.
 *
 * Commands are cached by other means: only an owner writes them, and every claim counts the epoch up by one. So what was
 * cached under a claim of ours holds until the end of it and through our next one, if that follows at once.
 */
import type { Address, ArchiveRow, CommandRow, MessageRow, NewChange, StreamId } from "@parlor/protocol"
import type { Append, Appended } from "../ports/store.ts"
import type { ConversationState } from "./state.ts"

const CONVERSATIONS = 500
/** Of what was said, as it is stored: in one conversation as much as a large window takes, and in all of them. */
const HISTORY_CHARS = 1_500_000
const ALL_HISTORY_CHARS = 8_000_000

/** A message, and how long it is as it is stored. */
export type Said = { readonly message: MessageRow; readonly chars: number }

/** The newest messages of a conversation without a gap, in its order, and nothing that is dimmed. */
export type CachedHistory = {
  readonly said: readonly Said[]
  readonly chars: number
  /** Whether these are all messages since the archive. */
  readonly isWhole: boolean
  /** Its summary stands for everything at or before its end. */
  readonly archive: ArchiveRow | undefined
}

type Commands = ReadonlyMap<string, CommandRow>

type CachedCommands = { readonly epoch: number; readonly commands: Commands }

type Entry = { readonly state: ConversationState; readonly history: CachedHistory | undefined }

/** What is being written, and the state that follows from it. */
export type Writing = {
  readonly after: ConversationState
  readonly changes: readonly NewChange[]
  readonly append: Append
}

/** These say what of the messages a model is shown. */
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

  /** Where the conversation at an address was. It may have been deleted elsewhere: then its stream is gone. */
  at(address: Address): StreamId | undefined {
    return this.#ids.get(nameOf(address))
  }

  /**
   * Asked before `state` is written to, as it will be once that is committed: the answer stores the entry, with the
   * messages that are cached now.
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

  /** What was read of it, when it was at that event. */
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

  /** What was written to last is the last to go. */
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

  /** `epoch`: of the claim under which this is asked. */
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

/** Whether nothing else was written between the state and this. */
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

/** Names hold no line breaks (ADR-5). */
function nameOf({ agent, branch, person }: Address): string {
  return `${agent}\n${branch}\n${person}`
}
