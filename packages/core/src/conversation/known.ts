/**
 * Conversations as this process last wrote them, so that its next decision on one need not read it first.
 *
 * What is known is put down when a decision, or what a turn of ours has said, is durable, and only when nothing else was
 * written between the rows it goes by and itself; any other write of this process forgets it. Another process may have
 * written since: then the store refuses what is decided here as `moved`, and `decide` reads. So nothing is ever answered
 * from here, only tried.
 *
 * The messages a model was last shown are known with it, for the turn that such a decision starts: only an owner writes
 * messages, and by that decision the owner is us. So a turn reads no history but the first one here, however long the
 * conversation is.
 *
 * A conversation with messages waiting or asks open is not kept: those can be large. What is kept has a bound, so a
 * conversation nobody writes to costs nothing for long.
 *
 * Its commands are known by other means: only an owner writes them, and every claim counts the epoch up by one. So what
 * was known under a claim of ours holds until the end of it and through our next one, if that follows at once.
 */
import type { Address, ArchiveRow, MessageRow, NewChange, StreamId } from "@parlor/protocol"
import type { Commands } from "../agent/command.ts"
import type { Append, Appended } from "../ports/store.ts"
import type { ConversationState } from "./state.ts"

const CONVERSATIONS = 500
/** Of what was said, as it is stored: in one conversation as much as a large window takes, and in all of them. */
const HISTORY_CHARS = 600_000
const ALL_HISTORY_CHARS = 4_000_000

/** A message, and how long it is as it is stored. */
export type Said = { readonly message: MessageRow; readonly chars: number }

/** The newest messages of a conversation without a gap, in its order, and nothing that is dimmed. */
export type KnownHistory = {
  readonly said: readonly Said[]
  readonly chars: number
  /** How long the message before them is. Null when there is none that a model could be shown. */
  readonly charsBefore: number | null
  /** Its summary stands for everything at or before its end. */
  readonly archive: ArchiveRow | undefined
}

type KnownCommands = { readonly epoch: number; readonly commands: Commands }

type Entry = { readonly state: ConversationState; readonly history: KnownHistory | undefined }

/** What was decided or said, on which rows, and how it was written. */
export type Written = {
  readonly state: ConversationState
  readonly changes: readonly NewChange[]
  readonly append: Append
  readonly appended: Appended
}

/** What no decision looks at. */
const BESIDE_STATE: ReadonlySet<NewChange["collection"]> = new Set(["turns", "deltas", "commands", "files", "changes"])

const NOTHING_SAID: KnownHistory = { said: [], chars: 0, charsBefore: null, archive: undefined }

export class Known {
  readonly #entries = new Map<StreamId, Entry>()
  readonly #ids = new Map<string, StreamId>()
  readonly #commands = new Map<StreamId, KnownCommands>()
  #chars = 0

  state(stream: StreamId): ConversationState | undefined {
    return this.#entries.get(stream)?.state
  }

  history(stream: StreamId): KnownHistory | undefined {
    return this.#entries.get(stream)?.history
  }

  /** Where the conversation at an address was. It may have been deleted elsewhere: then its stream is gone. */
  at(address: Address): StreamId | undefined {
    return this.#ids.get(nameOf(address))
  }

  /** `before`: its messages before this was written, where they were known. */
  keep(written: Written, before: KnownHistory | undefined): void {
    const state = stateAfter(written)
    if (state === undefined) return
    const said = written.state.lastOrd === 0 ? NOTHING_SAID : before
    this.#put({ state, history: said && historyAfter(said, written) })
    this.#ids.set(nameOf(state.address), state.stream.id)
    bound(this.#ids)
  }

  /** What was read of it, when it was at that event. */
  keepHistory(stream: StreamId, head: number, history: KnownHistory): void {
    const state = this.state(stream)
    if (state?.stream.head === head && history.chars <= HISTORY_CHARS) this.#put({ state, history })
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
    const known = this.#commands.get(stream)
    return known !== undefined && (known.epoch === epoch || known.epoch + 1 === epoch) ? known.commands : undefined
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

/** Undefined where the rows after the changes are not known in full, or are more than is kept. */
function stateAfter({ state, changes, appended }: Written): ConversationState | undefined {
  if (!appended.ok || appended.skipped || appended.head !== state.stream.head + changes.length) return undefined
  if (state.queued > 0 || state.asks.length > 0) return undefined
  let { status, lastOrd } = state
  for (const change of changes) {
    if (change.collection === "status") status = change.row
    else if (change.collection === "messages") lastOrd = Math.max(lastOrd, change.row.ord)
    else if (!BESIDE_STATE.has(change.collection)) return undefined
  }
  const { head, control, epoch } = appended
  return { ...state, stream: { ...state.stream, head, control, epoch }, status, lastOrd }
}

function historyAfter(before: KnownHistory, { changes, append }: Written): KnownHistory | undefined {
  if (!changes.some(({ collection }) => collection === "messages")) return before
  const said = [...before.said]
  let { chars } = before
  for (const [index, change] of changes.entries()) {
    if (change.collection !== "messages") continue
    const message = change.row
    const one = { message, chars: append.changes[index]?.value.length ?? 0 }
    const place = said.findLastIndex((known) => known.message.ord <= message.ord)
    const known = said[place]
    chars += one.chars
    if (known?.message.id === message.id) {
      chars -= known.chars
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
