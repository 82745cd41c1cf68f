import type { AskRow, MessageRow } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { acpAskText, acpForm, acpFormAnswer } from "./acp-ask.ts"
import { acpMessages } from "./acp-messages.ts"
import { readAcpPrompt } from "./acp-prompt.ts"

const ask = (change: object) =>
  ({ id: "a", kind: "question", title: "Which?", detail: "", options: null, schema: null, ...change }) as AskRow

describe("asks", () => {
  it("[API-31] a question is a form with one field", () => {
    const form = acpForm(ask({ options: ["Tea", "Coffee"], detail: "Hot." }))
    expect(form).toMatchObject({
      message: "Which?\nHot.",
      requestedSchema: { properties: { answer: { type: "string", enum: ["Tea", "Coffee"] } }, required: ["answer"] },
    })
    expect(acpForm(ask({}))?.requestedSchema.properties.answer).not.toHaveProperty("enum")
    expect(acpFormAnswer(ask({}), { answer: "Tea" })).toBe("Tea")
  })

  it("[API-31] a form keeps its fields; one that ACP cannot describe is asked in text", () => {
    const schema = { type: "object", properties: { n: { type: "number" }, s: { type: "string" } }, required: ["n", 1] }
    expect(acpForm(ask({ kind: "form", schema }))?.requestedSchema).toEqual({ ...schema, required: ["n"] })
    expect(acpFormAnswer(ask({ kind: "form" }), { n: 1 })).toEqual({ n: 1 })
    const nested = { properties: { o: { type: "object" } } }
    for (const odd of [nested, { properties: { o: true } }, {}, null, "x"])
      expect(acpForm(ask({ kind: "form", schema: odd }))).toBeUndefined()
    expect(acpForm(ask({ kind: "approval" }))).toBeUndefined()
    expect(acpAskText(ask({ detail: "Hot.", options: ["Tea"], schema: nested }))).toBe(
      `Which?\nHot.\n1. Tea\nAnswer with a JSON object that matches this schema:\n${JSON.stringify(nested)}`,
    )
  })
})

describe("prompts", () => {
  it("[API-32] files are attached under their name, or the kind of file if it has none", () => {
    const { text, files } = readAcpPrompt([
      { type: "text", text: "See " },
      { type: "resource", resource: { uri: "file:///a/b%20c.ts?x#L1", text: "let a" } },
      { type: "resource", resource: { uri: "", blob: "AA==" } },
      { type: "resource", resource: { uri: "x/%E0%A4%A", mimeType: "application/json", text: "{}" } },
      { type: "audio", data: "AA==", mimeType: "audio/wav" },
      { type: "image", data: "AA==", mimeType: "image/png", uri: "file:///p.png" },
    ])
    expect(text).toBe("See b c.tsresource%E0%A4%A")
    expect(files.map(({ name, mediaType }) => [name, mediaType])).toEqual([
      ["b c.ts", "text/plain"],
      ["resource", "application/octet-stream"],
      ["%E0%A4%A", "application/json"],
      ["audio", "audio/wav"],
      ["p.png", "image/png"],
    ])
    expect(() => readAcpPrompt([{ type: "text", text: " " }])).toThrow("neither text nor files")
  })
})

describe("replayed messages", () => {
  const row = (id: string, parts: readonly object[], change: object = {}) =>
    ({ id, role: "agent", turn: "t", state: "done", dimmed: false, parts, ...change }) as unknown as MessageRow
  const text = (words: string) => ({ type: "text", text: words })
  const tool = (name: string, input: object, state = "done") => ({
    ...{ type: "tool", call: "c", name, input, state, output: null, error: null },
  })

  it("[API-26] leaves out what is rolled back, given up or empty", () => {
    const rows = [
      row("q", [text("Hi"), { type: "context" }], { role: "person" }),
      row("x", [text("Dimmed")], { dimmed: true }),
      row("a", [text("Half")], { state: "failed" }),
      row("b", [{ type: "reasoning", text: "Hm." }, text(""), text("Whole."), { type: "notice" }]),
    ]
    expect(acpMessages(rows, { root: "/r" }).map((one) => [one.sessionUpdate, JSON.stringify(one)])).toMatchObject([
      ["user_message_chunk", expect.stringContaining("Hi")],
      ["agent_thought_chunk", expect.stringContaining("Hm.")],
      ["agent_message_chunk", expect.stringContaining("Whole.")],
    ])
  })

  it("[API-29] shows the diffs that a call's input tells", () => {
    const rows = [
      row("a", [tool("write_file", { path: "a.md", content: "One" })]),
      row("b", [tool("edit_file", { path: "a.md", edits: [{ old: "One", new: "Two" }, 7] })]),
      row("c", [
        tool("edit_file", { path: "a.md", edits: 7 }),
        tool("read_file", { path: "a.md" }),
        tool("pay", { path: 1 }),
      ]),
      row("d", [tool("write_file", { path: "a.md", content: "x" }, "started")]),
    ]
    const contents = acpMessages(rows, { root: "/r" }).map((one) => ("content" in one ? one.content : []))
    const diffs = contents.map((all) => (Array.isArray(all) ? all.filter(({ type }) => type === "diff") : []))
    expect(diffs).toEqual([
      [{ type: "diff", path: "/r/a.md", oldText: null, newText: "One" }],
      [{ type: "diff", path: "/r/a.md", oldText: "One", newText: "Two" }],
      [],
      [],
      [],
      [],
    ])
  })
})
