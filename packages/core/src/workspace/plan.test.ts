import { type FileRow, limits } from "@parlor/protocol"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type ConversationState, newStatus } from "../log/state.ts"
import { type FileEdit, planEdits } from "./plan.ts"
import { inTheWay, putFile, takeFile, treeOf } from "./tree.ts"

const row = (path: string, bytes = 1, at = 1): FileRow => ({
  path,
  hash: `h ${path}`,
  bytes,
  by: "person",
  turn: null,
  at,
})
const edit = (path: string, hash: string | null, bytes = 1): FileEdit => ({
  path,
  after: hash === null ? null : { hash, bytes },
  by: "agent:crab",
  turn: null,
})
const state = (files = 0) =>
  ({ stream: { control: 7 }, lastOrd: 3, status: { ...newStatus(0), files } }) as unknown as ConversationState
const plan = (tree: ReturnType<typeof treeOf>, ...edits: readonly FileEdit[]) => planEdits(state(), tree, edits, 9)

describe("a plan of edits", () => {
  it("[WSP-2] each change is a row with the current state and one with before and after", () => {
    const { changes, status } = plan(treeOf([row("a", 5)]), edit("a", "new", 2), edit("b", "h", 3), edit("a", null))
    const about = { ord: 3, by: "agent:crab", turn: null, at: 9 }
    expect(changes.map(({ collection, operation, row }) => ({ collection, operation, ...row }))).toEqual([
      {
        collection: "files",
        operation: "update",
        path: "a",
        hash: "new",
        bytes: 2,
        by: "agent:crab",
        turn: null,
        at: 9,
      },
      {
        collection: "changes",
        operation: "insert",
        id: "chg_0000000000000700000",
        path: "a",
        before: "h a",
        after: "new",
        bytes: 2,
        bytesBefore: 5,
        ...about,
      },
      { collection: "files", operation: "insert", path: "b", hash: "h", bytes: 3, by: "agent:crab", turn: null, at: 9 },
      {
        collection: "changes",
        operation: "insert",
        id: "chg_0000000000000700001",
        path: "b",
        before: null,
        after: "h",
        bytes: 3,
        bytesBefore: 0,
        ...about,
      },
      {
        collection: "files",
        operation: "delete",
        path: "a",
        hash: "new",
        bytes: 2,
        by: "agent:crab",
        turn: null,
        at: 9,
      },
      {
        collection: "changes",
        operation: "insert",
        id: "chg_0000000000000700002",
        path: "a",
        before: "new",
        after: null,
        bytes: 0,
        bytesBefore: 2,
        ...about,
      },
    ])
    expect(status).toMatchObject({ files: 1, latestFile: "b" })
  })

  it("edits without effect are not written", () => {
    expect(plan(treeOf([row("a")]), edit("a", "h a"), edit("none", null))).toEqual({
      changes: [],
      status: state().status,
    })
  })

  it("the latest file is one that exists", () => {
    const tree = treeOf([row("old", 1, 1), row("newer", 1, 2)])
    expect(plan(tree, edit("made", "x"), edit("made", null)).status.latestFile).toBe("newer")
    expect(plan(tree, edit("newer", null), edit("old", null)).status).toMatchObject({ files: 0, latestFile: null })
  })

  it("[WSP-6] a file too large, a file too many and a byte too many are rejected, each with its own code", () => {
    const full = () => treeOf(Array.from({ length: limits.workspaceFiles }, (_, index) => row(`f${index}`)))
    expect(() => plan(treeOf([]), edit("a", "h", limits.fileBytes + 1))).toThrow(
      expect.objectContaining({ code: "file.too-large" }),
    )
    expect(() => plan(full(), edit("one-more", "h"))).toThrow(expect.objectContaining({ code: "workspace.full" }))
    expect(plan(full(), edit("f1", "new")).changes).toHaveLength(2)
    expect(plan(full(), edit("f1", null), edit("one-more", "h")).changes).toHaveLength(4)
    const heavy = () => treeOf(Array.from({ length: 20 }, (_, index) => row(`f${index}`, limits.fileBytes)))
    expect(() => plan(heavy(), edit("a", "h"))).toThrow(expect.objectContaining({ code: "workspace.full" }))
    expect(plan(heavy(), edit("f1", "h", limits.fileBytes)).changes).toHaveLength(2)
    expect(plan(heavy(), edit("f1", "h", 1)).changes).toHaveLength(2)
  })

  it.each([
    ["Readme.md", ["README.md"], "README.md"],
    ["docs/a", ["Docs/b"], "Docs"],
    ["a/b", ["a"], "a"],
    ["a", ["a/b/c"], "a"],
    ["A", ["a/b/c"], "a"],
    ["a/b/c/d", ["a/b"], "a/b"],
    ["ﬁ", ["fi"], "fi"],
  ])("[WSP-1] %s cannot be created where there is %s", (path, there, other) => {
    expect(() => plan(treeOf(there.map((name) => row(name))), edit(path, "h"))).toThrow(
      expect.objectContaining({ code: "file.clash", message: expect.stringContaining(`${other} is in the way`) }),
    )
  })

  it("nothing is in the way once it is deleted", () => {
    const tree = treeOf([row("a/b"), row("a/c")])
    takeFile(tree, "a/b")
    expect(inTheWay(tree, "A")).toBe("a")
    takeFile(tree, "a/c")
    expect(inTheWay(tree, "A")).toBeUndefined()
    expect(tree).toEqual(treeOf([]))
  })

  it("a tree changed step by step equals one built at once", () => {
    const name = fc.constantFrom("a", "b/c", "b/d", "b/d2/e", "f")
    const steps = fc.array(fc.record({ name, bytes: fc.option(fc.nat({ max: 9 })) }), { maxLength: 30 })
    fc.assert(
      fc.property(steps, (list) => {
        const tree = treeOf([])
        const rows = new Map<string, FileRow>()
        for (const { name, bytes } of list) {
          if (bytes === null) {
            takeFile(tree, name)
            rows.delete(name)
          } else {
            putFile(tree, row(name, bytes))
            rows.set(name, row(name, bytes))
          }
        }
        const once = treeOf(rows.values())
        expect(tree.bytes).toBe(once.bytes)
        expect(new Map([...tree.names].sort())).toEqual(new Map([...once.names].sort()))
        expect(new Map([...tree.files].sort())).toEqual(new Map([...once.files].sort()))
      }),
    )
  })
})
