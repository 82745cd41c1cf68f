import type { MessageId, MessageRow, Part, TurnId } from "@parlor/protocol"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { Message } from "./Message.tsx"
import { authorName, glimpse, isBrokenAttempt, opensGroup, readable } from "./messageView.ts"

function row(parts: readonly Part[], change: Partial<MessageRow> = {}): MessageRow {
  const id = "msg_1" as MessageId
  const rest = {
    turn: null,
    composer: null,
    inbox: null,
    trigger: null,
    dimmed: false,
    editedFrom: null,
    usage: null,
    at: 0,
  }
  return { id, ord: 1, role: "agent", author: "", state: "done", parts: [...parts], ...rest, ...change }
}
const tool = (change: Partial<Extract<Part, { type: "tool" }>> = {}): Part => ({
  type: "tool",
  call: "c1",
  name: "read_file",
  input: { path: "notes.md" },
  state: "done",
  output: "# Notes",
  error: null,
  ...change,
})
const markup = (message: MessageRow) => renderToStaticMarkup(<Message message={message} agent="host" named />)

describe("a message", () => {
  it("names its author: the conversation's own, or whoever it says", () => {
    expect(authorName({ role: "agent", author: "" }, "host")).toBe("host")
    expect(authorName({ role: "agent", author: "critic" }, "host")).toBe("critic")
    expect(authorName({ role: "person", author: "" }, "host")).toBe("You")
    expect(markup(row([{ type: "text", text: "hi" }]))).toMatch(/<article aria-label="host, /)
  })

  it("[GST-2] a guest among the agent's messages opens a group of its own", () => {
    const own = { role: "agent", author: "" } as const
    expect(opensGroup(own, undefined)).toBe(true)
    expect(opensGroup(own, own)).toBe(false)
    expect(opensGroup({ role: "agent", author: "critic" }, own)).toBe(true)
  })

  it("says in words that it was cut short or failed", () => {
    const said: Part = { type: "text", text: "I began" }
    expect(markup(row([said], { state: "truncated" }))).toContain("This reply was cut short")
    expect(markup(row([said], { state: "failed" }))).toContain("This reply failed before it was finished")
    expect(markup(row([said]))).not.toContain("cut short")
  })

  it("[TRN-10] an attempt that broke off and was tried again is marked as such", () => {
    const failed = { role: "agent", state: "failed", turn: "trn_1" as TurnId } as const
    const after = { role: "agent", turn: "trn_1" as TurnId } as const
    expect(isBrokenAttempt(failed, [], "trn_1")).toBe(true)
    expect(isBrokenAttempt(failed, [after], null)).toBe(true)
    expect(isBrokenAttempt(failed, [{ ...after, turn: "trn_2" as TurnId }], null)).toBe(false)
    expect(isBrokenAttempt({ ...failed, state: "truncated" }, [after], null)).toBe(false)
    const message = row([{ type: "text", text: "I began" }], { state: "failed" })
    const html = renderToStaticMarkup(<Message message={message} agent="host" named isAttempt />)
    expect(html).toContain("This attempt broke off; it was tried again")
    expect(html).not.toContain("failed before")
  })

  it("shows that it is being thought about until there is something to read", () => {
    expect(markup(row([], { state: "streaming" }))).toContain("host is thinking")
    const begun = markup(row([{ type: "text", text: "So" }], { state: "streaming" }))
    expect(begun).not.toContain("host is thinking")
    expect(begun).toContain('aria-busy="true"')
  })

  it("folds reasoning and shows tool calls as cards with their state in words", () => {
    const html = markup(row([{ type: "reasoning", text: "hm" }, tool(), tool({ state: "unknown", output: null })]))
    expect(html).toContain("Thought about it")
    expect(html).toContain("read_file")
    expect(html).toContain("outcome unknown")
    expect(markup(row([tool({ state: "waiting", output: null })]))).toContain(">waiting<")
    expect(html).not.toContain("<details open")
  })

  it("[SEC-6] tool names, inputs, outputs, notices and reasoning are text, whatever they hold", () => {
    const evil = "<img src=x onerror=alert(1)>"
    const html = markup(
      row([
        { type: "reasoning", text: evil },
        tool({ name: evil, input: { path: evil }, output: evil, error: { code: "x", detail: evil } }),
        { type: "notice", code: "x", text: evil },
        { type: "context", kind: evil, title: evil, content: evil, metadata: {} },
        { type: "attachment", hash: "h", name: evil, mediaType: "text/html", bytes: 10 },
      ]),
    )
    expect(html).not.toContain("<img")
    expect(html.split("&lt;img src=x onerror=alert(1)&gt;").length).toBeGreaterThan(7)
  })

  it("[SEC-6] the source shown until the markdown chunk is there is text too", () => {
    const html = markup(row([{ type: "text", text: "<script>alert(1)</script>" }]))
    expect(html).not.toContain("<script>alert")
  })

  it("shows values for reading", () => {
    expect(readable("a\nb")).toBe("a\nb")
    expect(readable({ a: 1 })).toBe('{\n  "a": 1\n}')
    expect(glimpse({ when: { delayMs: 5 }, prompt: "look\nagain" })).toBe("look")
    expect(glimpse(null)).toBe("")
  })
})
