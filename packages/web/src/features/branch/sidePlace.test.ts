import fc from "fast-check"
import { expect, it } from "vitest"
import { bounded, keptWidth, LEAST, MOST, movedBy, USUAL, underPointer } from "./sidePlace.ts"

it("[TAB-11] [TAB-12] the pane is made wider and narrower by keys, within its bounds", () => {
  expect(movedBy("ArrowLeft", 40)).toBe(42)
  expect(movedBy("ArrowRight", 40)).toBe(38)
  expect([movedBy("Home", 40), movedBy("End", 40)]).toEqual([MOST, LEAST])
  expect([movedBy("ArrowLeft", MOST), movedBy("ArrowRight", LEAST)]).toEqual([MOST, LEAST])
  expect([movedBy("Enter", 40), movedBy("ArrowUp", 40)]).toEqual([undefined, undefined])
})

it("[TAB-11] it follows the pointer, and never leaves one side without room", () => {
  const room = { left: 200, right: 1_200 }
  expect(underPointer(700, room)).toBe(50)
  expect([underPointer(0, room), underPointer(5_000, room)]).toEqual([MOST, LEAST])
  fc.assert(
    fc.property(fc.double(), fc.double(), fc.double(), (x, left, right) => {
      const width = underPointer(x, { left, right })
      expect(width).toBeGreaterThanOrEqual(LEAST)
      expect(width).toBeLessThanOrEqual(MOST)
    }),
  )
})

it("[TAB-11] what was kept is taken as far as it makes sense", () => {
  expect([keptWidth("55"), keptWidth(undefined), keptWidth(""), keptWidth("wide"), keptWidth("999")]).toEqual([
    55,
    USUAL,
    USUAL,
    USUAL,
    MOST,
  ])
  expect(bounded(33.4)).toBe(33)
})
