import type { QueueRow } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { isWhole, outlineOf, parseWaiting, type Waiting } from "./waiting.ts"

const trigger = { kind: "webhook", headers: { a: "b" }, subject: "s" }
const row = { id: "a", payload: { source: "long" }, attachments: [], trigger, editedFrom: null } as unknown as QueueRow

describe("what is read of a waiting message", () => {
  it("[QUE-17] a long row has an outline without what it says, a short one has none", () => {
    expect(outlineOf(row, 1_024)).toBeUndefined()
    const outline = JSON.parse(outlineOf(row, 1_025) ?? "") as Waiting
    expect(outline).toEqual({ id: "a", trigger: { kind: "webhook", headers: null, subject: null }, editedFrom: null })
    expect(isWhole(outline)).toBe(false)
    expect(isWhole(row)).toBe(true)
  })

  it("[LOG-35] rows and outlines of an older version are made whole; an outline gets no content", () => {
    const parsed = (value: object) => parseWaiting(JSON.stringify(value))
    const complete = { ...row, guests: [], lease: null }
    expect(parsed(complete)).toEqual(complete)
    const { payload: _, attachments: __, ...outline } = complete
    expect(parsed(outline)).toEqual(outline)
    expect(parsed({ id: "a" })).toEqual({ id: "a", guests: [], lease: null, trigger: null, editedFrom: null })
    const old = { id: "a", payload: null, attachments: [1] }
    expect(parsed(old)).toEqual({ ...old, guests: [], lease: null, trigger: null, editedFrom: null })
    expect(parsed({ id: "a", payload: null })).toMatchObject({ attachments: [] })
  })
})
