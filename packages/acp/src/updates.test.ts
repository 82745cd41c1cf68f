import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { eventOf, userText } from "./updates.ts"

const context = {
  relative: (path: string) => path.replace("/work/", ""),
  terminalOutput: (id: string) => (id === "t1" ? "from the terminal" : undefined),
}
const text = (words: string) => ({ type: "content", content: { type: "text", text: words } })

describe("[HST-3] what an agent reports", () => {
  it("text and thoughts are text and reasoning; other content is named", () => {
    const chunk = (sessionUpdate: string, content: unknown) => eventOf({ sessionUpdate, content }, context)
    expect(chunk("agent_message_chunk", { type: "text", text: "hi" })).toEqual({ type: "text", text: "hi" })
    expect(chunk("agent_thought_chunk", { type: "text", text: "hm" })).toEqual({ type: "reasoning", text: "hm" })
    expect(chunk("agent_message_chunk", { type: "image", data: "…" })).toEqual({ type: "text", text: "[image]" })
    expect(chunk("agent_message_chunk", { type: "text", text: "" })).toBeUndefined()
  })

  it("a call has its state, names, input, output, diffs and places", () => {
    const update = {
      sessionUpdate: "tool_call_update",
      toolCallId: "c1",
      status: "completed",
      title: "Edit",
      kind: "edit",
      rawInput: { a: 1 },
      rawOutput: { ignored: true },
      locations: [{ path: "/work/a.ts", line: 3 }, { line: 1 }],
      content: [
        text("done"),
        { type: "diff", path: "/work/a.ts", oldText: null, newText: "new" },
        { type: "terminal", terminalId: "t1" },
      ],
    }
    expect(eventOf(update, context)).toEqual({
      type: "call",
      call: "c1",
      state: "done",
      title: "Edit",
      kind: "edit",
      input: { a: 1 },
      output: "done\nfrom the terminal",
      locations: [{ path: "a.ts", line: 3 }],
      diffs: [{ path: "a.ts", before: null, after: "new" }],
    })
  })

  it("an update of a call contains only what it changes; raw output counts if nothing is shown", () => {
    const update = { sessionUpdate: "tool_call_update", toolCallId: "c1" }
    expect(eventOf({ ...update, status: "in_progress" }, context)).toEqual({
      type: "call",
      call: "c1",
      state: "started",
    })
    expect(eventOf({ ...update, rawOutput: { code: 0 } }, context)).toEqual({
      type: "call",
      call: "c1",
      output: { code: 0 },
    })
    expect(eventOf({ ...update, title: null, status: null, content: null }, context)).toEqual({
      type: "call",
      call: "c1",
    })
    expect(eventOf({ sessionUpdate: "tool_call", title: "no id" }, context)).toBeUndefined()
  })

  it("plans and commands", () => {
    const entries = [
      { content: "a", status: "completed" },
      { content: "b", status: "in_progress" },
      { content: "c" },
      {},
    ]
    expect(eventOf({ sessionUpdate: "plan", entries }, context)).toEqual({
      type: "plan",
      entries: [
        { text: "a", state: "done" },
        { text: "b", state: "started" },
        { text: "c", state: "waiting" },
      ],
    })
    const availableCommands = [{ name: "init", description: "Starts", input: { hint: "where" } }, { name: "x" }, 7]
    expect(eventOf({ sessionUpdate: "available_commands_update", availableCommands }, context)).toEqual({
      type: "commands",
      commands: [
        { name: "init", description: "Starts", hint: "where" },
        { name: "x", description: "", hint: null },
      ],
    })
  })

  it("anything else is ignored, and nothing throws", () => {
    fc.assert(
      fc.property(
        fc.anything(),
        fc.constantFrom("tool_call", "plan", "agent_message_chunk", "notice", "other"),
        (value, kind) => {
          eventOf(value, context)
          eventOf({ ...(typeof value === "object" ? value : {}), sessionUpdate: kind }, context)
          eventOf({ sessionUpdate: kind, toolCallId: "c", content: value, entries: value, locations: value }, context)
          userText(value)
        },
      ),
    )
  })
})
