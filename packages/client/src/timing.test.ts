import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { backoff, defaultTiming, openLine, pause, pauseUntil } from "./timing.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const timing = { ...defaultTiming, backoffMs: 100, backoffMaxMs: 1_000, retryAfterMaxMs: 5_000 }
const chance = (value: number) => void vi.spyOn(Math, "random").mockReturnValue(value)

/** Whether it has resolved by now. */
function watch(promise: Promise<void>) {
  const state = { over: false }
  void promise.then(() => {
    state.over = true
  })
  return state
}

describe("the pause after failures", () => {
  test("[TAB-13] doubles up to the longest, half of it by chance", () => {
    chance(1)
    expect([0, 1, 2, 3, 4, 50].map((failures) => backoff(timing, failures))).toEqual([100, 200, 400, 800, 1_000, 1_000])
    chance(0)
    expect([0, 1, 50].map((failures) => backoff(timing, failures))).toEqual([50, 100, 500])
    chance(0.5)
    expect(backoff(timing, 0)).toBe(75)
  })

  test("[TAB-13] is as long as the server asks for, up to a limit, and never shorter than its own", () => {
    chance(1)
    expect(backoff(timing, 0, 3_000)).toBe(3_000)
    expect(backoff(timing, 0, 60_000)).toBe(5_000)
    expect(backoff(timing, 3, 10)).toBe(800)
  })
})

describe("waiting", () => {
  test("lasts its time, and ends early when it is aborted", async () => {
    const leaving = new AbortController()
    const whole = watch(pause(1_000))
    const cut = watch(pause(1_000, leaving.signal))
    await vi.advanceTimersByTimeAsync(999)
    expect([whole.over, cut.over]).toEqual([false, false])
    leaving.abort()
    await vi.advanceTimersByTimeAsync(0)
    expect([whole.over, cut.over]).toEqual([false, true])
    await vi.advanceTimersByTimeAsync(1)
    expect(whole.over).toBe(true)
    await pause(1_000, leaving.signal)
    expect(vi.getTimerCount()).toBe(0)
  })

  test("[TAB-13] in a browser it ends when the network comes back, and listens no longer", async () => {
    const listeners = new Map<string, Set<() => void>>()
    const of = (type: string) => listeners.get(type) ?? new Set()
    vi.stubGlobal("addEventListener", (type: string, listener: () => void) =>
      listeners.set(type, of(type).add(listener)),
    )
    vi.stubGlobal("removeEventListener", (type: string, listener: () => void) => of(type).delete(listener))
    const waiting = watch(pause(1_000))
    for (const listener of [...of("online")]) listener()
    await vi.advanceTimersByTimeAsync(0)
    expect([waiting.over, of("online").size, vi.getTimerCount()]).toEqual([true, 0, 0])
    vi.unstubAllGlobals()
  })

  test("[TAB-13] says when it ends, and can be cut short by whoever was told or by leaving", async () => {
    vi.setSystemTime(5_000)
    const told: { readonly at: number; readonly now: () => void }[] = []
    const leaving = new AbortController()
    const first = watch(pauseUntil(1_000, undefined, (next) => told.push(next)))
    const second = watch(pauseUntil(1_000, leaving.signal, (next) => told.push(next)))
    const third = watch(pauseUntil(1_000, leaving.signal, () => {}))
    expect(told.map(({ at }) => at)).toEqual([6_000, 6_000])
    told[0]?.now()
    told[1]?.now()
    await vi.advanceTimersByTimeAsync(0)
    expect([first.over, second.over, third.over]).toEqual([true, true, false])
    leaving.abort()
    await vi.advanceTimersByTimeAsync(0)
    expect(third.over).toBe(true)
  })
})

describe("a line that is listened to", () => {
  test("falls when nothing is heard for too long, counted from the last sound", async () => {
    const line = openLine(1_000, undefined)
    await vi.advanceTimersByTimeAsync(900)
    line.heard()
    await vi.advanceTimersByTimeAsync(999)
    expect(line.signal.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(line.signal.aborted).toBe(true)
    line.heard()
    expect(vi.getTimerCount()).toBe(0)
  })

  test("falls when its caller leaves or closes it, and leaves nothing behind", () => {
    const leaving = new AbortController()
    const removed = vi.spyOn(leaving.signal, "removeEventListener")
    const [left, closed] = [openLine(1_000, leaving.signal), openLine(1_000, undefined)]
    leaving.abort()
    closed.close()
    expect([left.signal.aborted, closed.signal.aborted, vi.getTimerCount()]).toEqual([true, true, 0])
    expect(removed).toHaveBeenCalledWith("abort", expect.any(Function))
    expect(openLine(1_000, leaving.signal).signal.aborted).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })
})
