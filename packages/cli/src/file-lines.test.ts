import type { FileChange } from "@parlor/protocol"
import { expect, test } from "vitest"
import { changeLines, fileLines } from "./file-lines.ts"

test("files are lines of size, who changed them and path", () => {
  expect(
    fileLines([
      { path: "a.txt", bytes: 5, hash: "h", by: "person" },
      { path: "b/\u001b[2Jc", bytes: 12_345, hash: null, by: "agent:host" },
      { path: "c", bytes: 9_999_999, hash: null, by: "hand" },
    ]),
  ).toEqual(["   5 B  person      a.txt", " 12 KB  agent:host  b/␛[2Jc", "9.5 MB  hand        c"])
  expect(fileLines([{ path: "earlier", bytes: 1, hash: "h" }])).toEqual(["1 B  earlier"])
  expect(fileLines([])).toEqual([])
})

test("changes are a heading and a diff each, without terminal escapes", () => {
  const change = (more: Partial<FileChange>) =>
    ({ path: "a", by: "person", before: "x", after: "y", ...more }) as FileChange
  expect(
    changeLines([
      change({ diff: "@@ -1 +1 @@\n-a\u001b[31m\n+b" }),
      change({ before: null, diff: null, by: "agent:host" }),
      change({ after: null, diff: "" }),
    ]),
  ).toEqual([
    "changed a by person",
    "@@ -1 +1 @@",
    "-a␛[31m",
    "+b",
    "",
    "created a by agent:host",
    "  (no diff)",
    "",
    "deleted a by person",
  ])
})
