/**
 * Conversations as this process last wrote them, so that its next decision on one need not read it first.
 *
 * What is known is put down when a decision is durable, and only when nothing else was written between the rows it was
 * made on and itself; any other write of this process forgets it. Another process may have written since: then the store
 * refuses what is decided here as `moved`, and `decide` reads. So nothing is ever answered from here, only tried.
 *
 * The messages are known with it where they are few, for the turn that such a decision starts: only an owner writes
 * messages, and by that decision the owner is us.
 *
 * A conversation with messages waiting or asks open is not kept: those can be large. What is kept has a bound, so a
 * conversation nobody writes to costs nothing for long.
 *
 * Its commands are known by other means: only an owner writes them, and every claim counts the epoch up by one. So what
 * was known under a claim of ours holds until the end of it and through our next one, if that follows at once.
 */
import type { Address, MessageRow, NewChange, StreamId } from "@parlor/protocol"
import type { Commands } from "../agent/command.ts"
import type { Append, Appended } from "../ports/store.ts"
import type { ConversationState } from "./state.ts"

const CONVERSATIONS = 500
const HISTORY_CHARS = 8_000

/** All messages of a conversation, in its order, and how long they are as they are stored. */
export type WholeHistory = { readonly messages: readonly MessageRow[]; readonly chars: number }

type KnownCommands = { readonly epoch: number; readonly commands: Commands }

type Entry = { readonly state: ConversationState; readonly history: WholeHistory | undefined }

/** What was decided, on which rows, and how it was written. */
export type Written = {
  readonly state: ConversationState
  readonly changes: readonly NewChange[]
  readonly append: Append
  readonly appended: Appended
}

/** What no decision looks at. */
const BESIDE_STATE: ReadonlySet<NewChange["collection"]> = new Set(["turns", "deltas", "commands"])

const NOTHING_SAID: WholeHistory = { messages: [], chars: 0 }

export class Known {
  readonly #entries = new Map<StreamId, Entry>()
  readonly #ids = new Map<string, StreamId>()
  readonly #commands = new Map<StreamId, KnownCommands>()

  state(stream: StreamId): ConversationState | undefined {
    return this.#entries.get(stream)?.state
  }

  history(stream: StreamId): WholeHistory | undefined {
    return this.#entries.get(stream)?.history
  }

  /** Where the conversation at an address was. It may have been deleted elsewhere: then its stream is gone. */
  at(address: Address): StreamId | undefined {
    return this.#ids.get(nameOf(address))
  }

  /** `before`: its messages before this was written, where they were known. */
  keep(written: Written, before: WholeHistory | undefined): void {
    const state = stateAfter(written)
    if (state === undefined) return
    const { id } = state.stream
    const said = written.state.lastOrd === 0 ? NOTHING_SAID : before
    this.#entries.set(id, { state, history: said && historyAfter(said, written) })
    this.#ids.set(nameOf(state.address), id)
    bound(this.#entries)
    bound(this.#ids)
  }

  forget(stream: StreamId): void {
    this.#entries.delete(stream)
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

function historyAfter(before: WholeHistory, { changes, append }: Written): WholeHistory | undefined {
  const messages = [...before.messages]
  let { chars } = before
  let added = 0
  for (const [index, change] of changes.entries()) {
    if (change.collection !== "messages") continue
    const last = messages.at(-1)
    const isAgain = last?.id === change.row.id
    if (!isAgain && last !== undefined && last.ord >= change.row.ord) return undefined
    if (isAgain) messages.pop()
    // One that is begun and ended in the same write counts as it ended.
    if (isAgain) chars -= added
    messages.push(change.row)
    added = append.changes[index]?.value.length ?? 0
    chars += added
  }
  return chars > HISTORY_CHARS ? undefined : { messages, chars }
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
