/**
 * Conversations as this process last wrote them, so that its next decision on one need not read it first.
 *
 * What is known is put down when a decision is durable, and only when nothing else was written between the rows it was
 * made on and itself; any other write of this process forgets it. Another process may have written since: then the store
 * refuses what is decided here as `moved`, and `decide` reads. So nothing is ever answered from here, only tried.
 *
 * A conversation with messages waiting or asks open is not kept: those can be large. What is kept has a bound, so a
 * conversation nobody writes to costs nothing for long.
 */
import type { Address, NewChange, StreamId } from "@parlor/protocol"
import type { Appended } from "../ports/store.ts"
import type { ConversationState } from "./state.ts"

const KEPT = 500

export class Known {
  readonly #states = new Map<StreamId, ConversationState>()
  readonly #ids = new Map<string, StreamId>()

  state(stream: StreamId): ConversationState | undefined {
    return this.#states.get(stream)
  }

  /** Where the conversation at an address was. It may have been deleted elsewhere: then its stream is gone. */
  at(address: Address): StreamId | undefined {
    return this.#ids.get(nameOf(address))
  }

  /** `state` is what was decided on, `changes` what was decided. */
  keep(state: ConversationState, changes: readonly NewChange[], appended: Appended): void {
    const next = after(state, changes, appended)
    if (next === undefined) return
    this.#states.set(next.stream.id, next)
    this.#ids.set(nameOf(next.address), next.stream.id)
    bound(this.#states)
    bound(this.#ids)
  }

  forget(stream: StreamId): void {
    this.#states.delete(stream)
  }

  remove(stream: StreamId, address: Address): void {
    this.forget(stream)
    this.#ids.delete(nameOf(address))
  }
}

/** Undefined where the rows after the changes are not known in full, or are more than is kept. */
function after(
  state: ConversationState,
  changes: readonly NewChange[],
  appended: Appended,
): ConversationState | undefined {
  if (!appended.ok || appended.skipped || appended.head !== state.stream.head + changes.length) return undefined
  if (state.queued > 0 || state.asks.length > 0) return undefined
  let { status, lastOrd } = state
  for (const change of changes) {
    if (change.collection === "status") status = change.row
    else if (change.collection === "messages") lastOrd = Math.max(lastOrd, change.row.ord)
    else if (change.collection !== "turns" && change.collection !== "deltas") return undefined
  }
  const { head, control, epoch } = appended
  return { ...state, stream: { ...state.stream, head, control, epoch }, status, lastOrd }
}

function bound<K, V>(map: Map<K, V>): void {
  if (map.size <= KEPT) return
  for (const oldest of map.keys()) {
    map.delete(oldest)
    return
  }
}

/** Names hold no line breaks (ADR-5). */
function nameOf({ agent, branch, person }: Address): string {
  return `${agent}\n${branch}\n${person}`
}
