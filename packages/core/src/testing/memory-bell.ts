/** Notices between the nodes of a simulation: coalesced and late, by the given clock. No timer waits while it is quiet. */
import type { StreamId } from "@parlor/protocol"
import type { Clock } from "../ports/clock.ts"

export type Listener = {
  readonly node: object
  readonly changed: (streams: readonly StreamId[]) => void
  readonly delayMs: () => number
}

type Waiting = { readonly streams: Set<StreamId>; cancel: (() => void) | undefined }

export class MemoryBell {
  readonly #clock: Clock
  readonly #listeners = new Map<Listener, Waiting>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(listener: Listener): () => void {
    this.#listeners.set(listener, { streams: new Set(), cancel: undefined })
    return () => this.#drop(listener)
  }

  leave(node: object): void {
    for (const listener of [...this.#listeners.keys()]) if (listener.node === node) this.#drop(listener)
  }

  /** `from`: the node that wrote, which is not told. */
  ring(stream: StreamId, from: object | undefined): void {
    for (const [listener, waiting] of this.#listeners) {
      if (listener.node === from) continue
      waiting.streams.add(stream)
      waiting.cancel ??= this.#clock.after(listener.delayMs(), () => {
        waiting.cancel = undefined
        const streams = [...waiting.streams]
        waiting.streams.clear()
        listener.changed(streams)
      })
    }
  }

  #drop(listener: Listener): void {
    this.#listeners.get(listener)?.cancel?.()
    this.#listeners.delete(listener)
  }
}
