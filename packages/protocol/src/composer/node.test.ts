import { describe, expect, it } from "vitest"
import { limits } from "../limits.ts"
import {
  type FileNode,
  lineRange,
  nodeDefect,
  nodesOf,
  type SlashCommandNode,
  slashCommands,
  textAfter,
} from "./node.ts"
import { percent } from "./words.ts"

const node = (change: object): FileNode => ({ kind: "file", path: "", start: 0, end: 0, raw: "", ...change })

describe("nodes of a composer's input", () => {
  it("[CMP-3] a reference has 1 to so many characters", () => {
    const named = (length: number) => nodeDefect(node({ path: "x".repeat(length) }))?.field
    expect([named(0), named(1), named(limits.referenceLength), named(limits.referenceLength + 1)]).toEqual([
      ...["path", undefined, undefined, "path"],
    ])
  })

  it("[CMP-3] lines are a range of whole numbers from 1 on, or none", () => {
    const range = (lines: unknown) => lineRange(node({ lines }))
    expect(range({ from: 1, to: 1 })).toEqual({ from: 1, to: 1 })
    expect(range({ from: 2, to: 9 })).toEqual({ from: 2, to: 9 })
    const wrong = [
      { from: 0, to: 1 },
      { from: 3, to: 2 },
      { from: 1.5, to: 2 },
      { from: 1, to: 2.5 },
    ]
    const untyped = [{ from: "1", to: 2 }, { from: 1, to: "2" }, { from: 1 }, {}, [1, 2], null, undefined, 7]
    for (const lines of [...wrong, ...untyped]) expect(range(lines), JSON.stringify(lines)).toBeUndefined()
  })

  it("[CMP-11] the text after a command goes up to the next command", () => {
    const command = (start: number, end: number): SlashCommandNode => ({
      kind: "slash_command",
      name: "x",
      start,
      end,
      raw: "",
    })
    const nodes = [command(0, 2), node({ kind: "file", path: "a", start: 3, end: 5 }), command(8, 10), command(10, 12)]
    const input = { source: "/a @b c /d/e f", nodes }
    expect(slashCommands(input)).toEqual([nodes[0], nodes[2], nodes[3]])
    expect(slashCommands(input).map((one) => textAfter(input, one))).toEqual(["@b c", "", "f"])
    expect(slashCommands({ source: "plain" })).toEqual([])
    expect(nodesOf(input, "file").map(({ path }) => path)).toEqual(["a"])
  })

  it("[CMP-5] a character is written as two hex digits for each byte, half of one as it is", () => {
    expect([" ", "\n", "/", "\u007f", "\u0080", "ü"].map(percent)).toEqual([
      "%20",
      "%0A",
      "%2F",
      "%7F",
      "%C2%80",
      "%C3%BC",
    ])
    expect(percent("\ud800")).toBe("\ud800")
  })
})
