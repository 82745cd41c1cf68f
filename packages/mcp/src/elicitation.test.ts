import { describe, expect, it } from "vitest"
import { elicitedBy, questionOf } from "./elicitation.ts"

const asking = (properties: object, required: readonly string[] = []) =>
  questionOf("shop", { message: "Which?", requestedSchema: { type: "object", properties, required } })

describe("what a server asks", () => {
  it("[API-49] names the server, and takes over only what a form may contain", () => {
    const size = { type: "string", pattern: "(a+)+$", $ref: "#/x", description: "Size", minLength: 1 }
    expect(asking({ size }, ["size", "other"])).toEqual({
      kind: "form",
      title: "The MCP server shop asks: Which?",
      schema: {
        type: "object",
        properties: { size: { type: "string", description: "Size", minLength: 1 } },
        required: ["size"],
        additionalProperties: false,
      },
    })
  })

  it("[API-49] named choices become plain ones with their names in the description", () => {
    const hero = { type: "string", description: "Hero", oneOf: [{ const: "h-1", title: "Superman" }, { const: "h-2" }] }
    const fish = { type: "array", items: { anyOf: [{ const: "f-1", title: "Tuna" }] }, minItems: 1 }
    expect(asking({ hero, fish })?.schema).toMatchObject({
      properties: {
        hero: { type: "string", description: "Hero h-1: Superman; h-2: h-2", enum: ["h-1", "h-2"] },
        fish: { type: "array", description: "f-1: Tuna", minItems: 1, items: { type: "string", enum: ["f-1"] } },
      },
    })
  })

  it("[API-49] is not asked if it is no flat form", () => {
    for (const properties of [
      { a: { type: "object", properties: {} } },
      { a: { type: "array", items: { type: "object" } } },
      { a: 1 },
      Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`f${i}`, { type: "boolean" }])),
    ])
      expect(asking(properties)).toBeUndefined()
    expect(questionOf("shop", { mode: "url", message: "Go", url: "https://example.com" })).toBeUndefined()
    expect(questionOf("shop", undefined)).toBeUndefined()
  })

  it("[API-49] without fields is a yes or no; no answer cancels", () => {
    const yesNo = asking({})
    expect(yesNo?.kind).toBe("approval")
    if (yesNo === undefined) return
    expect(elicitedBy(yesNo, true)).toEqual({ action: "accept", content: {} })
    expect(elicitedBy(yesNo, false)).toEqual({ action: "decline" })
    expect(elicitedBy(yesNo, undefined)).toEqual({ action: "cancel" })
    expect(elicitedBy({ ...yesNo, kind: "form" }, { a: 1 })).toEqual({ action: "accept", content: { a: 1 } })
  })
})
