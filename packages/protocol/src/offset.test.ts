import fc from "fast-check"
import { expect, test } from "vitest"
import { fitsOffset, formatOffset, NOW_OFFSET, parseOffset, SNAPSHOT_TXID, START_OFFSET } from "./offset.ts"

const seq = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER })

const txid = fc.string({ minLength: 1, maxLength: 30 }).filter((id) => id !== SNAPSHOT_TXID)

test("[LOG-7] an offset parses back to its number", () => {
  fc.assert(fc.property(seq, (n) => parseOffset(formatOffset(n)) === n))
  fc.assert(fc.property(seq, txid, (n, id) => parseOffset(formatOffset(n, id)) === n))
})

test("[LOG-20] an offset matches the write of its event and no other; one without a check matches any", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1 }), txid, txid, (n, id, other) => {
      expect(fitsOffset(formatOffset(n, id), id)).toBe(true)
      expect(fitsOffset(formatOffset(n), id)).toBe(true)
      expect(fitsOffset(formatOffset(n, SNAPSHOT_TXID), id)).toBe(true)
      if (id !== other) expect(fitsOffset(formatOffset(n, id), other)).toBe(false)
    }),
  )
})

test("[LOG-20] of a million writes, few share a check", () => {
  const checks = new Set(Array.from({ length: 1_000_000 }, (_, i) => formatOffset(1, `tx_0m1k2j3h4${i.toString(36)}`)))
  expect(checks.size).toBeGreaterThan(999_000)
})

test("[LOG-20] offsets sort by number, with and without a check, and contain nothing that needs escaping in a query", () => {
  fc.assert(
    fc.property(seq, seq, fc.option(txid), fc.option(txid), (a, b, x, y) => {
      const [one, two] = [formatOffset(a, x ?? undefined), formatOffset(b, y ?? undefined)]
      if (a !== b) expect(one < two).toBe(a < b)
      expect(encodeURIComponent(one)).toBe(one)
    }),
  )
})

test("[LOG-7] offsets sort as text in the order of their events", () => {
  fc.assert(
    fc.property(seq, seq, (a, b) => {
      expect(formatOffset(a) < formatOffset(b)).toBe(a < b)
      expect(formatOffset(a)).toHaveLength(formatOffset(b).length)
    }),
  )
})

test("[LOG-7] the start is before every event, now is the tail", () => {
  expect(parseOffset(START_OFFSET)).toBe(0)
  expect(parseOffset(NOW_OFFSET)).toBe("now")
  fc.assert(fc.property(seq, (n) => START_OFFSET < formatOffset(n)))
})

test("[LOG-7] nothing else is an offset", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.integer().map(String), fc.double().map(String)), (text) => {
      if (text !== START_OFFSET && !/^\d{16}(_[0-9a-z]{7})?$/.test(text)) expect(parseOffset(text)).toBeUndefined()
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
