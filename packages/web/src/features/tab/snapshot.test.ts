import { loadingState } from "@parlor/client"
import type { MessageId, MessageRow, StatusRow } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { SNAPSHOT_BYTES, SNAPSHOT_MESSAGES } from "./budgets.ts"
import { heldOf, snapshotOf } from "./snapshot.ts"

const row = (index: number, words = "hi") =>
  ({ id: `msg_${index}` as MessageId, ord: index, parts: [{ type: "text", text: words }] }) as unknown as MessageRow
const status = { title: "About crabs" } as StatusRow
const ids = (kept: ReturnType<typeof snapshotOf>) => kept?.messages.map(({ ord }) => ord)

describe("[TAB-2] the snapshot in the browser", () => {
  it("holds the newest messages, in order, and no more than allowed", () => {
    const messages = Array.from({ length: 50 }, (_, index) => row(index))
    const kept = snapshotOf("host/main", { status, messages }, 5)
    expect(ids(kept)).toEqual(messages.slice(-SNAPSHOT_MESSAGES).map(({ ord }) => ord))
    expect(kept?.asOf).toBe(5)
  })

  it("is bounded in bytes: a message that does not fit ends it, and one alone that does not makes none", () => {
    const huge = row(1, "x".repeat(SNAPSHOT_BYTES))
    expect(ids(snapshotOf("k", { status, messages: [row(0), huge, row(2), row(3)] }, 5))).toEqual([2, 3])
    expect(snapshotOf("k", { status, messages: [huge] }, 5)).toBeUndefined()
    expect(snapshotOf("k", { status, messages: [] }, 5)).toBeUndefined()
  })

  it("gives back a conversation that can be looked at, and nothing to act on", () => {
    const kept = snapshotOf("k", { status, messages: [row(1)] }, 5)
    expect(kept && heldOf(kept, loadingState)).toEqual({
      asOf: 5,
      state: { ...loadingState, phase: "ready", title: "About crabs", status, messages: [row(1)] },
    })
  })
})
