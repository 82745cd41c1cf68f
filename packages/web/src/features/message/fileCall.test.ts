import { expect, it } from "vitest"
import { fileCall } from "./fileCall.ts"

it("[WSP-2] each tool that changes files says which, and how", () => {
  expect(fileCall({ name: "write_file", input: { path: "a.md", content: "x\ny" } })).toEqual({
    words: "a.md",
    diffs: ["+x\n+y"],
  })
  const edits = [
    { old: "one", new: "two" },
    { old: "a\nb", new: "a" },
  ]
  expect(fileCall({ name: "edit_file", input: { path: "a.md", edits } })?.diffs).toEqual(["-one\n+two", " a\n-b"])
  expect(fileCall({ name: "move_file", input: { from: "a", to: "b" } })?.words).toBe("a → b")
  expect(fileCall({ name: "delete_file", input: { path: "a" } })).toEqual({ words: "a", diffs: [] })
})

it("other tools, and inputs that are not what they should be, are shown as they are", () => {
  for (const input of [null, "x", [], {}, { path: 1 }, { path: "a", edits: [{ old: 1 }] }, { path: "a", edits: "x" }])
    expect(fileCall({ name: "edit_file", input })).toBeUndefined()
  expect(fileCall({ name: "write_file", input: { path: "a", content: 1 } })).toBeUndefined()
  expect(fileCall({ name: "read_file", input: { path: "a" } })).toBeUndefined()
})
