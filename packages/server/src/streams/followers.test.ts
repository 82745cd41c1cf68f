import type { ServerResponse } from "node:http"
import { Hub } from "@parlor/core"
import { FakeClock } from "@parlor/core/testing"
import { limits, type StoredChange, type StreamId, type TxId } from "@parlor/protocol"
import { describe, expect, test, vi } from "vitest"
import { Out } from "../http/testing/out.ts"
import { Followers, type FollowersParts, type Reader } from "./followers.ts"
import type { Source } from "./source.ts"

const READER = { person: "ana", key: null, expiresAt: null }
const SOURCE: Source = {
  stream: 1 as StreamId,
  contentType: "application/json",
  encode: (changes) => changes.map(({ value }) => value).join(","),
}

describe("followers", () => {
  test("[LOG-13] a frame is encoded once and is the same bytes for everyone", async () => {
    const stage = openStage()
    const outs = [await stage.follow(), await stage.follow()]
    stage.append("1")
    const [first, second] = outs.map((out) => out.written.at(-1))
    expect(first?.toString()).toContain("data:[1]")
    expect(second).toBe(first)
  })

  test("[LOG-13] a live reader that does not read costs at most its buffer and one frame, and is disconnected in the end", async () => {
    const stage = openStage()
    const good = await stage.follow()
    const stalled = await stage.follow()
    stalled.stall()
    const frame = JSON.stringify("x".repeat(100_000))
    let most = 0
    for (let n = 0; n < 20; n++) {
      stage.append(frame)
      most = Math.max(most, stalled.writableLength)
    }
    expect(most).toBeGreaterThan(limits.readerBufferBytes / 2)
    expect(most).toBeLessThan(limits.readerBufferBytes + 2 * frame.length)
    expect(good.events()).toHaveLength(20)
    await vi.waitFor(() => expect(stalled.patienceMs).toBe(30_000))
    expect(stalled.destroyed).toBe(false)
    stalled.emit("timeout")
    await vi.waitFor(() => expect(stage.followers.size).toBe(1))
    expect(stalled.destroyed).toBe(true)
    expect(good.destroyed).toBe(false)
  })

  test("[LOG-13] a live reader overwhelmed by a burst gets all of it at its own pace, then is live again", async () => {
    const stage = openStage()
    const slow = await stage.follow()
    slow.stall()
    const text = "x".repeat(100_000)
    for (let n = 0; n < 20; n++) stage.append(JSON.stringify(`${n} ${text}`))
    expect(slow.writableLength).toBeLessThan(limits.readerBufferBytes + 2 * text.length)
    slow.resume()
    await vi.waitFor(() => expect(slow.events()).toHaveLength(20))
    expect(slow.events()).toEqual(Array.from({ length: 20 }, (_, n) => `${n} ${text}`))
    expect(slow.patienceMs).toBe(0)
    await vi.waitFor(() => {
      const before = slow.written.length
      stage.append('"live"')
      expect(slow.written.length).toBe(before + 1)
    })
    expect(slow.destroyed).toBe(false)
  })

  test("[LOG-13] a reader that is still reading its catch-up page is not disconnected by newer events", async () => {
    const stage = openStage()
    stage.append(JSON.stringify("x".repeat(2 * limits.readerBufferBytes)))
    const slow = new Out()
    slow.stall()
    await stage.followWith(slow)
    for (let n = 0; n < 3; n++) stage.append(String(n))
    expect(slow.destroyed).toBe(false)
    slow.resume()
    await vi.waitFor(() => expect(slow.events()).toHaveLength(4))
    expect(slow.events().slice(1)).toEqual([0, 1, 2])
    stage.append("3")
    expect(slow.events().at(-1)).toBe(3)
  })

  test("[LOG-6] a reader that missed a frame catches up from the log first", async () => {
    const stage = openStage()
    const out = await stage.follow()
    stage.append("1", { publish: false })
    stage.append("2")
    await vi.waitFor(() => expect(out.events()).toEqual([1, 2]))
    stage.append("3")
    expect(out.events()).toEqual([1, 2, 3])
  })
})

test("[ADR-4, SEC-4] readers under a name that was linked or unlinked on another node are disconnected within five seconds", async () => {
  const linked = new Map([["telegram:42", "ana"]])
  const stage = openStage({ linkedAmong: async () => linked })
  const [ana, phone, other] = [new Out(), new Out(), new Out()]
  await stage.followWith(ana)
  await stage.followWith(phone, { ...READER, linkedName: "telegram:42" })
  await stage.followWith(other, { ...READER, person: "telegram:43" })
  const cut = () => [ana, phone, other].map((out) => out.destroyed)
  await stage.clock.advance(5_000)
  expect(cut()).toEqual([false, false, false])
  linked.delete("telegram:42")
  linked.set("telegram:43", "bo")
  await stage.clock.advance(5_000)
  expect(cut()).toEqual([false, true, true])
})

function openStage({ linkedAmong = async () => new Map() }: Partial<Pick<FollowersParts, "linkedAmong">> = {}) {
  const hub = new Hub()
  const log: StoredChange[] = []
  const events = async (_stream: StreamId, after: number) => ({ head: log.length, changes: log.slice(after) })
  const runtime = { events, subscribe: hub.subscribe.bind(hub) }
  const clock = new FakeClock()
  const followers = new Followers({
    reading: { runtime, clock },
    goodKeys: async (hashes) => new Set(hashes),
    linkedAmong,
    stillShared: async (shares) => new Set(shares),
  })
  const stage = {
    followers,
    clock,
    append: (value: string, { publish = true } = {}) => {
      const txid = "tx_1" as TxId
      const change = {
        seq: log.length + 1,
        collection: "files",
        key: "1",
        operation: "update",
        value,
        txid,
        at: 0,
      } as const
      log.push(change)
      if (publish) hub.publish(SOURCE.stream, [change])
    },
    followWith: async (out: Out, reader: Reader = READER) => {
      const query = { offset: "-1", view: "log", messages: 1 } as const
      await followers.follow(SOURCE, query, out as unknown as ServerResponse, reader, {})
      await vi.waitFor(() => expect(out.written.length).toBeGreaterThan(0))
      return out
    },
    follow: () => stage.followWith(new Out()),
  }
  return stage
}
