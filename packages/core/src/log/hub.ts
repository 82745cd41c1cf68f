/** Subscriptions to streams in this process. Published events are already durable (LOG-3). */
import type { StoredChange, StreamId } from "@parlor/protocol"

export type Listener = (changes: readonly StoredChange[]) => void

export class Hub {
  readonly #listeners = new Map<StreamId, Set<Listener>>()
  /** How many of them are people or their programs. */
  readonly #watching = new Map<StreamId, number>()

  publish(stream: StreamId, changes: readonly StoredChange[]): void {
    const listeners = this.#listeners.get(stream)
    if (listeners === undefined) return
    for (const listener of listeners) listener(changes)
  }

  /** The streams with subscribers. */
  get streams(): readonly StreamId[] {
    return [...this.#listeners.keys()]
  }

  /** Whether its person, or a program of theirs, is reading it. */
  isWatched(stream: StreamId): boolean {
    return this.#watching.has(stream)
  }

  /**
   * Returns an unsubscribe function. A call without changes means: read the stream again. `isPerson`: for the person
   * whose stream it is, or a program of theirs.
   */
  subscribe(stream: StreamId, listener: Listener, options: { readonly isPerson?: boolean } = {}): () => void {
    const listeners = this.#listeners.get(stream) ?? new Set()
    this.#listeners.set(stream, listeners)
    listeners.add(listener)
    const watching = options.isPerson === true ? 1 : 0
    this.#count(stream, watching)
    return () => {
      if (!listeners.delete(listener)) return
      this.#count(stream, -watching)
      if (listeners.size === 0) this.#listeners.delete(stream)
    }
  }

  #count(stream: StreamId, more: number): void {
    const count = (this.#watching.get(stream) ?? 0) + more
    if (count > 0) this.#watching.set(stream, count)
    else this.#watching.delete(stream)
  }
}
