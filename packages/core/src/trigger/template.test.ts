import { limits, textDefect } from "@parlor/protocol"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Json } from "../ports/json.ts"
import { filledIn } from "./template.ts"

const fill = (template: string, body: Json = {}, headers: Record<string, string> = {}) =>
  filledIn(template, { id: "d1", body, headers })

describe("a template", () => {
  it("[TRG-5] inserts fields, items, headers, the id and the whole body", () => {
    const body = { pull: { title: "Mend it", labels: [{ name: "bug" }], "odd-key": 1 }, ok: true, n: 0 }
    expect(fill("{{body.pull.title}}|{{ body.pull.labels[0].name }}|{{body.pull.labels.0.name}}", body)).toBe(
      "Mend it|bug|bug",
    )
    expect(fill("{{body.ok}} {{body.n}} {{body.pull.odd-key}}", body)).toBe("true 0 1")
    expect(fill("{{body.pull.labels}}", body)).toBe('[{"name":"bug"}]')
    expect(fill("{{headers.X-GitHub-Event}} {{id}}", {}, { "x-github-event": "push" })).toBe("push d1")
    expect(fill("{{body}}", "plain text")).toBe("plain text")
    expect(fill("{{body[1]}}", ["a", "b"])).toBe("b")
  })

  it("[TRG-5] a missing value is empty: no path leads out of the body", () => {
    for (const path of [
      "body.none",
      "body.a.b.c",
      "body.constructor",
      "body.__proto__.polluted",
      "body.list.length",
      "body.text.length",
      "body.list[9]",
      "body.list[-1]",
      "body..a",
      "body.",
      "bodyguard",
      "headers.constructor",
      "headers.authorization",
      "process.env",
      "",
    ])
      expect(fill(`<{{${path}}}>`, { a: null, list: [1], text: "x" })).toBe(path === "" ? "<{{}}>" : "<>")
  })

  it("[TRG-5] inserted values are text: no second expansion, no invisible characters", () => {
    expect(fill("{{body.a}}", { a: "{{body.b}} {{headers.x}}", b: "secret" })).toBe("{{body.b}} {{headers.x}}")
    expect(fill("{{body.a}}", { a: "a\u0000\u001b[2J\u202eb\u2066c\u{e0041}d\r\ne\u2028f\tg" })).toBe(
      "a[2Jbcd\ne\nf\tg",
    )
    expect(fill("{{body.a}}", { a: "👩‍👧 $& $1 $$" })).toBe("👩‍👧 $& $1 $$")
  })

  it("[SEC-27] costs time in proportion to its length, whatever is in it", () => {
    const length = 1_000_000
    for (const piece of ["{{ ", " ", "{", "}", "{{a", "{{}}", "{{ body }", "{{body.a}}"]) {
      const started = process.cpuUsage()
      fill(`{{${piece.repeat(length / piece.length)}`, { a: "b" })
      expect(process.cpuUsage(started).user / 1_000, piece).toBeLessThan(2_000)
    }
  })

  it("[TRG-5] a placeholder is between the closest two pairs of braces", () => {
    const body = { a: "A" }
    expect(fill("{{{{body.a}}}} {{{body.a}}} {{x {{body.a}}", body)).toBe("{{A}} {A} {{x A")
    expect(fill("{{body.a} {{ body.a\n}} {{a{b}}} }}{{", body)).toBe("{{body.a} A {{a{b}}} }}{{")
    expect(fill("{{  }} {{}}", body)).toBe("{{  }} {{}}")
    const long = `body.${"x".repeat(400)}`
    expect(fill(`{{${long}}}`, body)).toBe(`{{${long}}}`)
  })

  it("[TRG-5] is limited, each placeholder and the whole", () => {
    const long = "x".repeat(limits.hookValueLength * 3)
    expect(fill("{{body.a}}", { a: long })).toHaveLength(limits.hookValueLength)
    expect(fill("{{body.a}}".repeat(50), { a: long }).length).toBeLessThanOrEqual(limits.hookTextLength)
  })

  it("[SEC-5] whatever the input, the output can be stored", () => {
    const anything = fc.property(fc.string({ unit: "binary" }), fc.jsonValue(), (template, body) => {
      const text = fill(`{{body}} {{body.a}} ${template.toWellFormed().replaceAll("\0", "")}`, body as Json)
      expect(textDefect(text)).toBeUndefined()
      expect(text.length).toBeLessThanOrEqual(limits.hookTextLength)
    })
    fc.assert(anything, { numRuns: 300 })
  })
})
