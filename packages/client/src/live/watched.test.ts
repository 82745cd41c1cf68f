import { afterEach, describe, expect, test, vi } from "vitest"
import { Watched } from "./watched.ts"

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function counting() {
  let made = 0
  const watched = new Watched({ made }, (before) => (made === before.made ? before : { made }))
  const heard: number[] = []
  const stop = watched.subscribe(() => heard.push(watched.get().made))
  const change = () => {
    made += 1
    watched.touch()
  }
  return { watched, heard, stop, change }
}

describe("a watched value", () => {
  test("announces changes together, and stays the same object in between", async () => {
    const { watched, heard, stop, change } = counting()
    const before = watched.get()
    change()
    change()
    expect(watched.get()).toBe(before)
    await Promise.resolve()
    expect([watched.get().made, heard]).toEqual([2, [2]])
    change()
    await Promise.resolve()
    expect(heard).toEqual([2, 3])
    stop()
    change()
    await Promise.resolve()
    expect([watched.get().made, heard]).toEqual([4, [2, 3]])
  })

  test("announces nothing when nothing changed", async () => {
    const { watched, heard } = counting()
    watched.touch()
    await Promise.resolve()
    expect(heard).toEqual([])
  })

  test("in a visible page it waits for a frame, and for no frame that does not come", async () => {
    vi.useFakeTimers()
    const frames: (() => void)[] = []
    const cancelled: number[] = []
    vi.stubGlobal("document", { visibilityState: "visible" })
    vi.stubGlobal("requestAnimationFrame", (run: () => void) => frames.push(run))
    vi.stubGlobal("cancelAnimationFrame", (frame: number) => cancelled.push(frame))
    const { heard, change } = counting()
    change()
    await Promise.resolve()
    expect(heard).toEqual([])
    frames[0]?.()
    expect([heard, vi.getTimerCount()]).toEqual([[1], 0])
    change()
    await vi.advanceTimersByTimeAsync(199)
    expect(heard).toEqual([1])
    await vi.advanceTimersByTimeAsync(1)
    expect([heard, cancelled.at(-1)]).toEqual([[1, 2], 2])
    frames[1]?.()
    expect(heard).toEqual([1, 2])
  })

  test("in a hidden page it does not wait for a frame", async () => {
    vi.stubGlobal("document", { visibilityState: "hidden" })
    const { heard, change } = counting()
    change()
    await Promise.resolve()
    expect(heard).toEqual([1])
  })
})
