import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  dimmedRanges,
  isArchiveDimmed,
  isDimmed,
  isInForce,
  isWithin,
  joined,
  newestRollback,
  visibleCount,
  visibleFrom,
} from "./dimming.ts"
import type { RollbackRow } from "./rows/rollback.ts"
import { rollbackWith } from "./testing/rows.ts"

const rollback = (row: Partial<RollbackRow>): RollbackRow => rollbackWith("rbk", row)

const ranges = fc.array(
  fc.tuple(fc.nat(30), fc.nat(10)).map(([toOrd, length]) => ({ toOrd, fromOrd: toOrd + length })),
  { maxLength: 6 },
)

describe("what rollbacks hide", () => {
  it("[RBK-1] is everything after a message up to the newest one at that time; later messages stay visible", () => {
    const rows = [rollback({ toOrd: 3, fromOrd: 7 })]
    expect([3, 4, 7, 8].map((ord) => isDimmed(ord, rows))).toEqual([false, true, true, false])
  })

  it("[RBK-4] is nothing when only files were rolled back", () => {
    expect(isDimmed(4, [rollback({ toOrd: 3, fromOrd: 7, scope: "files" })])).toBe(false)
  })

  it("[BRA-2] is evaluated as of an event: a rollback begun later or ended by then does not count", () => {
    const row = { began: 10, ended: 20, earlier: [{ began: 2, ended: 5 }] }
    expect([1, 2, 4, 5, 9, 10, 19, 20].map((asOf) => isInForce(row, asOf))).toEqual([
      false,
      true,
      true,
      false,
      false,
      true,
      true,
      false,
    ])
    expect(isInForce(row)).toBe(false)
    expect(isInForce({ ...row, ended: null })).toBe(true)
  })

  it("joined ranges cover the same numbers, disjoint and newest first", () => {
    fc.assert(
      fc.property(ranges, (list) => {
        const apart = joined(list)
        for (let ord = 0; ord <= 45; ord++)
          expect(apart.some((range) => isWithin(ord, range))).toBe(list.some((range) => isWithin(ord, range)))
        for (const [index, range] of apart.entries()) {
          expect(range.fromOrd).toBeGreaterThan(range.toOrd)
          const next = apart[index + 1]
          if (next !== undefined) expect(next.fromOrd).toBeLessThan(range.toOrd)
        }
      }),
    )
  })

  it("jumping and counting agree with checking each number", () => {
    fc.assert(
      fc.property(ranges, fc.nat(45), fc.nat(45), (list, a, b) => {
        const apart = dimmedRanges(list.map((range) => rollback(range)))
        const dims = (ord: number) => list.some((range) => isWithin(ord, range))
        let visible = a
        while (visible > 0 && dims(visible)) visible -= 1
        expect(visibleFrom(a, apart)).toBe(visible)
        const [toOrd, fromOrd] = [Math.min(a, b), Math.max(a, b)]
        const seen = Array.from({ length: fromOrd - toOrd }, (_, i) => toOrd + 1 + i).filter((ord) => !dims(ord))
        expect(visibleCount({ toOrd, fromOrd }, apart)).toBe(seen.length)
      }),
    )
  })

  it("[RBK-6] the newest in force is the one begun last; of one decision, the new one", () => {
    const first = rollback({ id: "first", began: 5, fromOrd: 9 })
    const again = rollback({ id: "again", began: 8, fromOrd: 4, earlier: [{ began: 1, ended: 3 }] })
    const made = rollback({ id: "made", began: 8, fromOrd: 4 })
    const ended = rollback({ id: "ended", began: 9, ended: 10 })
    expect(newestRollback([first, again, made, ended])?.id).toBe("made")
    expect(newestRollback([first, again, ended])?.id).toBe("again")
    expect(newestRollback([ended])).toBeUndefined()
    const further = rollback({ id: "further", began: 8, fromOrd: 6 })
    for (const list of [
      [made, further],
      [further, made],
    ])
      expect(newestRollback(list)?.id).toBe("further")
    const twice = rollback({
      id: "twice",
      began: 8,
      fromOrd: 9,
      earlier: [
        { began: 1, ended: 2 },
        { began: 3, ended: 4 },
      ],
    })
    for (const list of [
      [again, twice],
      [twice, again],
    ])
      expect(newestRollback(list)?.id).toBe("again")
  })

  it("[RBK-10] an archive made after the rollback target is dimmed, one made before it stays in force", () => {
    const archive = { toOrd: 6, madeOrd: 10 }
    expect(isArchiveDimmed(archive, [{ toOrd: 9, fromOrd: 12 }])).toBe(true)
    expect(isArchiveDimmed(archive, [{ toOrd: 10, fromOrd: 12 }])).toBe(false)
    expect(isArchiveDimmed({ toOrd: 6, madeOrd: null }, [{ toOrd: 5, fromOrd: 12 }])).toBe(true)
  })

  it("[BRA-7] an archive made after the message a branch starts from is not in force in the branch", () => {
    const archive = { toOrd: 6, madeOrd: 10 }
    expect(isArchiveDimmed(archive, [], 5), "it covers messages that the branch does not have").toBe(true)
    expect(isArchiveDimmed(archive, [], 9), "it covers only messages that the branch has").toBe(true)
    expect(isArchiveDimmed(archive, [], 10), "made when that message was the newest").toBe(false)
    expect(isArchiveDimmed({ toOrd: 6, madeOrd: null }, [], 6)).toBe(false)
  })
})
