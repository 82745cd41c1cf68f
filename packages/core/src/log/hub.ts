/** Subscriptions to streams in this process. Published events are already durable (LOG-3). */
import type { StoredChange, StreamId } from "@parlor/protocol"

export type Listener = (changes: readonly StoredChange[]) => void

export class Hub {
  readonly #listeners = new Map<StreamId, Set<Listener>>()

  publish(stream: StreamId, changes: readonly StoredChange[]): void {
    const listeners = this.#listeners.get(stream)
    if (listeners === undefined) return
    for (const listener of listeners) listener(changes)
  }

  /** The streams with subscribers. */
  get streams(): readonly StreamId[] {
    return [...this.#listeners.keys()]
  }

  /** Returns an unsubscribe function. A call without changes means: read the stream again. */
  subscribe(stream: StreamId, listener: Listener): () => void {
    const listeners = this.#listeners.get(stream) ?? new Set()
    this.#listeners.set(stream, listeners)
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) this.#listeners.delete(stream)
    }
  }
}
