import type { LiveConversation } from "@parlor/client"
import { COMPOSER_INPUT, type QueueRow, type SendBody } from "@parlor/protocol"
import { queuedWith } from "@parlor/protocol/testing"
import { describe, expect, it, vi } from "vitest"
import { change, putBack } from "./change.ts"
import { takeLease } from "./takeLease.ts"
import { undoOf } from "./undo.ts"

const row = (id: string, more: Partial<QueueRow> = {}) => queuedWith(id, { payload: { source: id }, ...more })

/** A conversation that does what it is told a moment later, as one over a wire does. */
function conversation(first: readonly QueueRow[]) {
  let queue = first
  const told: unknown[] = []
  const listeners = new Set<() => void>()
  const later = (next: readonly QueueRow[]) =>
    queueMicrotask(() => {
      queue = next
      for (const listener of listeners) listener()
    })
  const lease = { row: row("a"), save: vi.fn(async () => row("a")), release: vi.fn(async () => undefined) }
  const live = {
    getState: () => ({ queue, slashCommands: [] }),
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    edit: async (id: string, edit: object) => {
      told.push([id, edit])
      later(queue.map((one) => (one.id === id ? { ...one, version: one.version + 1 } : one)))
    },
    send: async (body: SendBody) => {
      told.push(body)
      later([...queue, row("new", { mode: "paused" })])
      return { message: "new" }
    },
    lease: async () => lease,
  }
  return { live: live as unknown as LiveConversation, told, lease, listeners }
}

describe("changing what waits", () => {
  it("[QUE-7] is done to the version one sees, and waits until it is seen here", async () => {
    const { live, told, listeners } = conversation([row("a"), row("b")])
    await change(live, "b", { before: "a" })
    await change(live, "b", { mode: "paused" })
    expect(told).toEqual([
      ["b", { before: "a", version: 1 }],
      ["b", { mode: "paused", version: 2 }],
    ])
    expect(listeners.size).toBe(0)
  })

  it("[QUE-9] leaves alone what has gone", async () => {
    const { live, told } = conversation([row("a")])
    await change(live, "gone", { mode: "paused" })
    expect(told).toEqual([])
  })

  it("[TAB-8] a removed message comes back paused, then goes to its place and waits as before", async () => {
    const before = [row("a"), row("b"), row("c")]
    const undo = undoOf("b", before, "b")
    const { live, told } = conversation([row("a"), row("c")])
    if (undo !== undefined) await putBack(live, undo)
    expect(told).toEqual([
      { type: COMPOSER_INPUT, payload: { source: "b" }, mode: "paused" },
      ["new", { mode: "queued", before: "c", version: 1 }],
    ])
  })

  it("[TAB-8] one that was paused stays so, and the only one has no place to go to", async () => {
    const undo = undoOf("b", [row("b", { mode: "paused" })], "b")
    const { live, told } = conversation([])
    if (undo !== undefined) await putBack(live, undo)
    expect(told).toHaveLength(1)
  })
})

describe("an edit lease", () => {
  it("[QUE-8] saves through the lease while the version is the one it began with", async () => {
    const { live, lease, told } = conversation([row("a")])
    const held = takeLease(live, "a")
    await held.save("new words", 1)
    held.release()
    expect(lease.save).toHaveBeenCalledWith({ text: "new words" })
    expect(lease.release).not.toHaveBeenCalled()
    expect(told).toEqual([])
  })

  it("[QUE-7] saves over another window's change only as an edit of that version", async () => {
    const { live, lease, told } = conversation([row("a", { version: 4 })])
    await takeLease(live, "a").save("mine", 4)
    expect(told).toEqual([["a", { text: "mine", version: 4 }]])
    expect(lease.save).not.toHaveBeenCalled()
    await vi.waitFor(() => expect(lease.release).toHaveBeenCalledTimes(1))
  })

  it("[QUE-8] is let go once, however often it is asked to be", async () => {
    const { live, lease } = conversation([row("a")])
    const held = takeLease(live, "a")
    held.release()
    held.release()
    await vi.waitFor(() => expect(lease.release).toHaveBeenCalledTimes(1))
  })
})
