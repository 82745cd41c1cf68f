/**
 * Whether this process has been told to stop (TRN-17). Every running turn waits for it, and there may be thousands:
 * they are kept in a set with one listener, because a signal's listeners are a list that is searched to remove one, and
 * Node.js warns about more than ten.
 */
export class Draining extends AbortController {
  readonly #waiting = new Set<() => void>()

  constructor() {
    super()
    this.signal.addEventListener("abort", () => {
      for (const begun of this.#waiting) begun()
    })
  }

  /** Gives `work` a signal of its own. */
  async during<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const own = new AbortController()
    const onBegun = () => own.abort(this.signal.reason)
    if (this.signal.aborted) onBegun()
    this.#waiting.add(onBegun)
    try {
      return await work(own.signal)
    } finally {
      this.#waiting.delete(onBegun)
    }
  }

  /** Waits for `work`, and rejects with the signal's reason if draining begins first. */
  orBegun<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const onBegun = () => reject(this.signal.reason)
      if (this.signal.aborted) onBegun()
      this.#waiting.add(onBegun)
      work.then(resolve, reject).finally(() => this.#waiting.delete(onBegun))
    })
  }
}
