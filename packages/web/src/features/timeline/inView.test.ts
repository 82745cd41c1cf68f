import fc from "fast-check"
import { expect, it } from "vitest"
import { MAX_MOUNTED, mountedCount } from "../tab/mounted.ts"
import { rowsToMount } from "./inView.ts"

it("[TAB-5] never more than the budget, in order, each once, whatever is in view", () => {
  const view = fc.record({
    startIndex: fc.nat(9_999),
    length: fc.nat(1_000),
    overscan: fc.nat(20),
    held: fc.array(fc.integer({ min: -1, max: 10_100 }), { maxLength: 5 }),
  })
  fc.assert(
    fc.property(view, ({ startIndex, length, overscan, held }) => {
      const count = 10_000
      const endIndex = Math.min(count - 1, startIndex + length)
      const rows = rowsToMount({ startIndex, endIndex, overscan, count }, held)
      expect(rows.length).toBeLessThanOrEqual(MAX_MOUNTED)
      expect(rows).toEqual([...new Set(rows)].sort((a, b) => a - b))
      expect(rows.every((row) => row >= 0 && row < count)).toBe(true)
      expect(rows).toContain(startIndex)
      // One in view beyond the budget is the only one that may go.
      for (const row of held) {
        if (row < 0 || row >= count || (row >= startIndex && row <= endIndex + overscan)) continue
        expect(rows).toContain(row)
      }
    }),
  )
})

it("[TAB-7] what is in view, and a little around it", () => {
  expect(rowsToMount({ startIndex: 3, endIndex: 5, overscan: 2, count: 7 })).toEqual([1, 2, 3, 4, 5, 6])
  expect(rowsToMount({ startIndex: 0, endIndex: 0, overscan: 2, count: 0 }, [4])).toEqual([])
})

it("[TAB-12] the row with the focus stays, above or below", () => {
  expect(rowsToMount({ startIndex: 50, endIndex: 51, overscan: 0, count: 100 }, [2])).toEqual([2, 50, 51])
  expect(rowsToMount({ startIndex: 50, endIndex: 51, overscan: 0, count: 100 }, [90, 2])).toEqual([2, 50, 51, 90])
  expect(rowsToMount({ startIndex: 50, endIndex: 51, overscan: 0, count: 100 }, [51])).toEqual([50, 51])
})

it("[TAB-5] how many are mounted can be read and followed", () => {
  const mounted = mountedCount()
  const seen: number[] = []
  const leave = mounted.subscribe(() => seen.push(mounted.get()))
  mounted.set("front", 3)
  mounted.set("front", 3)
  mounted.set("side", 5)
  mounted.set("front", 0)
  leave()
  mounted.set("side", 0)
  expect(seen).toEqual([3, 8, 5])
  expect(mounted.get()).toBe(0)
})
