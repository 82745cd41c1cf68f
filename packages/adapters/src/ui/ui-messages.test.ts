import type { AskRow, MessageRow, Part } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { uiMessages } from "./ui-messages.ts"

const message = (id: string, fields: object): MessageRow =>
  ({
    id,
    role: "agent",
    turn: "t",
    state: "done",
    parts: [],
    composer: null,
    dimmed: false,
    ...fields,
  }) as unknown as MessageRow
const asked = (id: string, text: string, fields: object = {}) =>
  message(id, { role: "person", turn: null, parts: [{ type: "text", text }], ...fields })
const answered = (id: string, text: string, fields: object = {}) =>
  message(id, { parts: [{ type: "text", text }], ...fields })
const tool = (fields: object): Part =>
  ({ type: "tool", call: "c", name: "pay", input: 1, state: "waiting", output: null, error: null, ...fields }) as Part
const ask = {
  id: "a",
  call: "c",
  kind: "approval",
  state: "open",
  title: "Pay?",
  detail: "",
  options: null,
  schema: null,
}
const partsOf = (part: Part, asks: readonly object[] = []) =>
  uiMessages([message("m", { parts: [part] })], asks as readonly AskRow[])[0]?.parts.slice(1)

describe("stored messages as UI messages", () => {
  it("[API-1] a turn is one assistant message, however many steps it has", () => {
    const rows = [
      asked("q", "Hi"),
      answered("m1", "One"),
      answered("m2", "Two"),
      answered("m3", "Three", { turn: "t2" }),
    ]
    const step = { type: "step-start" }
    expect(uiMessages(rows, [])).toEqual([
      { id: "q", role: "user", parts: [{ type: "text", text: "Hi" }] },
      { id: "t", role: "assistant", parts: [step, { type: "text", text: "One" }, step, { type: "text", text: "Two" }] },
      { id: "t2", role: "assistant", parts: [step, { type: "text", text: "Three" }] },
    ])
  })

  it("a message of the person in between makes two of it; one without a turn is by its own id", () => {
    const rows = [
      answered("m1", "One"),
      asked("s", "No, left"),
      answered("m2", "Two"),
      answered("m3", "Three", { turn: null }),
    ]
    expect(uiMessages(rows, []).map(({ id, role }) => [id, role])).toEqual([
      ["t", "assistant"],
      ["s", "user"],
      ["t", "assistant"],
      ["m3", "assistant"],
    ])
  })

  it("leaves out what is rolled back, and attempts that were given up", () => {
    const failed = { state: "failed" }
    const rows = [asked("old", "Old", { dimmed: true }), answered("m1", "Hal", failed), answered("m2", "Hallo")]
    expect(uiMessages(rows, [])).toMatchObject([{ parts: [{ type: "step-start" }, { text: "Hallo" }] }])
    const last = [
      answered("m1", "Hal", failed),
      asked("q", "Well?"),
      answered("m3", "x", { ...failed, turn: "t2" }),
      answered("m4", "y", { turn: "t3" }),
    ]
    expect(uiMessages(last, []).map(({ id }) => id)).toEqual(["t", "q", "t2", "t3"])
  })

  it("[API-1] a person's message has the id its client gave it, its text and its files", () => {
    const file = { type: "attachment", mediaType: "image/png", name: "a.png", hash: "h" }
    const context = { type: "context", kind: "k", title: "", content: "hidden", metadata: null }
    const rows = [
      asked("q", "Hi", {
        composer: { source: "Hi", clientId: "mine" },
        parts: [{ type: "text", text: "Hi" }, file, context],
      }),
    ]
    expect(uiMessages([...rows, asked("q2", "Hi", { composer: { source: "Hi", clientId: 7 } })], [])).toMatchObject([
      {
        id: "mine",
        parts: [
          { type: "text", text: "Hi" },
          { type: "file", mediaType: "image/png", filename: "a.png", url: "/v1/attachments/h" },
        ],
      },
      { id: "q2" },
    ])
    expect(uiMessages(rows, [])[0]?.parts).toHaveLength(2)
  })

  it("reasoning and notices are shown, what was inserted is not", () => {
    expect(partsOf({ type: "reasoning", text: "Hm" })).toEqual([{ type: "reasoning", text: "Hm", state: "done" }])
    expect(partsOf({ type: "notice", code: "n", text: "N" })).toEqual([
      { type: "data-notice", data: { code: "n", text: "N" } },
    ])
    expect(partsOf({ type: "context", kind: "k", title: "", content: "", metadata: null })).toEqual([])
  })

  it("a tool is in the state it is in", () => {
    const given = { type: "dynamic-tool", toolName: "pay", toolCallId: "c", input: 1, providerExecuted: true }
    expect(partsOf(tool({ state: "done", output: 7 }))).toEqual([{ ...given, state: "output-available", output: 7 }])
    expect(partsOf(tool({ state: "started" }))).toEqual([{ ...given, state: "input-available" }])
    const requested = { ...given, state: "approval-requested", approval: { id: "a" } }
    for (const state of ["waiting", "started"]) expect(partsOf(tool({ state }), [ask])).toEqual([requested])
    expect(partsOf(tool({}), [{ ...ask, state: "answered" }])).toEqual([{ ...given, state: "input-available" }])
    const failed = (code: string) => partsOf(tool({ state: "failed", error: { code, detail: "Why." } }))
    expect(failed("tool.refused")).toEqual([
      { ...given, state: "output-denied", approval: { id: "c", approved: false } },
    ])
    expect(failed("tool.failed")).toEqual([{ ...given, state: "output-error", errorText: "Why." }])
    expect(partsOf(tool({ state: "unknown" }))).toMatchObject([
      { state: "output-error", errorText: expect.stringContaining("unknown") },
    ])
  })

  it("a question stands behind the tool that asks it", () => {
    const question = { ...ask, kind: "question", options: ["a", "b"] }
    expect(partsOf(tool({ state: "started" }), [question])).toMatchObject([
      { type: "dynamic-tool", state: "input-available" },
      { type: "data-ask", id: "a", data: { kind: "question", title: "Pay?", options: ["a", "b"] } },
    ])
  })
})
