import { expect, it } from "vitest"
import { paceMs } from "./pace.ts"

it("[TAB-7] a short piece is drawn with every frame, a long one less often, none too late", () => {
  expect(paceMs(0)).toBe(0)
  expect(paceMs(2_999)).toBe(0)
  expect(paceMs(8_000)).toBe(200)
  expect(paceMs(1_000_000)).toBe(400)
})
