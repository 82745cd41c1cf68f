import { Fault, type StoredChange, type StreamId, type TxId } from "@parlor/protocol"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { silentLog } from "../ports/log.ts"
import type { Append, Appended } from "../ports/store.ts"
import { FakeClock } from "../testing/fake-clock.ts"
import { MemorySpool } from "../testing/memory-spool.ts"
import { Writer } from "./writer.ts"

const stream = 1 as StreamId

function append(text: string): Append {
  const change = {
    collection: "deltas",
    key: text,
    operation: "insert",
    value: `{"text":"${text}"}`,
    ord: null,
  } as const
  return { stream, changes: [change], txid: "tx" as TxId, at: 0 }
}

/** A store of one stream whose commits return when the test lets them. */
class SlowStore {
  readonly commits: (readonly Append[])[] = []
  readonly written: string[] = []
  readonly log = { commit: (batch: readonly Append[]) => this.#commit(batch) }
  down = false
  auto = true
  #release: (() => void)[] = []

  async #commit(batch: readonly Append[]): Promise<readonly Appended[]> {
    this.commits.push(batch)
    if (!this.auto) await new Promise<void>((resolve) => this.#release.push(resolve))
    if (this.down) throw new Fault("down")
    return batch.map((one) => {
      for (const change of one.changes) this.written.push(change.key)
      return { ok: true, head: this.written.length, control: 0, epoch: 1, feedHead: 0, skipped: false } as const
    })
  }

  release(): void {
    this.#release.shift()?.()
  }
}

function setUp() {
  const store = new SlowStore()
  const clock = new FakeClock()
  const spool = new MemorySpool()
  const seen: StoredChange[] = []
  const replayed: StreamId[][] = []
  const writer = new Writer({
    store,
    clock,
    spool,
    log: silentLog,
    publish: (_, changes) => seen.push(...changes),
    onReplayed: (streams) => replayed.push([...streams]),
  })
  return { store, clock, spool, seen, writer, replayed }
}

describe("the writer", () => {
  it("[LOG-11] does not wait when the store is idle, and commits together what arrived together", async () => {
    const { store, writer } = setUp()
    await Promise.all([writer.append(append("a")), writer.append(append("b"))])
    expect(store.commits.map((batch) => batch.length)).toEqual([2])
  })

  it("[LOG-11] what arrives during a commit shares the next one, right after it", async () => {
    const { store, writer } = setUp()
    store.auto = false
    const first = writer.append(append("a"))
    await Promise.resolve()
    const rest = [writer.append(append("b")), writer.append(append("c")), writer.append(append("d"))]
    expect(store.commits).toHaveLength(1)
    store.auto = true
    store.release()
    await Promise.all([first, ...rest])
    expect(store.commits.map((batch) => batch.length)).toEqual([1, 3])
  })

  it("[LOG-11] the next commit starts before the answers of the last one are handed out, in order", async () => {
    const { store, writer, seen } = setUp()
    store.auto = false
    const heard: string[] = []
    const noted = (name: string) => () => heard.push(`${name} of ${store.commits.length} after ${seen.length}`)
    const first = writer.append(append("a"), { onDurable: noted("a") })
    await Promise.resolve()
    const second = writer.append(append("b"), { onDurable: noted("b") })
    store.release()
    await first
    store.release()
    await second
    expect(heard).toEqual(["a of 2 after 1", "b of 2 after 2"])
  })

  it("[LOG-3] publishes an event only after its commit returned", async () => {
    const { store, writer, seen } = setUp()
    store.auto = false
    const done = writer.append(append("a"))
    await Promise.resolve()
    await Promise.resolve()
    expect(store.commits).toHaveLength(1)
    expect(seen).toEqual([])
    store.release()
    await done
    expect(seen.map((change) => [change.seq, change.key])).toEqual([[1, "a"]])
  })

  it("[LOG-12] rejects a command at once when the store is down", async () => {
    const { store, writer } = setUp()
    store.down = true
    await expect(writer.append(append("a"))).rejects.toBeInstanceOf(Fault)
    expect(store.commits).toHaveLength(1)
  })

  it("[LOG-12] retries a turn's writes after 1 s, 2 s and 4 s, then spools and replays them in order", async () => {
    const { store, clock, spool, writer, seen, replayed } = setUp()
    store.down = true
    const outcomes = ["a", "b"].map((text) =>
      writer.append(append(text), { keep: true }).then(
        () => "kept",
        () => "paused",
      ),
    )
    await clock.advance(0)
    expect(store.commits).toHaveLength(1)
    await clock.advance(999)
    expect(store.commits).toHaveLength(1)
    await clock.advance(1)
    expect(store.commits).toHaveLength(2)
    await clock.advance(2_000)
    expect(store.commits).toHaveLength(3)
    expect(spool.batches).toEqual([])
    await clock.advance(4_000)
    expect(store.commits).toHaveLength(4)
    expect(await Promise.all(outcomes)).toEqual(["paused", "paused"])
    expect(spool.batches.map((batch) => batch.changes[0]?.key)).toEqual(["a", "b"])
    store.down = false
    await clock.advance(2_000)
    expect(store.written).toEqual(["a", "b"])
    expect(seen.map((change) => change.key)).toEqual(["a", "b"])
    expect(spool.batches).toEqual([])
    expect(replayed).toEqual([[stream]])
    await writer.append(append("c"))
    expect(store.written).toEqual(["a", "b", "c"])
  })

  it("[LOG-18] starts even if the store is unavailable, and replays the spool when it is back", async () => {
    const { store, clock, spool, writer, replayed } = setUp()
    await spool.add([append("left")])
    store.down = true
    await writer.recover()
    await expect(writer.append(append("refused"))).rejects.toBeInstanceOf(Fault)
    await clock.advance(2_000)
    expect(store.written).toEqual([])
    store.down = false
    await clock.advance(2_000)
    expect(store.written).toEqual(["left"])
    expect(replayed).toEqual([[stream]])
    await writer.append(append("next"))
    expect(store.written).toEqual(["left", "next"])
  })

  it("[LOG-12] nothing overtakes a write that waits for a retry", async () => {
    const { store, clock, writer } = setUp()
    store.down = true
    const kept = writer.append(append("a"), { keep: true })
    await clock.advance(0)
    store.down = false
    await expect(writer.append(append("b"))).rejects.toBeInstanceOf(Fault)
    const later = writer.append(append("c"), { keep: true })
    await clock.advance(1_000)
    await Promise.all([kept, later])
    expect(store.written).toEqual(["a", "c"])
  })

  it("[LOG-12] what a turn said while a commit was failing stays behind what was in that commit", async () => {
    const { store, clock, writer } = setUp()
    store.auto = false
    store.down = true
    const first = writer.append(append("a"), { keep: true })
    await Promise.resolve()
    const rest = ["b", "c"].map((text) => writer.append(append(text), { keep: true }))
    store.release()
    await clock.advance(0)
    store.auto = true
    store.down = false
    await clock.advance(1_000)
    await Promise.all([first, ...rest])
    expect(store.commits).toHaveLength(2)
    expect(store.written).toEqual(["a", "b", "c"])
  })

  it("[LOG-1] keeps the order of arrival, whatever shares a commit", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 60 }), async (pauses) => {
        const { store, writer, seen } = setUp()
        const waiting: Promise<unknown>[] = []
        for (const [index, pause] of pauses.entries()) {
          waiting.push(writer.append(append(String(index))))
          for (let i = 0; i < pause; i++) await Promise.resolve()
        }
        await Promise.all(waiting)
        const expected = pauses.map((_, index) => String(index))
        expect(store.written).toEqual(expected)
        expect(seen.map((change) => change.key)).toEqual(expected)
        expect(seen.map((change) => change.seq)).toEqual(expected.map((_, index) => index + 1))
      }),
    )
  })
})
