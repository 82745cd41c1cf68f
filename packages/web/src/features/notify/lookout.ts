/**
 * Whether any window of this browser is visible: then no desktop notification is needed.
 *
 * A window asks, and every visible one answers. There is no shared state, so a crashed window doesn't matter.
 */
const ANSWER_MS = 250

/** The used part of BroadcastChannel. */
export type Line = {
  postMessage(message: unknown): void
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void
  close(): void
}

export type Lookout = { readonly isSeen: () => Promise<boolean>; readonly close: () => void }

export function makeLookout(line: Line, isVisible: () => boolean, answerMs = ANSWER_MS): Lookout {
  const asking = new Set<() => void>()
  line.addEventListener("message", ({ data }) => {
    if (data === "who-looks" && isVisible()) line.postMessage("i-do")
    if (data === "i-do") for (const answered of asking) answered()
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
        line.postMessage("who-looks")
      })
    },
    close: () => line.close(),
  }
}

/**
 * One window, holding a lock, notifies for all of them. Without the Web Locks API every window notifies; equal tags
 * make the system show it once.
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
