import type { FileChange } from "@parlor/protocol"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { changeGroups, changeKind, diffLines } from "./changeGroups.ts"

const change = (id: string, turn: string | null, by = "agent:host"): FileChange => ({
  ...{ id, ord: 1, path: "a.txt", before: "x", after: "y", bytes: 1, bytesBefore: 1, by, at: 1, diff: null },
  turn: turn as FileChange["turn"],
})

describe("changes by turn", () => {
  it("[WSP-4] none is lost, doubled or out of order, and no group mixes turns", () => {
    const turns = fc.array(fc.option(fc.constantFrom("t1", "t2", "t3")), { maxLength: 20 })
    fc.assert(
      fc.property(turns, (given) => {
        const changes = given.map((turn, index) => change(`chg_${index}`, turn))
        const groups = changeGroups(changes)
        expect(groups.flatMap((group) => group.changes)).toEqual(changes)
        for (const group of groups) {
          expect(new Set(group.changes.map(({ turn }) => turn)).size).toBe(1)
          if (group.changes[0]?.turn === null) expect(group.changes).toHaveLength(1)
        }
      }),
    )
  })

  it("[WSP-4] two changes of a person are two: nobody says that they belong together", () => {
    expect(changeGroups([change("2", null, "person"), change("1", null, "person")])).toHaveLength(2)
  })

  it("[WSP-4] a turn that somebody else changed something in the middle of is shown in two pieces, in order", () => {
    const groups = changeGroups([change("3", "t1"), change("2", null, "hand"), change("1", "t1")])
    expect(groups.map(({ title, changes }) => [title, changes.map(({ id }) => id)])).toEqual([
      ["host", ["3"]],
      ["edited on disk", ["2"]],
      ["host", ["1"]],
    ])
    expect(groups.map(({ label }) => label)).toEqual([
      ...["Changes by host", "Changes by someone on disk", "Changes by host"],
    ])
  })

  it("a group is as old as its newest change", () => {
    const [group] = changeGroups([
      { ...change("2", "t1"), at: 20 },
      { ...change("1", "t1"), at: 10 },
    ])
    expect(group?.at).toBe(20)
  })

  it("[WSP-4] making, changing and deleting are told apart", () => {
    const words = (before: string | null, after: string | null) => changeKind({ before, after })
    expect([words(null, "h"), words("h", "i"), words("h", null)]).toEqual(["created", "changed", "deleted"])
  })
})

describe("a difference, line by line", () => {
  it("[WSP-4] is shown word for word: its lines put together are it", () => {
    const line = fc.tuple(fc.constantFrom("+", "-", " ", "@@", "\\"), fc.string()).map(([mark, text]) => mark + text)
    fc.assert(
      fc.property(fc.array(line, { minLength: 1 }), (lines) => {
        const diff = lines.join("\n")
        const shown = diffLines(diff)
        expect(shown.map(({ text }) => text).join("\n")).toBe(diff)
      }),
    )
  })

  it("[WSP-4] content that looks like a mark is content: only the first character of a line counts", () => {
    expect(diffLines("+-- a\n-++ b\n @@ c\n+@@ d\n-\n+").map(({ kind }) => kind)).toEqual([
      ...["added", "removed", "same", "added", "removed", "added"],
    ])
  })
})
