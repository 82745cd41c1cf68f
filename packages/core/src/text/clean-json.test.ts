import { limits } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import type { Json } from "../ports/json.ts"
import { cleanJson, cleanText } from "./clean-json.ts"

const nested = (levels: number): Json => (levels === 0 ? [] : [nested(levels - 1)])

describe("JSON that every store can carry", () => {
  it("[SEC-5] loses half characters and NULs, in keys and values at any depth", () => {
    expect(cleanText("a\u0000b\ud800c")).toBe("a\ufffdb\ufffdc")
    expect(cleanText("a\u0000")).toBe("a\ufffd")
    expect(cleanText("\ud800")).toBe("\ufffd")
    expect(cleanText("ok 👋")).toBe("ok 👋")
    expect(cleanJson({ "k\u0000": ["v\u0000", { deep: "\udc00" }] })).toEqual({
      "k\ufffd": ["v\ufffd", { deep: "\ufffd" }],
    })
  })

  it("[SEC-5] keeps what is plain, and writes null for a number that JSON cannot write", () => {
    expect(cleanJson([1, 0.5, true, false, null, ""])).toEqual([1, 0.5, true, false, null, ""])
    expect(cleanJson([Number.POSITIVE_INFINITY, Number.NaN])).toEqual([null, null])
  })

  it("[SEC-5] may be nested as deep as the limit and no deeper, in lists and objects", () => {
    expect(cleanJson(nested(limits.jsonDepth - 1))).toEqual(nested(limits.jsonDepth - 1))
    expect(() => cleanJson(nested(limits.jsonDepth))).toThrow(String(limits.jsonDepth))
    let objects: Json = {}
    for (let level = 1; level < limits.jsonDepth; level++) objects = { in: objects }
    expect(cleanJson(objects)).toEqual(objects)
    expect(() => cleanJson({ in: objects })).toThrow(String(limits.jsonDepth))
  })
})
