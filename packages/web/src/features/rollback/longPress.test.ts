import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { hasMoved, LONG_MS, longPressOn } from "./longPress.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** As much of an element as listens. */
function stage() {
  const page = new EventTarget()
  const element = Object.assign(new EventTarget(), { ownerDocument: page, contains: () => false })
  const told: boolean[] = []
  const stop = longPressOn(element as unknown as HTMLElement, (isHeld) => told.push(isHeld))
  const touch = (name: string, clientX = 0, pointerType = "touch") =>
    element.dispatchEvent(Object.assign(new Event(name), { clientX, clientY: 0, pointerType }))
  return { page, told, stop, touch }
}

it("[TAB-11] a finger that rests on a message shows what can be done about it, until something else is touched", () => {
  vi.stubGlobal("Node", class {})
  const { page, told, touch } = stage()
  touch("pointerdown")
  touch("pointermove", 4)
  vi.advanceTimersByTime(LONG_MS)
  expect(told).toEqual([true])
  page.dispatchEvent(new Event("pointerdown"))
  expect(told).toEqual([true, false])
  vi.unstubAllGlobals()
})

it("[TAB-11] scrolling, tapping, a mouse and what is gone do not", () => {
  const { told, stop, touch } = stage()
  touch("pointerdown")
  touch("pointermove", 40)
  vi.advanceTimersByTime(LONG_MS)
  touch("pointerdown")
  touch("pointerup")
  vi.advanceTimersByTime(LONG_MS)
  touch("pointerdown", 0, "mouse")
  vi.advanceTimersByTime(LONG_MS)
  touch("pointerdown")
  stop()
  vi.advanceTimersByTime(LONG_MS)
  touch("pointerdown")
  vi.advanceTimersByTime(LONG_MS)
  expect(told).toEqual([])
  expect(hasMoved({ clientX: 0, clientY: 0 }, { clientX: 6, clientY: 8 })).toBe(false)
})
