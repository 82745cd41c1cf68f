import type { ArchiveRow, MessageId, MessageRow, NewChange, Part } from "@parlor/protocol"
import { messageWith } from "@parlor/protocol/testing"
import { describe, expect, it } from "vitest"
import { rowChange } from "./row-change.ts"

describe("a change on its way to the store", () => {
  it("[CPT-7] a complete message is found by its text, not by reasoning, tools or context", () => {
    const parts: Part[] = [
      { type: "reasoning", text: "thought" },
      { type: "text", text: "first" },
      { type: "tool", call: "c", name: "t", input: "in", state: "done", output: "out", error: null },
      { type: "context", kind: "k", title: "title", content: "content", metadata: null },
      { type: "text", text: "second" },
    ]
    for (const state of ["done", "truncated"] as const)
      expect(rowChange(said({ state, parts }))).toMatchObject({
        text: "first\nsecond",
        at: 7,
        ord: 3,
        dropsDeltasOf: "m",
      })
    expect(rowChange(said({ parts: parts.slice(0, 1) }))).toMatchObject({ text: null })
  })

  it("[CPT-7] messages that are streaming, failed or deleted are not found", () => {
    for (const state of ["streaming", "failed"] as const)
      expect(rowChange(said({ state, parts: [{ type: "text", text: "a" }] }))).not.toHaveProperty("text")
    expect(rowChange({ ...said({}), operation: "delete" })).not.toHaveProperty("text")
  })

  it("[CPT-7] an archive is found by title and summary until it is undone", () => {
    expect(rowChange(archived({}))).toMatchObject({ text: "Title\nSummary", at: 9, ord: 2 })
    expect(rowChange(archived({ ended: 5 }))).toMatchObject({ text: null })
  })
})

function said(rest: Partial<MessageRow>): Extract<NewChange, { collection: "messages" }> {
  const row = messageWith({ id: "m" as MessageId, ord: 3, at: 7, ...rest })
  return { collection: "messages", key: row.id, operation: "update", row }
}

function archived(rest: Partial<ArchiveRow>): NewChange {
  const row: ArchiveRow = {
    id: "a",
    from: "m" as MessageId,
    to: "m" as MessageId,
    fromOrd: 2,
    toOrd: 3,
    title: "Title",
    summary: "Summary",
    tokensBefore: 2,
    tokensAfter: 1,
    archivedAt: 9,
    madeOrd: null,
    began: 1,
    ended: null,
    ...rest,
  }
  return { collection: "archives", key: row.id, operation: "insert", row }
}
