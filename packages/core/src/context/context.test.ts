import type { MessageId, MessageRow, Part } from "@parlor/protocol"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { toldText } from "../guest/framing.ts"
import { readFrames } from "../testing/read-frames.ts"
import { requestDefects } from "../testing/request-defects.ts"
import { CARRY_ON, GO_ON, buildRequest as requestOf } from "./context.ts"

function buildRequest(messages: readonly MessageRow[], author = "") {
  return requestOf({ author, host: "crab", instructions: "Be a crab.", notes: "", tools: [], messages })
}

const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record({
    type: fc.constantFrom("text", "reasoning"),
    text: fc.constantFrom("", " ", "hello", "more", '<from agent="critic">', "</from>", "<", "from>"),
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
    author: fc.constantFrom("", "", "critic", "poet", "crab"),
    parts: fc.array(part, { maxLength: 5 }),
    state: fc.constantFrom("done", "truncated", "failed", "streaming"),
    dimmed: fc.boolean(),
  }),
  { maxLength: 12 },
)

type Listed = { role: string; author?: string; parts: Part[]; state: string; dimmed: boolean }

function rows(list: readonly Listed[]): MessageRow[] {
  return list.map(({ author = "", ...message }, index) => {
    const parts = message.role === "person" ? message.parts.filter((one) => one.type === "text") : message.parts
    return {
      ...message,
      author,
      parts,
      id: `msg_${index}` as MessageId,
      ord: index,
      turn: null,
      trigger: null,
    } as unknown as MessageRow
  })
}

describe("the context of a step", () => {
  it("[TRN-8] whatever the log contains, the request is valid for a provider", () => {
    fc.assert(
      fc.property(messages, (list) => {
        expect(requestDefects(buildRequest(rows(list)))).toEqual([])
      }),
      { numRuns: 2_000 },
    )
  })

  it("[TRN-8, GST-1] the request is valid for every speaker; a guest's has no calls, no results and no tools", () => {
    fc.assert(
      fc.property(messages, fc.constantFrom("critic", "poet", "newcomer"), (list, guest) => {
        const request = buildRequest(rows(list), guest)
        expect(requestDefects(request)).toEqual([])
        expect(request.tools).toEqual([])
        for (const message of request.messages) {
          expect(message.role).not.toBe("tools")
          if (message.role === "agent") expect(message.parts.map(({ type }) => type)).not.toContain("tool")
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it("[GST-3] the note about other agents is there exactly when another agent spoke, and each message appears once", () => {
    fc.assert(
      fc.property(messages, fc.constantFrom("", "critic"), (list, author) => {
        const { messages: sent, instructions } = buildRequest(rows(list), author)
        const texts = sent.flatMap((message) => (message.role === "person" ? [message.text] : []))
        const heard = texts.flatMap((text) => readFrames(text)).filter(({ by }) => by !== null)
        const own = author || "crab"
        const spoke = rows(list).filter(
          (row) => row.role === "agent" && !row.dimmed && row.state !== "failed" && (row.author || "crab") !== own,
        )
        expect(heard.map(({ by, text }) => [by, text])).toEqual(
          spoke.map((row) => [row.author || "crab", toldText(row.parts)]).filter(([, text]) => text?.trim() !== ""),
        )
        expect(instructions.includes("<from agent=")).toBe(heard.length > 0)
      }),
      { numRuns: 1_000 },
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

  it("[TRN-8] a turn whose own question does not fit the window still makes a valid request", () => {
    const call = { type: "tool", call: "c1", name: "read", input: {}, state: "done", output: "…", error: null } as const
    const { messages } = buildRequest(rows([{ role: "agent", parts: [call], state: "done", dimmed: false }]))
    expect(messages.map(({ role }) => role)).toEqual(["person", "agent", "tools"])
  })

  it("[TRN-8] two calls with one id get different ids, and ids and names are in a form every provider accepts", () => {
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

  const said = (role: "person" | "agent", text: string, state = "done"): Listed => ({
    ...{ role, parts: [{ type: "text", text }], state, dimmed: false },
  })

  it("[TRN-8] a reply that was cut off is to be carried on, a first word of its own to be gone on with", () => {
    const last = (state: string) =>
      buildRequest(rows([said("person", "Hi"), said("agent", "Hel", state)])).messages.at(-1)
    expect(last("truncated")).toEqual({ role: "person", text: CARRY_ON })
    expect(last("done")).toEqual({ role: "person", text: GO_ON })
    const failed = [said("person", "Hi"), said("agent", "Hel", "truncated"), said("agent", "x", "failed")]
    expect(buildRequest(rows(failed)).messages.at(-1)).toEqual({ role: "person", text: CARRY_ON })
  })

  it("[TRN-8] an agent's steps in a row are one message, and so are a person's", () => {
    const list = [
      said("person", "One"),
      said("person", " "),
      said("person", "two"),
      said("agent", "A"),
      said("agent", "B"),
      said("person", "x"),
    ]
    expect(buildRequest(rows(list)).messages).toEqual([
      { role: "person", text: "One\n\ntwo" },
      {
        role: "agent",
        parts: [
          { type: "text", text: "A" },
          { type: "text", text: "B" },
        ],
      },
      { role: "person", text: "x" },
    ])
  })

  it("[CPT-1] a summary stands before the first words of a person, as material, or alone before an agent's", () => {
    const sent = (list: readonly Listed[], summary: string) =>
      requestOf({ author: "", host: "crab", instructions: "", notes: "", tools: [], messages: rows(list), summary })
    const [first, ...rest] = sent([said("person", "Hi")], "So far.</summary>").messages as readonly { text: string }[]
    expect(first?.text).toMatch(/^<summary>[\s\S]*So far\.<\\\/summary>\n<\/summary>\n\nHi$/)
    expect(rest).toEqual([])
    const alone = sent([said("agent", "Hel", "truncated")], "So far.").messages
    expect(alone.map(({ role }) => role)).toEqual(["person", "agent", "person"])
    expect(alone[0]).toMatchObject({ text: expect.stringMatching(/<\/summary>$/) })
  })

  it("[TRN-8] a tool's own name stays as it is, and what failed says why", () => {
    const call = (id: string, name: string, change: object) =>
      ({ type: "tool", call: id, name, input: {}, state: "failed", output: "late", error: null, ...change }) as Part
    const parts = [
      call("a", "pay.now", { error: { code: "tool.failed", detail: "No funds." } }),
      call("b", "other.name", { error: { code: "tool.failed", detail: "" } }),
      call("c", "pay.now", { state: "done" }),
    ]
    const tools = [{ name: "pay.now", description: "", inputSchema: {} }]
    const list = [said("person", "go"), { role: "agent", parts, state: "done", dimmed: false }]
    const request = requestOf({ author: "", host: "crab", instructions: "", notes: "", tools, messages: rows(list) })
    expect(request.messages.at(-1)).toMatchObject({
      results: [
        { call: "a", name: "pay.now", outcome: "failed", output: "No funds." },
        { call: "b", name: "other_name", outcome: "failed", output: "The tool failed." },
        { call: "c", name: "pay.now", outcome: "done", output: "late" },
      ],
    })
    expect(request.instructions).toBe("")
  })
})
