import type { FileListing } from "@parlor/protocol"
import fc from "fast-check"
import { expect, it } from "vitest"
import { treeLines } from "./fileTree.ts"
import { treeMove, visibleLines } from "./treeKeys.ts"

const file = (path: string): FileListing => ({ path, bytes: 1, hash: "h" })
const lines = treeLines(["a/b/c.txt", "a/d.txt", "e.txt", "ab.txt"].map(file))
const none: ReadonlySet<string> = new Set()
const move = (key: string, path: string, closed = none) => treeMove(key, visibleLines(lines, closed), path, closed)

it("[TAB-12] arrows move up and down through the visible rows", () => {
  expect(lines.map(({ path }) => path)).toEqual(["a", "a/b", "a/b/c.txt", "a/d.txt", "ab.txt", "e.txt"])
  expect(move("ArrowDown", "a")).toEqual({ kind: "focus", path: "a/b" })
  expect(move("ArrowDown", "a", new Set(["a"]))).toEqual({ kind: "focus", path: "ab.txt" })
  expect(move("ArrowUp", "e.txt")).toEqual({ kind: "focus", path: "ab.txt" })
  expect([move("ArrowUp", "a"), move("ArrowDown", "e.txt")]).toEqual([undefined, undefined])
  expect([move("Home", "e.txt"), move("End", "a")]).toEqual([
    { kind: "focus", path: "a" },
    { kind: "focus", path: "e.txt" },
  ])
})

it("[TAB-12] right opens a folder and enters it, left leaves it and closes it", () => {
  expect(move("ArrowRight", "a", new Set(["a"]))).toEqual({ kind: "fold", path: "a", isOpen: true })
  expect(move("ArrowRight", "a")).toEqual({ kind: "focus", path: "a/b" })
  expect(move("ArrowRight", "e.txt")).toBeUndefined()
  expect(move("ArrowLeft", "a/b")).toEqual({ kind: "fold", path: "a/b", isOpen: false })
  expect(move("ArrowLeft", "a/b/c.txt")).toEqual({ kind: "focus", path: "a/b" })
  expect(move("ArrowLeft", "e.txt")).toBeUndefined()
})

it("[TAB-12] Enter opens a file and collapses a folder, letters jump to names", () => {
  expect(move("Enter", "e.txt")).toEqual({ kind: "open", path: "e.txt" })
  expect(move(" ", "a")).toEqual({ kind: "fold", path: "a", isOpen: false })
  expect(move("D", "a")).toEqual({ kind: "focus", path: "a/d.txt" })
  expect(move("a", "ab.txt")).toEqual({ kind: "focus", path: "a" })
  expect([move("x", "a"), move("Tab", "a"), move("Enter", "gone")]).toEqual([undefined, undefined, undefined])
})

it("[WSP-4] a closed folder hides its contents at any depth, but no path that only shares its prefix", () => {
  expect(visibleLines(lines, new Set(["a"])).map(({ path }) => path)).toEqual(["a", "ab.txt", "e.txt"])
  expect(visibleLines(lines, none)).toBe(lines)
})

it("[TAB-12] left on a closed folder moves to its parent, and Enter opens it again", () => {
  expect(move("ArrowLeft", "a/b", new Set(["a/b"]))).toEqual({ kind: "focus", path: "a" })
  expect(move("ArrowLeft", "a", new Set(["a"]))).toBeUndefined()
  expect(move("Enter", "a", new Set(["a"]))).toEqual({ kind: "fold", path: "a", isOpen: true })
})

it("[TAB-12] a letter wraps around at the end, and stays if there is no other match", () => {
  expect(move("a", "e.txt")).toEqual({ kind: "focus", path: "a" })
  expect(move("e", "e.txt")).toEqual({ kind: "focus", path: "e.txt" })
  expect(move("c", "a", new Set(["a"]))).toBeUndefined()
})

it("[TAB-12] whatever is pressed, the focus stays on a visible row", () => {
  const keys = fc.constantFrom("ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight", "Home", "End", "Enter", " ", "a", "d")
  fc.assert(
    fc.property(fc.array(keys, { maxLength: 40 }), (pressed) => {
      const closed = new Set<string>()
      let at = "a"
      for (const key of pressed) {
        const done = treeMove(key, visibleLines(lines, closed), at, closed)
        if (done?.kind === "focus") at = done.path
        if (done?.kind === "fold" && done.isOpen) closed.delete(done.path)
        if (done?.kind === "fold" && !done.isOpen) closed.add(done.path)
        expect(visibleLines(lines, closed).some(({ path }) => path === at)).toBe(true)
      }
    }),
  )
})
