/**
 * Notifications between the nodes of a simulation: coalesced and delayed, by the given clock. No timer runs while it is
 * quiet.
 */
import type { StreamId } from "@parlor/protocol"
import type { Clock } from "../ports/clock.ts"

export type Listener = {
  readonly node: object
  readonly changed: (streams: readonly StreamId[]) => void
  readonly offered?: ((streams: readonly StreamId[]) => void) | undefined
  readonly delayMs: () => number
}

type Waiting = {
  readonly streams: Set<StreamId>
  readonly offers: Set<StreamId>
  cancel: (() => void) | undefined
}

export class MemoryBell {
  readonly #clock: Clock
  readonly #listeners = new Map<Listener, Waiting>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(listener: Listener): () => void {
    this.#listeners.set(listener, { streams: new Set(), offers: new Set(), cancel: undefined })
    return () => this.#drop(listener)
  }

  leave(node: object): void {
    for (const listener of [...this.#listeners.keys()]) if (listener.node === node) this.#drop(listener)
  }

  /** `from`: the node that wrote, which is not notified. */
  ring(stream: StreamId, from: object | undefined): void {
    this.#note(stream, from, "streams")
  }

  offer(stream: StreamId, from: object | undefined): void {
    this.#note(stream, from, "offers")
  }

  #note(stream: StreamId, from: object | undefined, what: "streams" | "offers"): void {
    for (const [listener, waiting] of this.#listeners) {
      if (listener.node === from) continue
      waiting[what].add(stream)
      waiting.cancel ??= this.#clock.after(listener.delayMs(), () => {
        waiting.cancel = undefined
        const [streams, offers] = [[...waiting.streams], [...waiting.offers]]
        waiting.streams.clear()
        waiting.offers.clear()
        if (streams.length > 0) listener.changed(streams)
        if (offers.length > 0) listener.offered?.(offers)
      })
    }
  }

  #drop(listener: Listener): void {
    this.#listeners.get(listener)?.cancel?.()
    this.#listeners.delete(listener)
  }
}
