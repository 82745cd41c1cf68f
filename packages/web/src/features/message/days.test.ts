import { expect, it } from "vitest"
import { dayWords, isAnotherDay, timeOf } from "./days.ts"

const at = (text: string) => new Date(text).getTime()
const now = at("2026-05-14T10:00:00")

it("a day is told from the one before by the reader's own calendar", () => {
  expect(isAnotherDay(now, undefined)).toBe(true)
  expect(isAnotherDay(at("2026-05-14T23:59:59"), at("2026-05-14T00:00:00"))).toBe(false)
  expect(isAnotherDay(at("2026-05-15T00:00:00"), at("2026-05-14T23:59:59"))).toBe(true)
})

it("near days have names, others a date, and another year says which", () => {
  expect(dayWords(at("2026-05-14T00:01:00"), now)).toBe("Today")
  expect(dayWords(at("2026-05-13T23:59:00"), now)).toBe("Yesterday")
  expect(dayWords(at("2026-05-04T12:00:00"), now)).toMatch(/Monday/)
  expect(dayWords(at("2026-05-04T12:00:00"), now)).not.toMatch(/2026/)
  expect(dayWords(at("2025-12-31T12:00:00"), now)).toMatch(/2025/)
})

it("a clock change does not make a day vanish", () => {
  for (const day of ["2026-03-29", "2026-10-25", "2026-11-01", "2026-03-08"])
    expect(dayWords(at(`${day}T00:30:00`), at(`${day}T23:30:00`) + 3_600_000)).toBe("Yesterday")
})

it("times have two figures each", () => {
  expect(timeOf(at("2026-05-14T09:05:00"))).toMatch(/09[:.]05/)
})
