import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { foldId, makeFolds } from "./folds.ts"

describe("folds", () => {
  it("are as they were left by hand", () => {
    const folds = makeFolds(["a"])
    folds.set("b", true)
    folds.set("a", false)
    expect(["a", "b", "c"].map(folds.isOpen)).toEqual([false, true, false])
    expect(foldId("msg_1", 2)).toBe("msg_1 2")
  })

  it("[TAB-35] one that is lent folds again when the next is; one that was open stays open", () => {
    const folds = makeFolds(["a"])
    folds.lend("a")
    folds.lend("b")
    expect(["a", "b"].map(folds.isOpen)).toEqual([true, true])
    folds.lend("c")
    expect(["a", "b", "c"].map(folds.isOpen)).toEqual([true, false, true])
    folds.lend(undefined)
    expect(["a", "b", "c"].map(folds.isOpen)).toEqual([true, false, false])
  })

  it("[TAB-35] the last one stays when it is kept, and whatever a hand touched is that hand's", () => {
    const folds = makeFolds()
    folds.lend("a")
    folds.keep()
    folds.lend("b")
    folds.set("b", false)
    expect(["a", "b"].map(folds.isOpen)).toEqual([true, false])
    folds.lend("c")
    folds.set("c", true)
    folds.lend("d")
    expect(["a", "b", "c", "d"].map(folds.isOpen)).toEqual([true, false, true, true])
  })

  it("tell of what changes, and of nothing else", () => {
    const folds = makeFolds()
    let told = 0
    const leave = folds.subscribe(() => void told++)
    folds.lend("a")
    folds.lend("a")
    folds.keep()
    folds.set("a", false)
    leave()
    folds.set("a", true)
    expect(told).toBe(2)
  })

  it("whatever happens: a hand has the last word, and at most one is open that no hand opened and nobody kept", () => {
    const id = fc.constantFrom("a", "b", "c")
    const act = fc.oneof(
      fc.record({ do: fc.constant("set" as const), id, isOpen: fc.boolean() }),
      fc.record({ do: fc.constant("lend" as const), id }),
    )
    fc.assert(
      fc.property(fc.array(act), (acts) => {
        const folds = makeFolds()
        const byHand = new Map<string, boolean>()
        for (const one of acts) {
          if (one.do === "lend") folds.lend(one.id)
          else {
            folds.set(one.id, one.isOpen)
            byHand.set(one.id, one.isOpen)
            expect(folds.isOpen(one.id)).toBe(one.isOpen)
          }
          const extra = ["a", "b", "c"].filter((name) => folds.isOpen(name) && byHand.get(name) !== true)
          expect(extra.length).toBeLessThanOrEqual(1)
        }
      }),
    )
  })
})
