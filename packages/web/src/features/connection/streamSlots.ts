/**
 * The streams of all windows of this browser, as many as leave connections for everything else (TAB-50). A slot is a lock
 * of the browser, so a window that crashes frees its own.
 *
 * A window that comes to the front takes its slots, from other windows if need be; those then read every now and then.
 */
import type { StreamSlot, StreamSlots } from "@parlor/client"

/** Browsers open six connections to one server. Two windows stream, and two connections are left for requests. */
const SLOTS = 4
const READ_AGAIN_MS = 1_000
const READ_AGAIN_HIDDEN_MS = 10_000
/** How long a window that came to the front may take slots from others. */
const IN_FRONT_MS = 2_000

export type SlotParts = {
  readonly locks: Pick<LockManager, "request">
  /** Calls back when this window comes to the front. */
  readonly onFront: (listener: () => void) => void
  readonly isHidden: () => boolean
  readonly now: () => number
}

export function slotsOf({ locks, onFront, isHidden, now }: SlotParts): StreamSlots {
  const mine = new Set<string>()
  const pausing = new Set<() => void>()
  let mayTakeUntil = now() + IN_FRONT_MS
  /** Where the next slot is taken, so that not always the same window loses its own. */
  let turn = Math.floor(Math.random() * SLOTS)
  onFront(() => {
    mayTakeUntil = now() + IN_FRONT_MS
    for (const wake of [...pausing]) wake()
  })

  const names = () => Array.from({ length: SLOTS }, (_, index) => `parlor.stream.${(turn + index) % SLOTS}`)

  async function take(): Promise<StreamSlot | undefined> {
    for (const name of names()) {
      const slot = mine.has(name) ? undefined : await lock(name, { ifAvailable: true })
      if (slot !== undefined) return slot
    }
    const taken = isHidden() || now() > mayTakeUntil ? undefined : names().find((name) => !mine.has(name))
    turn += 1
    return taken === undefined ? undefined : lock(taken, { steal: true })
  }

  function lock(name: string, options: LockOptions): Promise<StreamSlot | undefined> {
    const lost = new AbortController()
    return new Promise((resolve) => {
      const hold = (given: Lock | null) => {
        if (given === null) return resolve(undefined)
        mine.add(name)
        return new Promise<void>((release) => resolve({ lost: lost.signal, release }))
      }
      const over = () => {
        mine.delete(name)
        lost.abort()
        resolve(undefined)
      }
      // Rejects when another window takes it.
      locks.request(name, options, hold).then(over, over)
    })
  }

  function pause(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        pausing.delete(end)
        signal?.removeEventListener("abort", end)
        resolve()
      }
      const timer = setTimeout(end, isHidden() ? READ_AGAIN_HIDDEN_MS : READ_AGAIN_MS)
      pausing.add(end)
      signal?.addEventListener("abort", end)
      if (signal?.aborted) end()
    })
  }

  return { take, pause }
}

/** Undefined where connections are not scarce (HTTP/2), or the browser has no locks. */
export function browserSlots(): StreamSlots | undefined {
  const [page] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[]
  const isScarce = page === undefined || page.nextHopProtocol === "" || page.nextHopProtocol.startsWith("http/")
  const { locks } = navigator as { readonly locks?: LockManager }
  if (locks === undefined || !isScarce) return undefined
  return slotsOf({
    locks,
    onFront: (listener) => {
      window.addEventListener("focus", listener)
      document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && listener())
    },
    isHidden: () => document.visibilityState === "hidden",
    now: Date.now,
  })
}
