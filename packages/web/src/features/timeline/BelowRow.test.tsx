import type { LiveState } from "@parlor/client"
import type { AskRow, StatusRow } from "@parlor/protocol"
import { renderToStaticMarkup } from "react-dom/server"
import { expect, it } from "vitest"
import type { Asks } from "../ask/useAsks.ts"
import { BelowRow } from "./BelowRow.tsx"
import type { Below } from "./below.ts"

const nothing = () => undefined
const noAsks: Asks = { shown: [], answer: async () => undefined, draft: nothing }
const state = (status: Partial<StatusRow>) =>
  ({ messages: [], status: { attempt: null, retryAt: null, error: null, ...status } }) as unknown as LiveState
const row = (item: Below, shown?: LiveState, asks = noAsks) =>
  renderToStaticMarkup(<BelowRow item={item} agent="host" state={shown} asks={asks} onKeep={nothing} />)
const text = (html: string) => html.replace(/<[^>]*>/g, "")

it("[TRN-10] a model that did not answer: which attempt, what it said, and that one need not do anything", () => {
  const retrying = state({
    state: "retrying",
    attempt: 3,
    retryAt: Date.now() + 30_000,
    error: { code: "model.busy", detail: "Too many." },
  })
  expect(text(row({ kind: "retry", key: "retry" }, retrying))).toMatch(
    /Retrying in (?:29|30) s \(attempt 3\)Too many\.No action needed/,
  )
  expect(row({ kind: "retry", key: "retry" })).toBe("")
})

it("a turn that failed says so with its own reason, or without one", () => {
  const failed = state({ state: "error", error: { code: "model.broken", detail: "No route" } })
  expect(row({ kind: "problem", key: "problem" }, failed)).toMatch(/role="alert".*No route\. Try again/s)
  expect(row({ kind: "problem", key: "problem" })).toContain("The last turn failed")
})

it("[TAB-9] what is on its way shows as said, and as not delivered", () => {
  const html = row({ kind: "send", key: "send k", text: "my words" })
  expect(html).toContain('aria-label="You, sending"')
  expect(html).toContain("my words")
  expect(html).toContain("Not delivered yet")
})

it("[GST-5] who thinks has a name: a guest its own, the agent the one of the conversation", () => {
  const thinking = (author: string, named: boolean) => row({ kind: "thinking", key: "thinking", author, named })
  expect(thinking("", true)).toContain('aria-label="host is thinking"')
  expect(thinking("critic", true)).toContain('aria-label="critic is thinking"')
  expect(text(thinking("critic", true))).toContain("critic")
  expect(text(thinking("critic", false))).toBe("")
})

it("[TRN-12] what the agent asks stands where its answer goes", () => {
  const ask = {
    id: "ask_1",
    turn: "trn_1",
    kind: "question",
    state: "open",
    title: "Which <flour>?",
    options: ["Rye", "Spelt"],
    input: null,
    expiresAt: null,
    answer: null,
  } as unknown as AskRow
  const shown = [{ ask, closed: undefined, mine: undefined, draft: "", lastMessage: undefined }]
  const html = row({ kind: "asks", key: "asks" }, state({ state: "waiting" }), { ...noAsks, shown })
  expect(html).toMatch(/Which &lt;flour&gt;\?.*>Rye<\/button>.*>Spelt<\/button>/s)
  expect(text(row({ kind: "asks", key: "asks" }))).toBe("")
})
