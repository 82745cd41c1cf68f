import type { MessageId, MessageRow, Part } from "@parlor/protocol"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { ModelRequest } from "../ports/model.ts"
import { scriptedModel } from "../testing/scripted-model.ts"
import { buildRequest } from "./context.ts"

const agent = {
  name: "crab",
  description: "",
  instructions: "Be a crab.",
  model: scriptedModel([]),
  tools: [],
  commands: [],
}

const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record({
    type: fc.constantFrom("text", "reasoning"),
    text: fc.constantFrom("", " ", "hello", "more"),
  }) as fc.Arbitrary<Part>,
  fc.record({
    type: fc.constant("tool"),
    call: fc.uuid(),
    name: fc.constantFrom("clock", "gone"),
    input: fc.constantFrom({}, "not an object", null, { a: 1 }),
    state: fc.constantFrom("started", "done", "failed", "unknown"),
    output: fc.constant(null),
    error: fc.constantFrom(null, { code: "tool.failed", detail: "no" }),
  }) as fc.Arbitrary<Part>,
)

const messages = fc.array(
  fc.record({
    role: fc.constantFrom("person", "agent"),
    parts: fc.array(part, { maxLength: 5 }),
    state: fc.constantFrom("done", "truncated", "failed", "streaming"),
    dimmed: fc.boolean(),
  }),
  { maxLength: 12 },
)

function rows(list: readonly { role: string; parts: Part[]; state: string; dimmed: boolean }[]): MessageRow[] {
  return list.map((message, index) => {
    const parts = message.role === "person" ? message.parts.filter((one) => one.type === "text") : message.parts
    return { ...message, parts, id: `msg_${index}` as MessageId, ord: index, turn: null } as unknown as MessageRow
  })
}

/** What the strictest of the providers asks of a request. */
function expectValid(request: ModelRequest): void {
  const { messages } = request
  for (const [index, message] of messages.entries()) {
    const before = messages[index - 1]
    if (message.role === "person") expect(message.text.trim()).not.toBe("")
    if (message.role === "person") expect(before?.role).not.toBe("person")
    if (message.role === "agent") {
      expect(message.parts.length).toBeGreaterThan(0)
      expect(before?.role === "person" || before?.role === "tools").toBe(true)
      const asked = message.parts.flatMap((one) => (one.type === "tool" ? [one.call] : []))
      const after = messages[index + 1]
      const answered = after?.role === "tools" ? after.results.map((result) => result.call) : []
      expect(answered).toEqual(asked)
    }
    if (message.role === "tools") expect(before?.role).toBe("agent")
  }
  const last = messages.at(-1)
  if (last !== undefined) expect(last.role).not.toBe("agent")
  if (messages[0] !== undefined) expect(messages[0].role).toBe("person")
}

describe("the context of a step", () => {
  it("[TRN-8] whatever the log holds, the request is one a provider accepts", () => {
    fc.assert(
      fc.property(messages, (list) => expectValid(buildRequest(agent, rows(list)))),
      { numRuns: 2_000 },
    )
  })

  it("[CPT-10] is a function of the rows: the same rows give the same request", () => {
    fc.assert(
      fc.property(messages, (list) => {
        expect(buildRequest(agent, rows(list))).toEqual(buildRequest(agent, rows(list)))
      }),
    )
  })

  it("[TRN-7] tells the model that the outcome of an interrupted tool is unknown", () => {
    const call = {
      type: "tool",
      call: "c1",
      name: "pay",
      input: {},
      state: "unknown",
      output: null,
      error: null,
    } as const
    const request = buildRequest(
      agent,
      rows([
        { role: "person", parts: [{ type: "text", text: "pay" }], state: "done", dimmed: false },
        { role: "agent", parts: [call], state: "truncated", dimmed: false },
      ]),
    )
    expect(request.messages.at(-1)).toMatchObject({ role: "tools", results: [{ call: "c1", outcome: "failed" }] })
    expect(JSON.stringify(request.messages.at(-1))).toContain("unknown")
  })
})
