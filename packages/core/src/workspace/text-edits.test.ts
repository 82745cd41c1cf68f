import { describe, expect, it } from "vitest"
import { editText } from "./text-edits.ts"

const edited = (text: string, ...edits: readonly (readonly [string, string])[]) =>
  editText(
    "a.txt",
    text,
    edits.map(([old, next]) => ({ old, new: next })),
  )

describe("edits of a text", () => {
  it("[WSP-2] are applied one after another, each at its only match", () => {
    expect(edited("one two three", ["two", "2"], ["one 2", "1 2"])).toBe("1 2 three")
    expect(edited("a\r\nb\r\n", ["a\r\n", ""])).toBe("b\r\n")
    expect(edited("price: $1", ["$1", "$&$$"])).toBe("price: $&$$")
  })

  it.each([
    ["what is not there", "one", "two", "was not found"],
    ["what is there twice", "aa b aa", "aa", "more than once"],
    ["what overlaps itself", "aaa", "aa", "more than once"],
    ["nothing", "one", "", "nothing to replace"],
  ])("[WSP-2] %s is rejected, with the index of the edit", (_what, text, old, why) => {
    const refused = () => edited(text, [text, text], [old, "x"])
    expect(refused).toThrow(expect.objectContaining({ code: "file.edit", pointer: "/edits/1/old" }))
    expect(refused).toThrow(why)
  })
})
