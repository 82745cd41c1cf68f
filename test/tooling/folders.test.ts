import { describe, expect, test } from "vitest"
import { drawFolders, FOLDER_ROOTS, folderCycles, folderGraph, withDrawing } from "../../scripts/folders.mjs"

const root = { name: "page", path: "packages/page/src", nested: ["features"] }
const at = (path: string) => `packages/page/src/${path}`

function graphOf(imports: Record<string, readonly string[]>) {
  const entries = Object.entries(imports).map(([from, to]) => [at(from), to.map(at)] as const)
  return folderGraph(new Map(entries), root)
}

describe("folders import in one direction", () => {
  test("a cycle between folders is caught, with the imports that make it, though no file is on a cycle", () => {
    const graph = graphOf({
      "features/tab/a.ts": ["features/pane/b.ts"],
      "features/pane/b.ts": [],
      "features/pane/c.ts": ["ui/d.ts"],
      "ui/d.ts": ["features/tab/e.ts"],
      "features/tab/e.ts": [],
    })
    expect(folderCycles(graph, root)).toEqual([
      "folder cycle in packages/page/src: pane → ui → tab → pane (features/pane/c.ts imports ui/d.ts; ui/d.ts imports features/tab/e.ts; features/tab/a.ts imports features/pane/b.ts)",
    ])
  })

  test("tests may import any folder, and files at the top import all of them", () => {
    const graph = graphOf({
      "features/tab/a.ts": ["features/tab/b.ts"],
      "features/tab/a.test.ts": ["features/pane/b.ts"],
      "features/tab/testing/c.ts": ["features/pane/b.ts"],
      "features/pane/b.ts": ["features/tab/a.ts"],
      "main.ts": ["features/tab/a.ts", "features/pane/b.ts"],
    })
    expect(folderCycles(graph, root)).toEqual([])
  })

  test("layers go from the top down, and the drawing leaves out arrows that follow from others", () => {
    const graph = graphOf({
      "features/pane/a.ts": ["features/tab/b.ts", "ui/c.ts"],
      "features/tab/b.ts": ["ui/c.ts"],
      "ui/c.ts": [],
      "main.ts": ["features/pane/a.ts"],
    })
    const drawing = drawFolders(graph)
    expect(drawing).toContain(" 2  pane  tab ui\n 1  tab   ui\n 0  ui\n")
    expect(drawing).toContain("flowchart TD\n  pane --> tab\n  tab --> ui\n")
  })

  test("a document is drawn into between its markers, and only there", () => {
    const text = "Before.\n\n<!-- folders: page -->\n\nold\n\n<!-- /folders -->\n\nAfter.\n"
    const drawn = withDrawing(text, root, "new")
    expect(drawn).toBe("Before.\n\n<!-- folders: page -->\n\nnew\n\n<!-- /folders -->\n\nAfter.\n")
    expect(withDrawing(drawn ?? "", root, "new")).toBe(drawn)
    expect(withDrawing("no markers", root, "new")).toBeUndefined()
  })

  test("core and the page are checked", () => {
    expect(FOLDER_ROOTS.map(({ path }) => path)).toEqual(["packages/core/src", "packages/web/src"])
  })
})
