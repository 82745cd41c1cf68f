import type { RollbackRow } from "@parlor/protocol"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { beforeDimmed, cancelled, checkCancel, newRollback } from "./plan.ts"

const row = (id: string, parts: Partial<RollbackRow>): RollbackRow =>
  newRollback({ id, to: null, from: null, toOrd: 0, fromOrd: 0, began: 1, at: 0, ...parts })

const force = (rows: readonly RollbackRow[]) => rows.map(({ id, began, ended }) => [id, began, ended])

describe("cancelling", () => {
  it("[RBK-6] ends the rollback; canceling the cancellation restores it, and what it had canceled ends again", () => {
    const first = row("first", { began: 10, ended: 20 })
    const second = row("second", { began: 20, ended: 30, cancels: "first" })
    const third = row("third", { began: 30, cancels: "second" })
    const revived = { ...first, began: 30, ended: null, earlier: [{ began: 10, ended: 20 }] }
    const changed = cancelled([revived, second, third], third, 40)
    expect(force(changed)).toEqual([
      ["third", 30, 40],
      ["second", 40, null],
      ["first", 30, 40],
    ])
    expect(changed[1]?.earlier).toEqual([{ began: 20, ended: 30 }])
  })

  it("[RBK-6] only the newest may be canceled, and only once", () => {
    const rows = [row("old", { began: 1 }), row("new", { began: 5 }), row("over", { began: 6, ended: 7 })]
    expect(checkCancel(rows, "new").id).toBe("new")
    const code = (id: string) => {
      try {
        checkCancel(rows, id)
        return undefined
      } catch (error) {
        return (error as { code?: string }).code
      }
    }
    expect(["old", "over", "none"].map(code)).toEqual(["rollback.not-newest", "rollback.over", "rollback.unknown"])
  })
})

describe("the log before a message was dimmed", () => {
  const rows = [row("a", { toOrd: 2, fromOrd: 9, began: 50 }), row("b", { toOrd: 1, fromOrd: 12, began: 70 })]

  it("[BRA-1] is the whole log for a message that is not dimmed", () => {
    expect(beforeDimmed(1, rows, 99)).toBe(99)
  })

  it("[BRA-1] ends before the first of the rollbacks in force that dim it", () => {
    expect(beforeDimmed(5, rows, 99)).toBe(49)
    expect(beforeDimmed(11, rows, 99)).toBe(69)
    expect(beforeDimmed(5, rows, 60)).toBe(49)
    expect(beforeDimmed(11, rows, 60)).toBe(60)
  })

  it("[BRA-1] is the last moment before all of them when none is in force", () => {
    const time = fc.record({ began: fc.nat(30), length: fc.option(fc.integer({ min: 1, max: 20 })) })
    fc.assert(
      fc.property(fc.array(time, { maxLength: 8 }), fc.nat(40), (times, upTo) => {
        const all = times.map(({ began, length }) => ({ began, ended: length === null ? null : began + length }))
        const rows = all.map((parts, index) => row(`r${index}`, { toOrd: 1, fromOrd: 9, ...parts }))
        const inForce = (at: number) => all.filter(({ began, ended }) => began <= at && (ended === null || ended > at))
        let expected = upTo
        while (inForce(expected).length > 0) expected = Math.min(...inForce(expected).map(({ began }) => began)) - 1
        expect(beforeDimmed(5, rows, upTo)).toBe(expected)
      }),
    )
  })

  it("[BRA-1] ignores rollbacks that were canceled by then", () => {
    const again = row("c", { toOrd: 2, fromOrd: 9, began: 80, earlier: [{ began: 20, ended: 30 }] })
    expect(beforeDimmed(5, [again], 99)).toBe(79)
    expect(beforeDimmed(5, [again], 25)).toBe(19)
  })
})
