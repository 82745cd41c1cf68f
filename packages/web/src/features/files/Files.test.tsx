import type { FileChange, FileListing } from "@parlor/protocol"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { ChangeList } from "./ChangeList.tsx"
import { changeGroups, diffLines } from "./changeGroups.ts"
import { Diff } from "./Diff.tsx"
import { FileTree } from "./FileTree.tsx"
import { byWords, sizeWords, treeLines } from "./fileTree.ts"

const file = (path: string): FileListing => ({ path, bytes: 5, hash: "h", by: "person", turn: null, at: 1 })
const change = (more: Partial<FileChange>): FileChange => ({
  id: "chg_1",
  ord: 1,
  path: "a.txt",
  before: "x",
  after: "y",
  bytes: 1,
  bytesBefore: 1,
  by: "agent:host",
  turn: null,
  at: 1,
  diff: "@@ -1 +1 @@\n-a\n+b",
  ...more,
})

describe("files in the page", () => {
  it("[WSP-4] are a tree: folders before files, each by name", () => {
    const lines = treeLines(["z.txt", "a/b/c.txt", "a/a.txt", "b.txt", "a/b/a.txt", "c/d.txt"].map(file))
    expect(lines.map(({ kind, name, level }) => `${"  ".repeat(level)}${name}${kind === "folder" ? "/" : ""}`)).toEqual(
      ["a/", "  b/", "    a.txt", "    c.txt", "  a.txt", "c/", "  d.txt", "b.txt", "z.txt"],
    )
    expect(treeLines([])).toEqual([])
  })

  it("[WSP-4] changes are put together by turn, those of people and of hands stay apart", () => {
    const groups = changeGroups([
      change({ id: "5", turn: "t2" as FileChange["turn"] }),
      change({ id: "4", turn: "t2" as FileChange["turn"], path: "b.txt" }),
      change({ id: "3", by: "hand" }),
      change({ id: "2", by: "person" }),
      change({ id: "1", turn: "t1" as FileChange["turn"] }),
    ])
    expect(groups.map(({ title, changes }) => [title, changes.map(({ id }) => id)])).toEqual([
      ["host", ["5", "4"]],
      ["edited on disk", ["3"]],
      ["you", ["2"]],
      ["host", ["1"]],
    ])
  })

  it("[WSP-4] a difference shows what was added and what was removed", () => {
    expect(diffLines("@@ -1 +1 @@\n-a\n+b\n c\n\\ No newline at end of file").map(({ kind }) => kind)).toEqual([
      "place",
      "removed",
      "added",
      "same",
      "place",
    ])
    expect(diffLines("")).toEqual([])
    expect(renderToStaticMarkup(<Diff diff={null} />)).toContain("Not compared")
  })

  it("[SEC-6] paths and contents are text, whatever they hold", () => {
    const evil = "<img src=x onerror=alert(1)>"
    const html =
      renderToStaticMarkup(<FileTree files={[file(evil)]} open={undefined} onOpen={() => {}} />) +
      renderToStaticMarkup(<ChangeList changes={[change({ path: evil, diff: `+${evil}`, by: evil })]} />)
    expect(html).not.toContain("<img")
    expect(html).toContain("&lt;img")
  })

  it("says sizes and names in words", () => {
    expect([5, 1_234, 9_999_999].map(sizeWords)).toEqual(["5 B", "1.2 kB", "10.0 MB"])
    expect(["person", "agent:crab", "hand", undefined].map(byWords)).toEqual(["you", "crab", "edited on disk", ""])
  })
})
