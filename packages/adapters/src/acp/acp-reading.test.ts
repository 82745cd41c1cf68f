import { type ChangeEvent, type Collection, emptyUsage, formatOffset, type Operation } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { AcpFacts } from "./acp-facts.ts"
import { type AcpEvent, AcpReading } from "./acp-reading.ts"

type Row = readonly [Collection, object, Operation?]

function logOf(...rows: readonly Row[]): ChangeEvent[] {
  return rows.map(([type, value, operation = "insert"], index) => {
    const headers = { operation, txid: "t", timestamp: "", offset: formatOffset(index + 1) }
    const key = (value as { id?: string; name?: string }).id ?? (value as { name?: string }).name ?? String(index)
    return { type, key, value, headers } as unknown as ChangeEvent
  })
}

const turn = (change: object = {}): Row => [
  "turns",
  {
    ...{ id: "t", message: "q", agent: "host", guest: null, guestsNext: [], compaction: null, step: null },
    ...{ startedAt: 1, state: "running", error: null, usage: emptyUsage, ...change },
  },
]
const message = (id: string, parts: readonly object[], change: object = {}): Row => [
  "messages",
  { id, turn: "t", role: "agent", author: "", state: "streaming", parts, usage: null, ...change },
  "update",
]
const question = (id: string): Row => [
  "messages",
  {
    ...{ id, turn: "t", role: "person", author: "", state: "done", usage: null },
    parts: [
      { type: "text", text: "Hi" },
      { type: "attachment", name: "a.png", mediaType: "image/png", hash: "h" },
    ],
  },
]
const tool = (state: string, change: object = {}) => ({
  ...{
    type: "tool",
    call: "c",
    name: "edit_file",
    input: { path: "a.md", edits: [] },
    state,
    output: null,
    error: null,
  },
  ...change,
})

function read(rows: readonly Row[], options: { own?: string; notices?: boolean } = {}): readonly AcpEvent[] {
  const isOwn = (id: string) => id === options.own
  return new AcpReading({ root: "/r", notices: options.notices ?? false, isOwn }).read(logOf(...rows))
}
const updates = (events: readonly AcpEvent[]) =>
  events.flatMap((event) => (event.type === "update" ? [event.update] : []))

describe("a session's updates", () => {
  it("[API-27] shows messages of others, not the client's own", () => {
    expect(updates(read([question("q")]))).toMatchObject([
      { sessionUpdate: "user_message_chunk", messageId: "q", content: { text: "Hi" } },
      { content: { type: "resource_link", name: "a.png", uri: "parlor:/v1/attachments/h" } },
    ])
    expect(read([question("q")], { own: "q" })).toEqual([])
  })

  it("[API-27] a reply ends with its last guest; a removed message has none; a compaction is not a reply", () => {
    const done = turn({ state: "done" })
    expect(read([turn(), done])).toMatchObject([
      { type: "started", message: "q", turn: "t" },
      { type: "ended", message: "q", state: "done" },
    ])
    expect(read([turn({ guestsNext: ["critic"] }), turn({ guestsNext: ["critic"], state: "done" })])).toHaveLength(1)
    expect(
      read([turn({ compaction: { keepTurns: 1 } }), turn({ compaction: { keepTurns: 1 }, state: "done" })]),
    ).toEqual([])
    const left: Row = ["queue", { id: "q" }, "delete"]
    expect(read([left])).toMatchObject([{ type: "ended", message: "q", state: "removed" }])
    expect(read([left, question("q"), turn()], { own: "q" })).toMatchObject([{ type: "started" }])
  })

  it("[API-29] a tool call has its states, and the files that it changed", () => {
    const change = { id: "1", path: "b.md", turn: "t", before: null, after: "h", bytes: 1, bytesBefore: 0 }
    const events = read([
      turn(),
      message("m", [tool("waiting")]),
      message("m", [tool("started")]),
      ["changes", { ...change, turn: null }],
      ["changes", change],
      message("m", [tool("done", { output: { ok: true } })]),
    ])
    expect(updates(events)).toEqual([
      {
        ...{ sessionUpdate: "tool_call", toolCallId: "m.c", title: "edit_file a.md", name: "edit_file", kind: "edit" },
        ...{ status: "pending", rawInput: { path: "a.md", edits: [] }, locations: [{ path: "/r/a.md" }] },
      },
      { sessionUpdate: "tool_call_update", toolCallId: "m.c", status: "in_progress" },
      {
        ...{ sessionUpdate: "tool_call_update", toolCallId: "m.c", status: "completed", rawOutput: { ok: true } },
        content: [{ type: "content", content: { type: "text", text: '{\n  "ok": true\n}' } }],
        locations: [{ path: "/r/b.md" }],
      },
    ])
    expect(events.at(-1)).toMatchObject({ changes: [change] })
  })

  it("[API-29] a call that failed, was denied, or whose outcome nobody knows", () => {
    const ended = (change: object) => updates(read([turn(), message("m", [tool("failed", change)])])).at(-1)
    const error = { code: "tool.failed", detail: "Broke." }
    const words = (text: string) => ({ status: "failed", content: [{ content: { text } }] })
    expect(ended({ error })).toMatchObject(words("Broke."))
    expect(ended({ error: { code: "tool.refused", detail: "No." } })).toMatchObject(words("Denied: No."))
    expect(ended({ state: "unknown" })).toMatchObject({
      content: [{ content: { text: expect.stringContaining("unknown") } }],
    })
    expect(ended({ state: "done", output: "Plain." })).toMatchObject({ content: [{ content: { text: "Plain." } }] })
  })

  it("[API-30] an ask names its tool call; its end is told", () => {
    const ask = { id: "a", turn: "t", call: "c", kind: "approval", title: "?", detail: "", options: null, schema: null }
    const opened: Row = ["asks", { ...ask, state: "open" }]
    const events = read([
      turn(),
      message("m", [tool("waiting")]),
      opened,
      ["asks", { ...ask, state: "answered" }, "update"],
    ])
    expect(events.slice(-2)).toMatchObject([
      { type: "ask-opened", message: "q", toolCallId: "m.c" },
      { type: "ask-closed", ask: { id: "a" } },
    ])
    const free = read([turn(), ["asks", { ...ask, call: null, state: "open" }]]).at(-1)
    expect(free).toMatchObject({ type: "ask-opened", toolCallId: undefined })
  })

  it.each([
    ["the same text", "Half ", "Half and half.", [["m", "Half and half."]]],
    [
      "another text",
      "Good",
      "Golden",
      [
        ["m", "Good"],
        ["n.1", "Golden"],
      ],
    ],
  ])("[API-33] a second attempt with %s", (_, first, second, shown) => {
    const text = (words: string) => [{ type: "text", text: words }]
    const rows = [turn(), message("m", text(first), { state: "failed" }), message("n", text(second), { state: "done" })]
    const texts = new Map<string, string>()
    for (const one of updates(read(rows)))
      if (one.sessionUpdate === "agent_message_chunk" && one.content.type === "text")
        texts.set(one.messageId, (texts.get(one.messageId) ?? "") + one.content.text)
    expect([...texts]).toEqual(shown)
  })

  it("notices are sent to clients that show them", () => {
    const rows = [turn(), message("m", [{ type: "notice", code: "n", text: "Shortened." }])]
    expect(updates(read(rows, { notices: true }))).toEqual([
      { sessionUpdate: "notice", severity: "info", title: "Shortened." },
    ])
    expect(updates(read(rows))).toEqual([])
  })
})

describe("facts of a session", () => {
  it("[API-32] commands, title and context are told at first and when they change, once", () => {
    const command = (name: string) => ({ name, description: "Does.", arguments: [], owner: null })
    const status = (title: string) => ({ title, activityAt: 0, usage: { ...emptyUsage, costMicros: 2_500_000 } })
    const snapshot = { slashCommands: [command("one")], status: status("") } as never
    const facts = new AcpFacts(snapshot)
    expect(facts.news()).toMatchObject([{ availableCommands: [{ name: "one" }] }])
    expect(facts.news()).toEqual([])
    const attempts = [{ usage: { ...emptyUsage, inputTokens: 10, outputTokens: 5 } }, { usage: null }]
    for (const change of logOf(
      ["slashCommands", command("two")],
      ["status", status("Hello"), "update"],
      turn({ step: { window: 100, attempts } }),
    ))
      facts.read(change)
    expect(facts.news()).toMatchObject([
      { availableCommands: [{ name: "one" }, { name: "two" }] },
      { sessionUpdate: "session_info_update", title: "Hello" },
      { sessionUpdate: "usage_update", used: 15, size: 100, cost: { amount: 2.5, currency: "USD" } },
    ])
    for (const change of logOf(["slashCommands", command("one"), "delete"])) facts.read(change)
    expect(facts.news()).toMatchObject([{ availableCommands: [{ name: "two" }] }])
  })
})
