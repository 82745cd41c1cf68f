import type { QueueRow } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { completedWaiting, isWhole, outlineOf, type Waiting } from "./waiting.ts"

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

  it("[QUE-17] rows of an older version are made whole, complete ones are taken as they are", () => {
    expect(completedWaiting(row)).toBe(row)
    const { payload: _, attachments: __, ...outline } = row
    expect(completedWaiting(outline)).toBe(outline)
    const { attachments: ___, ...oldest } = row
    expect(completedWaiting(oldest as Waiting)).toEqual({ ...row, attachments: [] })
    const untold = { id: "a", payload: null, attachments: [1] } as unknown as Waiting
    expect(completedWaiting(untold)).toEqual({ ...untold, trigger: null, editedFrom: null })
    expect(completedWaiting({ ...untold, trigger: null } as Waiting)).toMatchObject({
      editedFrom: null,
      attachments: [1],
    })
    expect(completedWaiting({ ...untold, editedFrom: null } as Waiting)).toMatchObject({ trigger: null })
    expect(completedWaiting({ id: "a" } as unknown as Waiting)).toEqual({ id: "a", trigger: null, editedFrom: null })
  })
})
