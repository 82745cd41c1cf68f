import type { FileChange, FileListing } from "@parlor/protocol"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { ChangeList } from "./ChangeList.tsx"
import { changeGroups, diffLines } from "./changeGroups.ts"
import { Diff } from "./Diff.tsx"
import { FileContent } from "./FileContent.tsx"
import { FileTree } from "./FileTree.tsx"
import { byWords, treeLines } from "./fileTree.ts"
import { Overtaken } from "./Overtaken.tsx"
import { Uploaded } from "./Uploaded.tsx"
import type { Taken } from "./uploads.ts"

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
    expect(renderToStaticMarkup(<Diff diff={null} />)).toContain("No diff")
  })

  it("[SEC-6] paths and contents are text, whatever they hold", () => {
    const evil = "<img src=x onerror=alert(1)>"
    const html =
      renderToStaticMarkup(<FileTree files={[file(evil)]} open={undefined} onOpen={() => {}} />) +
      renderToStaticMarkup(<ChangeList changes={[change({ path: evil, diff: `+${evil}`, by: evil })]} />)
    expect(html).not.toContain("<img")
    expect(html).toContain("&lt;img")
  })

  it("[TAB-12, TAB-27] the tree says what is what to a screen reader, and one line of it is reached by Tab", () => {
    const html = renderToStaticMarkup(
      <FileTree files={["a/b.txt", "c.txt"].map(file)} open="c.txt" onOpen={() => {}} />,
    )
    expect(html).toContain('role="tree"')
    expect(html.match(/role="treeitem"/g)).toHaveLength(3)
    expect(html).toContain('aria-expanded="true"')
    expect(html.match(/tabindex="0"/g)).toHaveLength(1)
    expect(html).toMatch(/aria-level="1" aria-selected="true"[^>]*data-path="c.txt"/)
    expect(html).toContain('aria-level="2"')
  })

  it("[WSP-4] a file shows its lines with their numbers, what it is when it is none, and that it is empty", () => {
    const shown = (bytes: Uint8Array<ArrayBuffer>, mediaType = "text/plain") =>
      renderToStaticMarkup(<FileContent path="a.txt" read={{ bytes, hash: "h", mediaType }} />)
    const text = new TextEncoder()
    expect(shown(text.encode("one\ntwo\n"))).toMatch(/1\n2<\/pre>.*one\ntwo/s)
    expect(shown(new Uint8Array())).toContain("This file is empty")
    expect(shown(new Uint8Array([0, 1]))).toContain("2 B of binary data")
    expect(shown(text.encode("<script>x</script>"))).not.toContain("<script>")
    expect(shown(text.encode(`${"x".repeat(99)}\n`.repeat(4_100)))).toContain("Showing the beginning of 400 KB")
  })

  it("[WSP-4] two who wrote the same file are both shown before one is chosen", () => {
    const theirs = { bytes: new TextEncoder().encode("theirs"), hash: "h", mediaType: "text/plain" }
    const asked = (read: typeof theirs | null) =>
      renderToStaticMarkup(<Overtaken theirs={{ read }} mine="mine" onMine={() => {}} onTheirs={() => {}} />)
    for (const words of [
      "changed while you were editing it",
      "theirs",
      "mine",
      "Keep current version",
      "Save my version",
    ])
      expect(asked(theirs)).toContain(words)
    expect(asked(null)).toContain("deleted while you were editing it")
    expect(asked(null)).toContain("Keep it deleted")
  })

  it("[WSP-4] what was dropped says what is there already and what cannot be", () => {
    const taken = (more: Partial<Taken>) =>
      renderToStaticMarkup(
        <Uploaded
          taken={{ made: ["a.txt"], met: [], refused: [], stopped: [], ...more }}
          onReplace={() => {}}
          onClose={() => {}}
        />,
      )
    expect(taken({})).toContain("Uploaded: a.txt")
    const met = taken({ met: [Object.assign(new Blob([]), { name: "b.txt" })] })
    expect(met).toContain("b.txt. Nothing was overwritten.")
    expect(met).toContain("Replace it")
    const refused = taken({ refused: [{ name: "con", note: { code: "file.path", detail: "A device." } }] })
    expect(refused).toContain("Invalid path. A device.")
    expect(refused).not.toContain("Replace")
  })

  it("[WSP-4] what was deleted can be put back, and what is there opened", () => {
    const list = (there: readonly string[]) =>
      renderToStaticMarkup(
        <ChangeList
          changes={[change({ after: null, path: "gone.txt" })]}
          there={new Set(there)}
          onOpen={() => {}}
          onPutBack={() => {}}
        />,
      )
    expect(list([])).toContain("Restore")
    expect(list(["gone.txt"])).not.toContain("Restore")
    expect(list(["gone.txt"])).toContain("Open")
  })

  it("says who changed it in words", () => {
    expect(["person", "agent:crab", "hand", undefined].map(byWords)).toEqual(["you", "crab", "edited on disk", ""])
  })
})
