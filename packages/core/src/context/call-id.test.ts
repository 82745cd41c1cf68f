import { messageWith } from "@parlor/protocol/testing"
import { describe, expect, it } from "vitest"
import { callName, freeCallId } from "./call-id.ts"
import { offeredTools, READ_OUTPUT } from "./cut-output.ts"
import { isQuestion } from "./question.ts"

describe("ids and names of calls", () => {
  it("[TRN-8] an id that is well formed and free stays, any other becomes the nearest that is", () => {
    const none = new Set<string>()
    expect(freeCallId("call_1", none)).toBe("call_1")
    expect(freeCallId("x".repeat(40), none)).toBe("x".repeat(40))
    expect(freeCallId("x".repeat(41), none)).toBe("x".repeat(40))
    expect(freeCallId("a:b c", none)).toBe("abc")
    expect(freeCallId("", none)).toBe("call")
    expect(freeCallId("::", none)).toBe("call")
  })

  it("[TRN-8] one that is taken gets a number, and stays short enough", () => {
    expect(freeCallId("a", new Set(["a"]))).toBe("a_2")
    expect(freeCallId("a", new Set(["a", "a_2", "a_3"]))).toBe("a_4")
    const long = "x".repeat(40)
    expect(freeCallId(long, new Set([long]))).toBe(`${"x".repeat(32)}_2`)
  })

  it("[TRN-8] a name is letters, digits, _ and -, and begins with a letter", () => {
    expect(callName("pay.now")).toBe("pay_now")
    expect(callName("Pay")).toBe("Pay")
    expect(callName("1st")).toBe("_1st")
    expect(callName("")).toBe("_")
    expect(callName("x".repeat(65))).toBe("x".repeat(64))
  })
})

it("[TRN-11] the tool that reads on is offered where there is something to read on in", () => {
  const tools = [{ name: "pay" }, { name: READ_OUTPUT }]
  const call = { type: "tool", call: "c", name: "pay", input: 1, state: "done", output: "", error: null } as const
  const message = (kept: object) =>
    messageWith({
      parts: [
        { type: "text", text: "x" },
        { ...call, ...kept },
      ],
    })
  expect(offeredTools(tools, [message({}), message({ kept: "h" })])).toBe(tools)
  expect(offeredTools(tools, [message({})])).toEqual([{ name: "pay" }])
  expect(offeredTools(tools, [])).toEqual([{ name: "pay" }])
})

it("[CPT-3] a question is a person's message that says something of its own", () => {
  const context = { type: "context", kind: "k", title: "", content: "", metadata: null } as const
  const person = (change: object) =>
    isQuestion(messageWith({ role: "person", parts: [{ type: "text", text: "x" }], ...change }))
  expect(person({})).toBe(true)
  expect(person({ role: "agent" })).toBe(false)
  expect(person({ state: "failed" })).toBe(false)
  expect(person({ parts: [context] })).toBe(false)
  expect(person({ parts: [context, { type: "text", text: "x" }] })).toBe(true)
  expect(person({ parts: [] })).toBe(true)
  expect(person({ parts: [context], inbox: { type: "t", payload: 1 } })).toBe(true)
})
