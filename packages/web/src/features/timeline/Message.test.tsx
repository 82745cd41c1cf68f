import { Parlor } from "@parlor/client"
import type { MessageId, MessageRow, Part, TurnId } from "@parlor/protocol"
import { messageWith } from "@parlor/protocol/testing"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { foldId, makeFolds } from "../message/folds.ts"
import {
  authorName,
  glimpse,
  isBrokenAttempt,
  keptOf,
  lengthWords,
  opensGroup,
  originWords,
  readable,
  spokenText,
} from "../message/messageView.ts"
import { ReadingContext } from "../message/reading.ts"
import { ActsContext } from "../rollback/acts.ts"
import { Message } from "./Message.tsx"

const row = (parts: readonly Part[], change: Partial<MessageRow> = {}) => messageWith({ parts: [...parts], ...change })
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
/** With the folds of these parts open. */
const opened = (message: MessageRow, ...parts: readonly number[]) => {
  const conversation = new Parlor({ baseUrl: "http://127.0.0.1:9", token: "t" }).conversation("host")
  const reading = { conversation, folds: makeFolds(parts.map((index) => foldId(message.id, index))) }
  const shown = <Message message={message} agent="host" named />
  return renderToStaticMarkup(<ReadingContext value={reading}>{shown}</ReadingContext>)
}

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

  it("says in words that it was stopped or failed", () => {
    const said: Part = { type: "text", text: "I began" }
    expect(markup(row([said], { state: "truncated" }))).toContain("Stopped by you")
    expect(markup(row([said], { state: "failed" }))).toContain("This reply failed before it finished")
    expect(markup(row([said]))).not.toMatch(/Stopped by you|failed/)
  })

  it("[TRN-10] an attempt that broke off and was tried again is marked as such", () => {
    const failed = { role: "agent", state: "failed", turn: "trn_1" as TurnId } as const
    const after = { role: "agent", state: "done", turn: "trn_1" as TurnId } as const
    const joined = { role: "person", state: "done", turn: "trn_1" as TurnId } as const
    expect(isBrokenAttempt([failed], 0, "trn_1")).toBe(true)
    expect(isBrokenAttempt([failed, joined, after], 0, null)).toBe(true)
    expect(isBrokenAttempt([failed, joined, { ...after, turn: "trn_2" as TurnId }], 0, null)).toBe(false)
    expect(isBrokenAttempt([failed, joined], 0, null)).toBe(false)
    expect(isBrokenAttempt([{ ...failed, state: "truncated" }, after], 0, null)).toBe(false)
    expect(isBrokenAttempt([failed], 1, "trn_1")).toBe(false)
    const message = row([{ type: "text", text: "I began" }], { state: "failed" })
    const html = renderToStaticMarkup(<Message message={message} agent="host" named isAttempt />)
    expect(html).toContain("Interrupted, continued below")
    expect(html).not.toContain("failed before")
  })

  it("[TRN-18] a reply that a restart interrupted says that it is written again, while its turn runs", () => {
    const cut = { role: "agent", state: "truncated", turn: "trn_1" as TurnId } as const
    expect(isBrokenAttempt([cut], 0, "trn_1")).toBe(true)
    expect(isBrokenAttempt([cut], 0, null)).toBe(false)
    const message = row([{ type: "text", text: "I began" }], { state: "truncated" })
    const html = renderToStaticMarkup(<Message message={message} agent="host" named isAttempt />)
    expect(html).toContain("Interrupted, being written again")
  })

  it("shows that it is being thought about until there is something to read", () => {
    expect(markup(row([], { state: "streaming" }))).toContain("host is thinking")
    const begun = markup(row([{ type: "text", text: "So" }], { state: "streaming" }))
    expect(begun).not.toContain("host is thinking")
    expect(begun).toContain('aria-busy="true"')
  })

  it("folds reasoning and shows tool calls as cards with their state in words", () => {
    const html = markup(row([{ type: "reasoning", text: "hm" }, tool(), tool({ state: "unknown", output: null })]))
    expect(html).toContain("Thought process")
    expect(html).toContain("Read</span>")
    expect(html).toContain("outcome unknown")
    expect(markup(row([tool({ state: "waiting", output: null })]))).toContain(">waiting<")
    expect(html).not.toContain("<details open")
  })

  it("[SEC-6] tool names, inputs, outputs, notices and reasoning are text, whatever they hold", () => {
    const evil = "<img src=x onerror=alert(1)>"
    const html = opened(
      row([
        { type: "reasoning", text: evil },
        tool({ name: evil, input: { path: evil }, output: evil, error: { code: "x", detail: evil } }),
        { type: "notice", code: "x", text: evil },
        { type: "context", kind: evil, title: evil, content: evil, metadata: {} },
        { type: "attachment", hash: "h", name: evil, mediaType: "text/html", bytes: 10 },
      ]),
      0,
      1,
      3,
    )
    expect(html).not.toContain("<img")
    expect(html.split("&lt;img src=x onerror=alert(1)&gt;").length).toBeGreaterThan(7)
  })

  it("[SEC-6] the source shown until the markdown chunk is there is text too", () => {
    const html = markup(row([{ type: "text", text: "<script>alert(1)</script>" }]))
    expect(html).not.toContain("<script>alert")
  })

  it("[TAB-7] what is folded is not drawn, and what was opened is drawn open again", () => {
    const message = row([{ type: "reasoning", text: "a long thought" }, tool()])
    expect(markup(message)).not.toContain("a long thought")
    expect(markup(message)).toContain("3 words")
    expect(opened(message, 0)).toContain("a long thought")
    expect(opened(message, 0)).not.toContain("# Notes")
    expect(opened(message, 1)).toContain("# Notes")
  })

  it("[WSP-2] a change of a file is shown as such", () => {
    const edits = [{ old: "a", new: "b" }]
    const html = opened(row([tool({ name: "edit_file", input: { path: "notes.md", edits }, output: null })]), 0)
    expect(html).toContain(">-a<")
    expect(html).toContain(">+b<")
    expect(html).not.toContain(">Input<")
    expect(html).toContain("notes.md")
  })

  it("[TRN-11] of a long output its beginning is shown, with a way to all of it", () => {
    const output = { truncated: true, characters: 12_345, beginning: "It begins", readOn: "…" }
    const html = opened(row([tool({ output, kept: "hash" })]), 0)
    expect(html).toContain("It begins")
    expect(html).toContain("Show all 12,345 characters")
    expect(html).not.toContain("readOn")
    expect(keptOf({ kept: undefined, output })).toBeUndefined()
    expect(keptOf({ kept: "hash", output: "text" })).toBeUndefined()
    expect(keptOf({ kept: "hash", output: { characters: "many" } })).toBeUndefined()
  })

  it("[TRG-1] what nobody typed says where it came from", () => {
    const trigger = { firedAt: 0, scheduleId: null, deliveryId: null, headers: null, subject: "Backup" }
    const from = (source: "schedule" | "import") =>
      markup(row([{ type: "text", text: "x" }], { role: "person", trigger: { ...trigger, source } }))
    expect(from("schedule")).toContain("From a schedule: Backup")
    expect(from("import")).not.toContain("Backup")
    expect(originWords({ ...trigger, source: "webhook", subject: null })).toBe("From a webhook")
    expect(originWords(null)).toBeUndefined()
  })

  it("[RBK-3] what was edited says so", () => {
    const message = row([{ type: "text", text: "x" }], { role: "person", editedFrom: "msg_0" as MessageId })
    expect(markup(message)).toContain(">edited<")
    expect(markup({ ...message, editedFrom: null })).not.toContain(">edited<")
  })

  it("[TRN-14] what an answer took can be looked up", () => {
    const usage = { inputTokens: 10, outputTokens: 5, reasoningTokens: 0, cachedTokens: 0, costMicros: 0 }
    const nothing = () => {}
    const acts = {
      rollBack: nothing,
      cancel: nothing,
      branch: nothing,
      edit: nothing,
      tryAgain: nothing,
      proceed: nothing,
      rate: nothing,
    }
    const bar = (message: MessageRow) =>
      renderToStaticMarkup(
        <ActsContext value={acts}>
          <Message message={message} agent="host" named />
        </ActsContext>,
      )
    expect(bar(row([{ type: "text", text: "x" }], { usage }))).toContain('aria-label="Message details"')
    expect(bar(row([{ type: "text", text: "x" }]))).not.toContain("Message details")
  })

  it("what is copied is what was said, without what was thought and done", () => {
    const parts: Part[] = [
      { type: "reasoning", text: "hm" },
      { type: "text", text: " a " },
      tool(),
      { type: "text", text: "b" },
    ]
    expect(spokenText({ parts })).toBe("a\n\nb")
    expect(spokenText({ parts: [tool()] })).toBe("")
  })

  it("lengths are told as one reads them", () => {
    expect([lengthWords("one"), lengthWords("one two"), lengthWords("")]).toEqual(["1 word", "2 words", "0 words"])
  })

  it("shows values for reading", () => {
    expect(readable("a\nb")).toBe("a\nb")
    expect(readable({ a: 1 })).toBe('{\n  "a": 1\n}')
    expect(glimpse({ when: { delayMs: 5 }, prompt: "look\nagain" })).toBe("look")
    expect(glimpse(null)).toBe("")
  })
})
