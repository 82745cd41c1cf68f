import type { AskRow } from "@parlor/protocol"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { ApprovalAnswer } from "./ApprovalAnswer.tsx"
import type { Json } from "./askView.ts"
import { FormAnswer } from "./FormAnswer.tsx"
import { FormField } from "./FormField.tsx"
import type { Field } from "./fields.ts"
import { QuestionAnswer } from "./QuestionAnswer.tsx"

const props = (ask: Partial<AskRow>, isSent = false) => ({
  ask: { title: "Which?", options: null, schema: null, ...ask } as AskRow,
  isSent,
  onAnswer: () => undefined,
  onDraft: () => undefined,
})
const form = (schema: Json, isSent = false) => renderToStaticMarkup(<FormAnswer {...props({ schema }, isSent)} />)
const field = (more: Partial<Field>): Field =>
  ({ name: "n", label: "Name", hint: "", required: true, initial: "", kind: "text", ...more }) as Field
const shown = (one: Field, wrong = false) =>
  renderToStaticMarkup(<FormField field={one} entry={one.initial} wrong={wrong} onEnter={() => undefined} />)

describe("answering a form", () => {
  it("[TRN-12] has a labelled field for each kind of thing", () => {
    const html = form({
      type: "object",
      properties: {
        name: { type: "string", title: "Name" },
        people: { type: "integer", default: 2 },
        place: { type: "string", enum: ["inside", "outside"] },
        quiet: { type: "boolean", default: true },
      },
      required: ["name"],
    })
    expect(html.match(/<label/g)).toHaveLength(4)
    expect(html).toMatch(/inputMode="decimal"[^>]*value="2"/)
    expect(html).toMatch(/<option value=""[^>]*>Choose…<\/option><option>inside<\/option><option>outside<\/option>/)
    expect(html).toMatch(/type="checkbox"[^>]*checked/)
    expect(html.match(/>optional</g)).toHaveLength(2)
  })

  it("[TRN-12] what has no fields is answered as JSON, with what it has to look like", () => {
    const html = form({ type: "object", properties: { list: { type: "array" } } })
    expect(html).toMatch(/Expected format.*&quot;array&quot;.*aria-label="Answer as JSON"/s)
    expect(form(null)).not.toContain("Expected format")
  })

  it("[TAB-27] a field that is wrong or has a hint says so to screen readers", () => {
    expect(shown(field({}), true)).toContain('aria-invalid="true"')
    expect(shown(field({}))).toContain('aria-required="true"')
    const html = shown(field({ hint: "As on the ticket" }))
    const described = /aria-describedby="([^"]+)"/.exec(html)?.[1]
    expect(html).toContain(`id="${described}"`)
    expect(shown(field({}))).not.toContain("aria-describedby")
    expect(shown(field({ kind: "yes-no", initial: true } as Partial<Field>))).not.toContain("aria-describedby")
  })
})

describe("answering otherwise", () => {
  it("[TRN-12] nothing can be pressed twice while the answer is on its way", () => {
    expect(renderToStaticMarkup(<ApprovalAnswer {...props({}, true)} />).match(/disabled=""/g)).toHaveLength(2)
    expect(renderToStaticMarkup(<ApprovalAnswer {...props({})} />)).not.toContain('disabled=""')
    const options = ["Tea", "Coffee"]
    expect(renderToStaticMarkup(<QuestionAnswer {...props({ options }, true)} />).match(/disabled=""/g)).toHaveLength(2)
    expect(form(null, true)).toContain('disabled=""')
  })

  it("[TRN-12] an empty answer cannot be sent", () => {
    expect(renderToStaticMarkup(<QuestionAnswer {...props({})} />)).toMatch(/type="submit"[^>]*disabled/)
  })
})
