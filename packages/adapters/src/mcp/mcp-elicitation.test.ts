import type { AskRow } from "@parlor/protocol"
import { askWith } from "@parlor/protocol/testing"
import { describe, expect, it } from "vitest"
import { answerOf, elicitationOf } from "./mcp-elicitation.ts"

const ask = (change: Partial<AskRow>) => askWith(change as never)
const flat = { type: "object", properties: { city: { type: "string" }, days: { type: "integer", minimum: 1 } } }
const nested = { type: "object", properties: { route: { type: "object" } } }

describe("an ask as an elicitation", () => {
  it("[API-42] an approval is one switch; declining denies, closing the dialog answers nothing", () => {
    const approval = ask({ kind: "approval", title: "Pay?", detail: "5 dollars" })
    expect(elicitationOf(approval)).toMatchObject({
      message: "Pay?\n\n5 dollars",
      requestedSchema: { properties: { allow: { type: "boolean" } }, required: ["allow"] },
    })
    expect(answerOf(approval, { action: "accept", content: { allow: true } })).toBe(true)
    expect(answerOf(approval, { action: "accept", content: { allow: "true" } })).toBe(false)
    expect(answerOf(approval, { action: "accept" })).toBe(false)
    expect(answerOf(approval, { action: "decline" })).toBe(false)
    expect(answerOf(approval, { action: "cancel" })).toBeUndefined()
  })

  it("[API-42] a question offers its options, or takes text; it cannot be declined", () => {
    const choice = ask({ kind: "question", title: "Which?", detail: "", options: ["Tea", "Coffee"] })
    expect(elicitationOf(choice)).toMatchObject({
      message: "Which?",
      requestedSchema: { properties: { answer: { enum: ["Tea", "Coffee"] } } },
    })
    const open = ask({ kind: "question", options: null })
    expect(elicitationOf(open).requestedSchema.properties.answer).toMatchObject({ type: "string", minLength: 1 })
    expect(answerOf(choice, { action: "accept", content: { answer: "Tea" } })).toBe("Tea")
    expect(answerOf(choice, { action: "accept", content: {} })).toBe("")
    expect(answerOf(choice, { action: "decline" })).toBeUndefined()
  })

  it("[API-42] a flat form is shown as it is, any other as one field with JSON", () => {
    const form = ask({ kind: "form", schema: { ...flat, required: ["city"] } })
    expect(elicitationOf(form).requestedSchema).toEqual({ ...flat, required: ["city"] })
    const content = { city: "Rome", days: 3 }
    expect(answerOf(form, { action: "accept", content })).toEqual(content)
    const deep = ask({ kind: "form", schema: nested })
    expect(elicitationOf(deep).requestedSchema.properties.answer?.description).toContain(JSON.stringify(nested))
    expect(answerOf(deep, { action: "accept", content: { answer: '{"route":{}}' } })).toEqual({ route: {} })
    expect(() => answerOf(deep, { action: "accept", content: { answer: "{" } })).toThrow("not valid JSON")
    expect(answerOf(deep, { action: "decline" })).toBeUndefined()
  })
})
