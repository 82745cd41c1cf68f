import { describe, expect, it } from "vitest"
import { entriesOf, fieldsOf, filledIn, parsedForm } from "./fields.ts"

const schema = {
  type: "object",
  properties: {
    name: { type: "string", title: "Your name", description: "As on the ticket" },
    seats: { type: "integer", default: 2 },
    price: { type: "number" },
    window: { type: "boolean", default: true },
    meal: { type: "string", enum: ["none", "vegan"] },
  },
  required: ["name", "seats"],
}

describe("a form", () => {
  it("[TRN-12] has a field for each text, number, yes-or-no and choice of its schema", () => {
    const fields = fieldsOf(schema) ?? []
    expect(fields.map(({ name, label, kind, required }) => [name, label, kind, required])).toEqual([
      ["name", "Your name", "text", true],
      ["seats", "seats", "integer", true],
      ["price", "price", "number", false],
      ["window", "window", "yes-no", false],
      ["meal", "meal", "choice", false],
    ])
    expect(entriesOf(fields)).toEqual({ name: "", seats: "2", price: "", window: true, meal: "" })
  })

  it("[TRN-12] is answered with the schema's types, and what is empty is left out", () => {
    const fields = fieldsOf(schema) ?? []
    const entries = { ...entriesOf(fields), name: "Ada", price: "9.5" }
    expect(filledIn(fields, entries)).toEqual({ ok: true, answer: { name: "Ada", seats: 2, price: 9.5, window: true } })
    expect(filledIn(fields, entriesOf(fields))).toEqual({ ok: false, name: "name", why: "Your name is required." })
    const half = filledIn(fields, { ...entries, seats: "1.5" })
    expect(half).toEqual({ ok: false, name: "seats", why: "seats must be a whole number." })
    expect(filledIn(fields, { ...entries, price: "a lot" }).ok).toBe(false)
  })

  it.each([
    null,
    { type: "object" },
    { type: "object", properties: {} },
    { type: "object", properties: { a: { type: "array" } } },
    { type: "object", properties: { a: { enum: [1, 2] } } },
    { type: "object", properties: { a: true } },
  ])("that has no fields here is filled in as JSON: %j", (odd) => {
    expect(fieldsOf(odd)).toBeUndefined()
  })

  it("[TAB-27] every field has a name to be called by, also when its title is empty", () => {
    const titles = fieldsOf({ properties: { a: { type: "string", title: " " }, b: { type: "string", title: "Bee" } } })
    expect(titles?.map(({ label }) => label)).toEqual(["a", "Bee"])
  })

  it("as JSON has to be an object", () => {
    expect(parsedForm('{"a": [1]}')).toEqual({ ok: true, answer: { a: [1] } })
    expect(parsedForm("[1]").ok).toBe(false)
    expect(parsedForm("{").ok).toBe(false)
  })
})
