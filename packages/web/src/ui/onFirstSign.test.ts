import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { onFirstSign } from "./onFirstSign.ts"

beforeEach(() => void vi.stubGlobal("window", new EventTarget()))
afterEach(() => vi.unstubAllGlobals())

const sign = (type: string) => window.dispatchEvent(new Event(type))

test("the first sign counts, whichever it is, and only once", () => {
  let runs = 0
  onFirstSign(() => runs++)
  sign("scroll")
  expect(runs).toBe(0)
  sign("keydown")
  sign("keydown")
  sign("pointermove")
  expect(runs).toBe(1)
})

test("who leaves before it hears nothing", () => {
  let runs = 0
  const leave = onFirstSign(() => runs++)
  leave()
  sign("pointerdown")
  expect(runs).toBe(0)
})
