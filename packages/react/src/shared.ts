/**
 * A live view that components share.
 *
 *   closed ──first component, or a command──▶ open ──last component left──▶ closing ──delay──▶ closed
 *                                               ▲                              │
 *                                               └──── component, or busy ──────┘
 *
 * Rendering opens nothing, so it is safe on a server and in strict mode, which mounts everything twice. The delay
 * also keeps the view when a person switches between two screens that show the same conversation.
 */
export type Live<S> = {
  readonly getState: () => S
  readonly subscribe: (listener: () => void) => () => void
  reconnect(): void
  close(): void
}

export type SharedOptions<S, L> = {
  readonly open: () => L
  /** The state before the view is open. */
  readonly loading: S
  /** Whether closing now would lose something. */
  readonly isBusy?: (state: S) => boolean
}

const CLOSE_DELAY_MS = 1_000

export class Shared<S extends { readonly phase: string }, L extends Live<S>> {
  readonly #options: SharedOptions<S, L>
  readonly #listeners = new Set<() => void>()
  #live: L | undefined
  #leave: (() => void) | undefined
  #closing: ReturnType<typeof setTimeout> | undefined

  constructor(options: SharedOptions<S, L>) {
    this.#options = options
  }

  readonly getState = (): S => this.#live?.getState() ?? this.#options.loading

  readonly getServerState = (): S => this.#options.loading

  readonly subscribe = (listener: () => void): (() => void) => {
    if (this.#listeners.size === 0 && this.getState().phase === "failed") this.#close()
    this.#listeners.add(listener)
    clearTimeout(this.#closing)
    this.live()
    return () => {
      this.#listeners.delete(listener)
      this.#closeLater()
    }
  }

  /** The open view. Opens it if no component has done so yet. */
  live(): L {
    if (this.#live === undefined) {
      this.#live = this.#options.open()
      this.#leave = this.#live.subscribe(this.#announce)
      this.#closeLater()
    }
    return this.#live
  }

  /** Connects now instead of waiting for the next attempt. A view that failed is opened again. */
  reconnect(): void {
    if (this.getState().phase === "failed") {
      this.#close()
      this.live()
      this.#announce()
    } else this.live().reconnect()
  }

  readonly #announce = (): void => {
    for (const listener of [...this.#listeners]) listener()
  }

  #closeLater(): void {
    clearTimeout(this.#closing)
    if (this.#listeners.size > 0) return
    this.#closing = setTimeout(() => {
      const isBusy = this.#options.isBusy?.(this.getState()) ?? false
      if (isBusy) this.#closeLater()
      else this.#close()
    }, CLOSE_DELAY_MS)
  }

  #close(): void {
    clearTimeout(this.#closing)
    this.#leave?.()
    this.#live?.close()
    this.#live = undefined
  }
}
