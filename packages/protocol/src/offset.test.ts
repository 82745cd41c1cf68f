import fc from "fast-check"
import { expect, test } from "vitest"
import { formatOffset, NOW_OFFSET, parseOffset, START_OFFSET } from "./offset.ts"

const seq = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER })

test("[LOG-7] an offset parses back to its number", () => {
  fc.assert(fc.property(seq, (n) => parseOffset(formatOffset(n)) === n))
})

test("[LOG-7] offsets sort as text the way their events do", () => {
  fc.assert(
    fc.property(seq, seq, (a, b) => {
      expect(formatOffset(a) < formatOffset(b)).toBe(a < b)
      expect(formatOffset(a)).toHaveLength(formatOffset(b).length)
    }),
  )
})

test("[LOG-7] the start is before every event, now is wherever the tail is", () => {
  expect(parseOffset(START_OFFSET)).toBe(0)
  expect(parseOffset(NOW_OFFSET)).toBe("now")
  fc.assert(fc.property(seq, (n) => START_OFFSET < formatOffset(n)))
})

test("[LOG-7] nothing else is an offset", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.integer().map(String), fc.double().map(String)), (text) => {
      if (text !== START_OFFSET && !/^\d{16}$/.test(text)) expect(parseOffset(text)).toBeUndefined()
    }),
  )
  for (const text of [
    "",
    "-2",
    "NOW",
    "now ",
    "+000000000000001",
    "1e15",
    "９９９９９９９９９９９９９９９９",
    "9999999999999999",
    "00000000000000001",
  ])
    expect(parseOffset(text), text).toBeUndefined()
})
