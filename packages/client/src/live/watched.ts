/**
 * A value with subscribers. Changes are announced together: once per frame in a visible page, otherwise once
 * per microtask. Between two announcements `get` returns the same object.
 */
export class Watched<T> {
  readonly #listeners = new Set<() => void>()
  readonly #build: (before: T) => T
  #value: T
  #isPlanned = false

  /** `build` makes the next value from the last; returning the same object means no change. */
  constructor(first: T, build: (before: T) => T) {
    this.#value = first
    this.#build = build
  }

  readonly get = (): T => this.#value

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Marks the value as outdated. */
  touch(): void {
    if (this.#isPlanned) return
    this.#isPlanned = true
    soon(() => {
      this.#isPlanned = false
      const next = this.#build(this.#value)
      if (next === this.#value) return
      this.#value = next
      for (const listener of [...this.#listeners]) listener()
    })
  }
}

/** A hidden page draws no frames, so it must not wait for one. */
const FRAME_LIMIT_MS = 200

function soon(run: () => void): void {
  const isVisible = typeof document !== "undefined" && document.visibilityState === "visible"
  if (!isVisible) {
    queueMicrotask(run)
    return
  }
  let isDone = false
  const once = (): void => {
    if (isDone) return
    isDone = true
    clearTimeout(timer)
    cancelAnimationFrame(frame)
    run()
  }
  const timer = setTimeout(once, FRAME_LIMIT_MS)
  const frame = requestAnimationFrame(once)
}
