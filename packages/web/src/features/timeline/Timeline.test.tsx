import type { LiveConversation, LiveState, PendingSend } from "@parlor/client"
import type { MessageRow } from "@parlor/protocol"
import { messageOf } from "@parlor/protocol/testing"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import type { Fork } from "../branch/fork.ts"
import { MAX_MOUNTED } from "../tab/mounted.ts"
import { Timeline } from "./Timeline.tsx"

const row = (ord: number, change: Partial<MessageRow> = {}) =>
  messageOf(`msg_${ord}`, ord, `Words ${ord}`, { role: ord % 2 === 0 ? "agent" : "person", at: Date.now(), ...change })
const state = (change: Partial<LiveState>) =>
  ({
    phase: "ready",
    connection: "live",
    status: null,
    messages: [],
    asks: [],
    turns: [],
    rollbacks: [],
    older: null,
    ...change,
  }) as unknown as LiveState
const nothing = () => {}
const markup = (shown: LiveState | undefined, fork?: Fork) =>
  renderToStaticMarkup(
    <Timeline
      agent="host"
      description="Helps."
      state={shown}
      live={{} as LiveConversation}
      spoken={[]}
      onPick={nothing}
      onKeep={nothing}
      fork={fork}
    />,
  )
const rows = (html: string) => [...html.matchAll(/data-row="([^"]*)"/g)].map(([, id]) => id)

describe("a timeline", () => {
  it("[TAB-5] of ten thousand messages holds the newest few", () => {
    const html = markup(state({ messages: Array.from({ length: 10_000 }, (_, index) => row(index + 1)) }))
    expect(rows(html).length).toBeGreaterThan(5)
    expect(rows(html).length).toBeLessThanOrEqual(MAX_MOUNTED)
    expect(rows(html).at(-1)).toBe("msg_10000")
  })

  it("[TAB-2] says how many there are above, and loads them only when it is asked", () => {
    const html = markup(state({ older: "cursor", messages: [row(41), row(42)] }))
    expect(html).toContain("Load older messages")
    expect(html).toContain("40 more above")
    expect(markup(state({ messages: [row(1)] }))).not.toContain("older")
  })

  it("shows that it loads, that it failed, and what to begin with", () => {
    expect(markup(undefined)).toContain("Loading the conversation")
    expect(markup(state({}))).toContain("Chat with host")
    expect(markup(state({ phase: "failed" }))).toContain('role="alert"')
  })

  it("[TAB-27] is a log with a name; what comes into view by scrolling is not announced", () => {
    expect(markup(state({ messages: [row(1)] }))).toMatch(
      /role="log" aria-label="Conversation with host" aria-live="polite"/,
    )
  })

  it("tells days apart, except that it is today", () => {
    const yesterday = Date.now() - 86_400_000
    expect(markup(state({ messages: [row(1)] }))).not.toContain("<time dateTime")
    const html = markup(state({ messages: [row(1, { at: yesterday }), row(2)] }))
    expect(html.indexOf("Yesterday")).toBeLessThan(html.indexOf("Words 1"))
    expect(html.indexOf("Today")).toBeGreaterThan(html.indexOf("Words 1"))
  })

  it("[BRA-1] says once, below the last message from there, where it leaves what it hangs on", () => {
    const fork = { message: "msg_2", from: "main", href: "#/host/main/msg_2" }
    const html = markup(state({ messages: [row(1), row(2), row(3)] }), fork)
    expect(html.split("Branched from main here")).toHaveLength(2)
    expect(html).toMatch(/Words 2.*Branched from main here.*Words 3/s)
    expect(markup(state({ messages: [row(3), row(4)] }), fork)).not.toContain("Branched from")
  })

  it("[GST-2] a guest has a face and a name among the agent's messages", () => {
    const html = markup(state({ messages: [row(2), row(4, { author: "critic" })] }))
    expect(html).toContain('aria-label="critic, ')
    expect(html).toMatch(/<span class="[^"]*font-semibold">critic</)
  })

  it("[TAB-9] below the messages are one's words on their way, and that an answer comes", () => {
    const html = renderToStaticMarkup(
      <Timeline
        agent="host"
        description={undefined}
        state={state({})}
        live={{} as LiveConversation}
        spoken={[{ key: "k", text: "on its way" } as PendingSend]}
        onPick={nothing}
        onKeep={nothing}
      />,
    )
    expect(rows(html)).toEqual(["send k", "thinking"])
    expect(html).toMatch(/You, sending.*on its way.*host is thinking/s)
    expect(html).not.toContain("Chat with host")
  })

  it("keeps what it has when it fails later, and says no number where none are above", () => {
    const html = markup(state({ phase: "failed", messages: [row(1)] }))
    expect(html).toContain("Words 1")
    expect(html).not.toContain('role="alert"')
    expect(markup(state({ older: "cursor", messages: [row(1)] }))).not.toContain("more above")
  })
})
