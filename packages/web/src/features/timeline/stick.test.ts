import { describe, expect, it } from "vitest"
import { belowPx, nearPx, type Scroll, sticks as sticksWhen } from "./stick.ts"

const sticks = (before: boolean, last: Scroll, now: Scroll) => sticksWhen(before, last, now, true)
const sticksUntouched = (before: boolean, last: Scroll, now: Scroll) => sticksWhen(before, last, now, false)

const view = 500
const bottom = { top: 500, height: 1_000, view }

describe("keeping to the newest message", () => {
  it("text that grows below does not let go of the bottom", () => {
    expect(sticks(true, bottom, { top: 500, height: 1_200, view })).toBe(true)
  })

  it("scrolling up lets go, and stays so while text grows", () => {
    expect(sticks(true, bottom, { top: 300, height: 1_000, view })).toBe(false)
    expect(sticks(false, { top: 300, height: 1_000, view }, { top: 300, height: 1_400, view })).toBe(false)
  })

  it("coming back to the bottom takes it up again", () => {
    expect(sticks(false, { top: 300, height: 1_000, view }, { top: 480, height: 1_000, view })).toBe(true)
  })

  it("a place that moved because the content shrank is no wish", () => {
    expect(sticks(true, { top: 900, height: 1_400, view }, { top: 500, height: 1_100, view })).toBe(true)
  })

  it("going up further than the content shrank is a wish", () => {
    expect(sticks(true, { top: 900, height: 1_400, view }, { top: 25, height: 1_385, view })).toBe(false)
    expect(sticks(true, { top: 900, height: 1_400, view }, { top: 25, height: 1_400, view: 510 })).toBe(false)
  })

  it("[TAB-51] rows that turn out smaller and larger again are no wish while nobody touches anything", () => {
    expect(sticksUntouched(true, { top: 900, height: 1_400, view }, { top: 25, height: 1_385, view })).toBe(true)
    expect(sticksUntouched(false, { top: 100, height: 1_400, view }, { top: 25, height: 1_385, view })).toBe(false)
  })

  it("[TAB-51] scrolling by other means, such as a screen reader, lets go where nothing changes its size", () => {
    expect(sticksUntouched(true, bottom, { top: 300, height: 1_000, view })).toBe(false)
  })

  it("near is near enough, and a pixel further is not", () => {
    const away = (px: number) => ({ top: 500 - px, height: 1_000, view })
    expect(belowPx(away(nearPx))).toBe(nearPx)
    expect(sticks(false, bottom, away(nearPx))).toBe(true)
    expect(sticks(true, bottom, away(nearPx + 1))).toBe(false)
  })

  it("a keyboard that takes half of the view, or a window made larger, is no wish", () => {
    expect(sticks(true, bottom, { top: 500, height: 1_000, view: 250 })).toBe(true)
    expect(sticks(true, { top: 500, height: 1_000, view }, { top: 450, height: 1_000, view: 300 })).toBe(true)
    expect(sticks(false, { top: 100, height: 1_000, view }, { top: 100, height: 1_000, view: 600 })).toBe(false)
  })
})
