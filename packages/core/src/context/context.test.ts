import type { MessageId, MessageRow, Part } from "@parlor/protocol"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { requestDefects } from "../testing/request-defects.ts"
import { buildRequest as requestOf } from "./context.ts"

function buildRequest(messages: readonly MessageRow[]) {
  return requestOf({ author: "", host: "crab", instructions: "Be a crab.", notes: "", tools: [], messages })
}

const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record({
    type: fc.constantFrom("text", "reasoning"),
    text: fc.constantFrom("", " ", "hello", "more"),
  }) as fc.Arbitrary<Part>,
  fc.record({
    type: fc.constant("tool"),
    call: fc.constantFrom("c1", "c2", "", "c 3", "x".repeat(90)),
    name: fc.constantFrom("clock", "gone", "", "no name!", "1st"),
    input: fc.constantFrom({}, "not an object", null, { a: 1 }),
    state: fc.constantFrom("waiting", "started", "done", "failed", "unknown"),
    output: fc.constant(null),
    error: fc.constantFrom(null, { code: "tool.failed", detail: "no" }, { code: "tool.failed", detail: "" }),
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

describe("the context of a step", () => {
  it("[TRN-8] whatever the log holds, the request is one a provider accepts", () => {
    fc.assert(
      fc.property(messages, (list) => {
        expect(requestDefects(buildRequest(rows(list)))).toEqual([])
      }),
      { numRuns: 2_000 },
    )
  })

  it("[CPT-10] is a function of the rows: the same rows give the same request", () => {
    fc.assert(
      fc.property(messages, (list) => {
        expect(buildRequest(rows(list))).toEqual(buildRequest(rows(list)))
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
      rows([
        { role: "person", parts: [{ type: "text", text: "pay" }], state: "done", dimmed: false },
        { role: "agent", parts: [call], state: "truncated", dimmed: false },
      ]),
    )
    expect(request.messages.at(-1)).toMatchObject({ role: "tools", results: [{ call: "c1", outcome: "failed" }] })
    expect(JSON.stringify(request.messages.at(-1))).toContain("unknown")
  })

  it("[TRN-8] a turn whose own question does not fit the window is still a valid request", () => {
    const call = { type: "tool", call: "c1", name: "read", input: {}, state: "done", output: "…", error: null } as const
    const { messages } = buildRequest(rows([{ role: "agent", parts: [call], state: "done", dimmed: false }]))
    expect(messages.map(({ role }) => role)).toEqual(["person", "agent", "tools"])
  })

  it("[TRN-8] two calls of one id are told apart, and ids and names are in a form every provider takes", () => {
    const call = (id: string, name: string) =>
      ({ type: "tool", call: id, name, input: {}, state: "done", output: null, error: null }) as const
    const { messages } = buildRequest(
      rows([
        { role: "person", parts: [{ type: "text", text: "go" }], state: "done", dimmed: false },
        { role: "agent", parts: [call("c", "a"), call("c", "b c"), call("", "2nd")], state: "done", dimmed: false },
        { role: "agent", parts: [call("c", "é".repeat(99))], state: "done", dimmed: false },
      ]),
    )
    const results = messages.flatMap((message) => (message.role === "tools" ? message.results : []))
    expect(results.map(({ call, name }) => [call, name])).toEqual([
      ["c", "a"],
      ["c_2", "b_c"],
      ["call", "_2nd"],
      ["c_3", "_".repeat(64)],
    ])
  })
})
