import type { ChangeEvent, Collection, MessageRow, Operation } from "@parlor/protocol"
import { expect, test } from "vitest"
import { Transcript } from "./transcript.ts"

const change = (type: Collection, key: string, value: object, operation: Operation = "insert"): ChangeEvent =>
  ({ type, key, value, headers: { operation, txid: "t", timestamp: "", offset: "" } }) as unknown as ChangeEvent
const message = (id: string, role: string, state: string, parts: readonly object[], author = ""): MessageRow =>
  ({ id, role, state, parts, author }) as unknown as MessageRow
const text = (words: string): object => ({ type: "text", text: words })
const delta = (id: string, n: number, words: string): ChangeEvent =>
  change("deltas", `${id}/0/${n}`, { message: id, part: 0, kind: "text", n, text: words })

test("history, a growing answer, a tool, a guest and a stop read as a conversation", () => {
  const transcript = new Transcript({ agent: "host", person: "me" })
  const streaming = message("a", "agent", "streaming", [text("One\ntw")])
  const tool = { type: "tool", call: "c", name: "clock", state: "done", error: null }
  const shown = [
    transcript.history([message("p", "person", "done", [text("Count.")]), streaming]),
    transcript.read([delta("a", 1, "o"), delta("a", 2, "\n"), delta("a", 3, "\nthree")]),
    transcript.read([change("messages", "a", message("a", "agent", "done", [text("One\ntwo\n\nthree"), tool]))]),
    transcript.read([change("queue", "q", { payload: { source: "And now?\nmore" } })]),
    transcript.read([change("messages", "g", message("g", "agent", "done", [text("Well.")], "critic"))]),
    transcript.read([change("turns", "t", { state: "stopped", endedAt: 1, error: null })]),
  ]
  expect(shown.join("").split("\n")).toEqual([
    "me",
    "  Count.",
    "",
    "host",
    "  One",
    "  two",
    "",
    "  three",
    "  · clock: done",
    "· queued: And now?…",
    "",
    "critic",
    "  Well.",
    "· stopped",
    "",
  ])
})

test("[TRN-18] a reply that was interrupted and starts over begins on its own line, with a note", () => {
  const transcript = new Transcript({ agent: "host", person: "me" })
  const shown = [
    transcript.read([change("messages", "a", message("a", "agent", "streaming", [])), delta("a", 0, "Half an")]),
    transcript.read([change("messages", "a", message("a", "agent", "truncated", [text("Half an")]), "update")]),
    transcript.read([
      change("messages", "a", message("a", "agent", "streaming", []), "update"),
      delta("a", 0, "A whole"),
    ]),
    transcript.read([change("messages", "a", message("a", "agent", "done", [text("A whole one.")]), "update")]),
  ]
  expect(shown.join("").split("\n")).toEqual([
    "host",
    "  Half an",
    "· the reply was interrupted and starts over",
    "  A whole one.",
  ])
})

test("[RBK-1] rolled back messages are counted, not shown; a rollback and its cancellation are noted", () => {
  const transcript = new Transcript({ agent: "host", person: "me" })
  const dimmed = (id: string) => ({ ...message(id, "agent", "done", [text("gone")]), dimmed: true })
  const quote = { type: "context", kind: "sidecar", title: "rye", content: "A grain." }
  const shown = [
    transcript.history([message("p", "person", "done", [text("One.")]), dimmed("a"), dimmed("b")]),
    transcript.read([change("rollbacks", "r", { cancels: null, ended: null })]),
    transcript.read([change("rollbacks", "r", { cancels: null, ended: 9 }, "update")]),
    transcript.read([change("messages", "s", message("s", "person", "done", [quote]))]),
  ]
  expect(shown.join("").split("\n")).toEqual([
    "me",
    "  One.",
    "· 2 messages rolled back",
    "· rolled back",
    "· a rollback was canceled",
    "  · from the side chat rye: A grain.",
    "",
  ])
})

test("control characters do not get through, in text, names, tools and errors", () => {
  const transcript = new Transcript({ agent: "host", person: "me" })
  const tool = { type: "tool", call: "c", name: "x\u001b[2J", state: "done", error: null }
  const shown = [
    transcript.history([message("p", "agent", "done", [text("\u001b]0;t\u0007"), tool], "evil\u009b")]),
    transcript.read([change("turns", "t", { state: "failed", endedAt: 1, error: { detail: "\u001b[1m" } })]),
  ]
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test checks that there are no control characters.
  expect(shown.join("")).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
})

test("[TRG-1] shows who sent a message: a schedule, a webhook, the agent itself", () => {
  const transcript = new Transcript({ agent: "host", person: "me" })
  const sent = (id: string, source: string, subject: string | null) =>
    ({ ...message(id, "person", "done", [text(id)]), turn: id, trigger: { source, subject } }) as unknown as MessageRow
  const shown = transcript.history([
    message("typed", "person", "done", [text("typed")]),
    sent("a", "schedule", "Daily report"),
    sent("b", "webhook", "GitHub"),
    sent("c", "self", null),
    sent("d", "import", null),
  ])
  const speakers = shown.split("\n").filter((line) => line !== "" && !line.startsWith(" "))
  expect(speakers).toEqual(["me", "schedule: Daily report", "webhook: GitHub", "host, as a reminder to itself", "me"])
})
