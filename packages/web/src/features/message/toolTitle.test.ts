import type { Part, ToolPart } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { groupTitle, toolRuns, toolTitle } from "./toolTitle.ts"

const tool = (name: string, change: Partial<ToolPart> = {}): ToolPart => ({
  type: "tool",
  call: name,
  name,
  input: {},
  state: "done",
  output: "x",
  error: null,
  ...change,
})

describe("[MSG-17] tool calls in a person's words", () => {
  it("say what was done, or what is to be done; a tool without words keeps its name", () => {
    expect(toolTitle(tool("read_file"))).toEqual({ text: "Read", isName: false })
    expect(toolTitle(tool("delete_file", { state: "waiting" })).text).toBe("Delete")
    expect(toolTitle(tool("toString"))).toEqual({ text: "toString", isName: true })
  })

  it("are one line for several", () => {
    expect(groupTitle([tool("read_file"), tool("read_file"), tool("web_search")])).toBe(
      "Read 2 files, searched the web",
    )
    expect(groupTitle([tool("look_up"), tool("look_up")])).toBe("look_up (2 times)")
  })

  it("are grouped when they are finished and in a row", () => {
    const text: Part = { type: "text", text: "x" }
    const runs = (...parts: readonly Part[]) => [...toolRuns(parts)]
    expect(runs(tool("a"), tool("b"), text, tool("c"), text, tool("d"), tool("e"), tool("f"))).toEqual([
      [0, 2],
      [5, 8],
    ])
    expect(runs(tool("a"), tool("b", { state: "failed" }), tool("c"))).toEqual([])
    // [MSG-21] A picture stays in view.
    const pictures = [{ hash: "h", mediaType: "image/png", bytes: 70 }]
    expect(runs(tool("a"), tool("b", { pictures }), tool("c"))).toEqual([])
    expect(runs()).toEqual([])
  })
})
