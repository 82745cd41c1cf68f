import type { FileListing } from "@parlor/protocol"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { byWords, treeLines, whoWords } from "./fileTree.ts"
import { visibleLines } from "./treeKeys.ts"

const file = (path: string): FileListing => ({ path, bytes: 1, hash: "h" })
const name = fc.constantFrom("a", "b", "B", "a.txt", "a-b", "é", "10", "2", "constructor", "__proto__")
/** Paths as a disk can have them: none is a file and a folder at once. */
const paths = fc
  .uniqueArray(
    fc.array(name, { minLength: 1, maxLength: 4 }).map((steps) => steps.join("/")),
    { maxLength: 30 },
  )
  .map((all) => all.filter((path) => !all.some((other) => other.startsWith(`${path}/`))))

describe("the tree of files", () => {
  it("[WSP-4] every file has one line, every folder one, and it stands right under the folder it is in", () => {
    fc.assert(
      fc.property(paths, (all) => {
        const lines = treeLines(all.map(file))
        const shown = lines.filter(({ kind }) => kind === "file").map(({ path }) => path)
        expect([...shown].sort()).toEqual([...all].sort())
        expect(new Set(lines.map(({ path }) => path)).size).toBe(lines.length)
        const above: string[] = []
        for (const line of lines) {
          above.length = Math.min(above.length, line.level)
          expect(line.path).toBe([...above, line.name].join("/"))
          if (line.kind === "folder") above.push(line.name)
        }
      }),
    )
  })

  it("[WSP-4] it is the same tree in whatever order the files came", () => {
    fc.assert(
      fc.property(paths, (all) => {
        const before = [...all]
        expect(treeLines(all.map(file))).toEqual(treeLines([...all].reverse().map(file)))
        expect(all).toEqual(before)
      }),
    )
  })

  it("[WSP-4] a closed folder hides exactly what is in it", () => {
    fc.assert(
      fc.property(paths, fc.nat(), (all, pick) => {
        const lines = treeLines(all.map(file))
        const folders = lines.filter(({ kind }) => kind === "folder")
        const folder = folders[pick % Math.max(1, folders.length)]?.path ?? "none"
        const hidden = lines.filter((line) => !visibleLines(lines, new Set([folder])).includes(line))
        expect(hidden).toEqual(lines.filter(({ path }) => path.startsWith(`${folder}/`)))
      }),
    )
  })
})

describe("words about a file", () => {
  it("[WSP-7] an agent that calls itself person or hand is taken for neither", () => {
    expect(["agent:person", "agent:hand", "agent:agent:x"].map(byWords)).toEqual(["person", "hand", "agent:x"])
  })

  it("[WSP-7] what was done by hand reads as a sentence too", () => {
    expect(["person", "agent:crab", "hand"].map((by) => `${whoWords(by)} changed it`)).toEqual([
      "you changed it",
      "crab changed it",
      "someone on disk changed it",
    ])
  })
})
