/**
 * Whether some window of this browser is being looked at: then nobody has to be called back to the page.
 *
 * A window asks, and every one that is visible answers. Nothing is remembered, so a window that crashed counts for
 * nothing.
 */
const ANSWER_MS = 250

/** The part of a BroadcastChannel that is used. */
export type Line = {
  postMessage(message: unknown): void
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void
  close(): void
}

export type Lookout = { readonly isSeen: () => Promise<boolean>; readonly close: () => void }

export function makeLookout(line: Line, isVisible: () => boolean, answerMs = ANSWER_MS): Lookout {
  const asking = new Set<() => void>()
  line.addEventListener("message", ({ data }) => {
    if (data === "who looks?" && isVisible()) line.postMessage("I do.")
    if (data === "I do.") for (const answered of asking) answered()
  })
  return {
    isSeen: async () => {
      if (isVisible()) return true
      return new Promise<boolean>((resolve) => {
        const end = (seen: boolean) => {
          clearTimeout(timer)
          asking.delete(answered)
          resolve(seen)
        }
        const answered = () => end(true)
        const timer = setTimeout(() => end(false), answerMs)
        asking.add(answered)
        line.postMessage("who looks?")
      })
    },
    close: () => line.close(),
  }
}

/**
 * One window speaks for all of them, and when it goes the next one does. Where a browser has no locks every window
 * speaks; the same item has the same tag, and the system shows it once.
 */
export function holdTheWord(locks: Pick<LockManager, "request"> | undefined): {
  readonly isOurs: () => boolean
  readonly release: () => void
} {
  let isOurs = locks === undefined
  const left = new AbortController()
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  locks
    ?.request("parlor.notify", { signal: left.signal }, () => {
      isOurs = true
      return held
    })
    .catch(() => undefined)
  return {
    isOurs: () => isOurs,
    release: () => {
      isOurs = false
      letGo()
      left.abort()
    },
  }
}
