import { limits, Refusal } from "@parlor/protocol"
import fc from "fast-check"
import { expect, test } from "vitest"
import { z } from "zod"
import { checkShape, fit, parseJson } from "./json.ts"

const bytes = (text: string) => new TextEncoder().encode(text)

function refusal(work: () => unknown): { code: string; pointer: string | undefined } {
  try {
    work()
  } catch (error) {
    if (error instanceof Refusal) return { code: error.code, pointer: error.pointer }
    throw error
  }
  throw new Error("it was accepted")
}

test("[SEC-5] JSON within its limits is parsed unchanged", () => {
  fc.assert(
    fc.property(
      fc.jsonValue().filter((value) => !JSON.stringify(value).includes('"__proto__":')),
      (value) => {
        expect(JSON.stringify(parseJson(bytes(JSON.stringify(value))))).toBe(JSON.stringify(value))
      },
    ),
  )
})

test("[SEC-5] a key that would be lost is refused, however it is written", () => {
  for (const key of ["__proto__", "\\u005f_proto_\\u005F"])
    expect(refusal(() => parseJson(bytes(`{"a":[{"${key}":1}]}`)))).toEqual({
      code: "request.invalid",
      pointer: "/a/0",
    })
  expect(parseJson(bytes('{"a":"__proto__"}'))).toEqual({ a: "__proto__" })
})

test("[SEC-5] any bytes are parsed or refused", () => {
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), fc.json().map(bytes), fc.string({ unit: "binary" }).map(bytes)), (given) => {
      try {
        parseJson(given)
      } catch (error) {
        expect(error).toBeInstanceOf(Refusal)
      }
    }),
  )
})

test("[SEC-5] the limits are exact, and the content of strings does not count", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth)
  expect(() => parseJson(bytes(nested(limits.jsonDepth)))).not.toThrow()
  expect(refusal(() => parseJson(bytes(nested(limits.jsonDepth + 1)))).code).toBe("request.too-deep")
  const values = (count: number) => `[${Array.from({ length: count }, () => 0).join(",")}]`
  expect(() => parseJson(bytes(values(limits.jsonValues)))).not.toThrow()
  expect(refusal(() => parseJson(bytes(values(limits.jsonValues + 1)))).code).toBe("request.too-many")
  expect(() => checkShape(JSON.stringify(`${"[".repeat(1_000)}\\"${",".repeat(100_000)}`))).not.toThrow()
})

test("[SEC-5] a pointer follows RFC 6901", () => {
  const schema = z.object({ "a/b": z.object({ "c~d": z.array(z.number()) }) })
  expect(refusal(() => fit(schema, { "a/b": { "c~d": [1, "2"] } }, "body")).pointer).toBe("/a~1b/c~0d/1")
  expect(refusal(() => parseJson(bytes('{"a/b":{"c~d":["\\ud800"]}}')))).toEqual({
    code: "text.malformed",
    pointer: "/a~1b/c~0d/0",
  })
})

test("for a union, the error is from the branch that was meant", () => {
  const schema = z.union([
    z.strictObject({ text: z.string() }),
    z.strictObject({ type: z.literal("full"), payload: z.object({ source: z.string() }) }),
  ])
  const pointer = (value: unknown) => refusal(() => fit(schema, value, "body")).pointer
  expect(pointer({ text: 1 })).toBe("/text")
  expect(pointer({ type: "full", payload: {} })).toBe("/payload/source")
  expect(pointer({ type: "other", payload: { source: "x" } })).toBe("/type")
})
