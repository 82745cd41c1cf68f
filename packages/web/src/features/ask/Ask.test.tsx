import type { AskId, AskRow, ToolPart, TurnId } from "@parlor/protocol"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { AskList } from "./AskList.tsx"
import { inputBlocks } from "./askInput.ts"
import type { ShownAsk } from "./askView.ts"

const ask = (change: Partial<AskRow> = {}): AskRow => ({
  id: "ask_1" as AskId,
  turn: "trn_1" as TurnId,
  call: "c1",
  kind: "approval",
  title: "May host use edit_file?",
  detail: "",
  options: null,
  schema: null,
  expiresAt: null,
  state: "open",
  answer: null,
  answeredBy: null,
  ...change,
})
const tool: ToolPart = {
  type: "tool",
  call: "c1",
  name: "edit_file",
  input: { path: "a.md", edits: [{ old: "red\n", new: "blue\ngreen" }] },
  state: "waiting",
  output: null,
  error: null,
}
const shown = (row: AskRow, change: Partial<ShownAsk> = {}): string => {
  const one: ShownAsk = { ask: row, closed: undefined, mine: undefined, draft: "", lastMessage: undefined, ...change }
  const asks = { shown: [one], answer: async () => undefined, draft: () => undefined }
  return renderToStaticMarkup(<AskList asks={asks} messages={[{ parts: [tool] } as never]} onKeep={() => undefined} />)
}

describe("what a tool would do", () => {
  it("[TRN-12] changes of a file are lines that go and lines that come", () => {
    expect(inputBlocks(tool.input)).toEqual([
      { kind: "value", name: "path", text: "a.md" },
      {
        kind: "lines",
        name: "edits",
        lines: [
          { sign: "-", text: "red" },
          { sign: "+", text: "blue" },
          { sign: "+", text: "green" },
        ],
      },
    ])
    const written = inputBlocks({ path: "a.md", content: "one\ntwo\n" })
    expect(written[1]).toMatchObject({ kind: "lines", lines: [{ sign: "+", text: "one" }, { text: "two" }] })
  })

  it("[TRN-12] several changes stay apart, one that takes away only takes away", () => {
    const [block] = inputBlocks({
      edits: [
        { old: "a", new: "" },
        { old: "b", new: "c" },
      ],
    })
    expect(block?.kind === "lines" && block.lines.map(({ sign }) => sign).join("")).toBe("-…-+")
  })

  it("anything else is told by name, and what is odd as it is", () => {
    expect(inputBlocks({ to: "ada@example.com", copies: 2, edits: ["odd"] })).toEqual([
      { kind: "value", name: "to", text: "ada@example.com" },
      { kind: "value", name: "copies", text: "2" },
      { kind: "value", name: "edits", text: '[\n  "odd"\n]' },
    ])
    expect(inputBlocks("plain")).toEqual([{ kind: "value", name: "", text: "plain" }])
    expect(inputBlocks({ content: "no path" })[0]?.kind).toBe("value")
  })

  it("is cut where nobody reads on", () => {
    const [, block] = inputBlocks({ path: "a", content: "x\n".repeat(1_000) })
    expect(block?.kind === "lines" && block.lines.at(-1)).toEqual({ sign: "…", text: "600 more lines" })
  })
})

describe("an ask", () => {
  it("[TRN-12] to allow something shows the change, Allow and Refuse", () => {
    const html = shown(ask())
    expect(html).toMatch(/<section data-ask="open" aria-labelledby=/)
    expect(html).toMatch(/- red.*\+ blue.*\+ green.*Allow.*Refuse/)
    expect(html).toContain('aria-label="What it would do"')
  })

  it("[TRN-12] with choices has a button for each; without, a box with a name", () => {
    expect(shown(ask({ kind: "question", options: ["Tea", "Coffee"] }))).toMatch(/Tea<\/button>.*Coffee<\/button>/)
    expect(shown(ask({ kind: "question", title: "Name?" }))).toContain('aria-label="Answer: Name?"')
  })

  it("[TRN-12] answered elsewhere says so, and keeps what was written here", () => {
    expect(shown(ask({ kind: "question", title: "Name?" }), { closed: "answered" })).toMatch(
      /Name\?.*Answered in another window\./,
    )
    expect(shown(ask({ kind: "question" }), { closed: "answered", draft: "Half" })).toMatch(
      /You wrote:.*Half.*Put it into the box/,
    )
  })
})
