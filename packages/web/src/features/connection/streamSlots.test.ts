import type { StreamSlot } from "@parlor/client"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { slotsOf } from "./streamSlots.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** The locks of one browser. */
function browserLocks() {
  const held = new Map<string, () => void>()
  async function request(
    name: string,
    options: LockOptions,
    work: (lock: Lock | null) => Promise<void> | undefined,
  ): Promise<void> {
    const before = held.get(name)
    if (before !== undefined && options.ifAvailable) return void (await work(null))
    before?.()
    const stolen = new Promise<never>((_, reject) => held.set(name, () => reject(new DOMException("", "AbortError"))))
    const mine = held.get(name)
    await Promise.race([work({ name, mode: "exclusive" }), stolen])
    if (held.get(name) === mine) held.delete(name)
  }
  return { request } as unknown as Pick<LockManager, "request">
}

function windowOf(locks: Pick<LockManager, "request">, { isHidden = false } = {}) {
  let front = () => {}
  const slots = slotsOf({
    locks,
    onFront: (listener) => {
      front = listener
    },
    isHidden: () => isHidden,
    now: Date.now,
  })
  const taken: (StreamSlot | undefined)[] = []
  return {
    slots,
    front: () => front(),
    /** Opens two streams, as a window does. */
    async open() {
      taken.push(await slots.take(), await slots.take())
      return taken.map((slot) => slot !== undefined)
    },
    streams: () => taken.filter((slot) => slot !== undefined && !slot.lost.aborted).length,
  }
}

test("[TAB-50] the window in front streams; the others lose their streams only when there are too many", async () => {
  const locks = browserLocks()
  const windows = [windowOf(locks), windowOf(locks), windowOf(locks)]
  for (const one of windows) expect(await one.open()).toEqual([true, true])
  await vi.advanceTimersByTimeAsync(0)
  expect(windows.map((one) => one.streams()).at(-1)).toBe(2)
  expect(windows.reduce((sum, one) => sum + one.streams(), 0)).toBe(4)
})

test("[TAB-50] a hidden window, or one that has been open for a while, takes no stream from another", async () => {
  const locks = browserLocks()
  await windowOf(locks).open()
  await windowOf(locks).open()
  expect(await windowOf(locks, { isHidden: true }).open()).toEqual([false, false])
  const later = windowOf(locks)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(await later.open()).toEqual([false, false])
  let isAwake = false
  void later.slots.pause(undefined).then(() => {
    isAwake = true
  })
  later.front()
  await vi.advanceTimersByTimeAsync(0)
  expect(isAwake).toBe(true)
  expect((await later.open()).slice(2)).toEqual([true, true])
})

test("[TAB-50] a released slot is free, and a pause ends with its signal", async () => {
  const locks = browserLocks()
  const first = windowOf(locks).slots
  const held = [await first.take(), await first.take(), await first.take(), await first.take()]
  expect(await first.take()).toBeUndefined()
  held[2]?.release()
  await vi.advanceTimersByTimeAsync(0)
  expect(await windowOf(locks, { isHidden: true }).slots.take()).toBeDefined()
  const stopped = new AbortController()
  const pausing = first.pause(stopped.signal)
  stopped.abort()
  await pausing
})
