import type { Clock } from "@parlor/core"
import { FakeClock, MemoryStore } from "@parlor/core/testing"
import { Fault, type StreamId } from "@parlor/protocol"
import { describe, expect, test } from "vitest"
import { storeContract } from "./contract.ts"
import { allEvents, append, change, commitOne, committed, delta, message, newConversation } from "./fixtures.ts"

const realClock: Clock = {
  now: () => Date.now(),
  after: (ms, call) => {
    const timer = setTimeout(call, ms)
    return () => clearTimeout(timer)
  },
}

storeContract("memory", async () => {
  const store = new MemoryStore(realClock)
  return { store, readAudit: async () => store.audit, dispose: () => store.close() }
})

describe("store in memory", () => {
  test("leases use the given clock", async () => {
    const clock = new FakeClock()
    const store = new MemoryStore(clock)
    const { id } = await newConversation(store)
    const claim = (owner: string) => append(id, [], { lease: { kind: "claim", owner, ttlMs: 1_000 }, active: true })
    await committed(store, claim("a"))
    await clock.advance(999)
    expect(await commitOne(store, claim("b"))).toEqual({ ok: false, why: "owned" })
    expect(await store.log.orphans(9)).toEqual([])
    await clock.advance(1)
    expect(await store.log.orphans(9)).toHaveLength(1)
    expect(await committed(store, claim("b"))).toMatchObject({ epoch: 2 })
  })

  test("a commit fails before or after it was carried out, depending on the hook", async () => {
    const store = new MemoryStore(new FakeClock())
    const { id } = await newConversation(store)
    const { epoch } = await committed(store, append(id, [], { lease: { kind: "claim", owner: "a", ttlMs: 1 } }))
    const one = append(id, [delta("m", 0)], { epoch, batch: 1 })
    store.hooks = { beforeCommit: () => "fail" }
    await expect(store.log.commit([one])).rejects.toBeInstanceOf(Fault)
    expect(await allEvents(store, id)).toEqual([])
    store.hooks = { beforeCommit: (batch) => (batch.includes(one) ? "fail-after" : undefined) }
    await expect(store.log.commit([one])).rejects.toBeInstanceOf(Fault)
    store.hooks = {}
    expect(await committed(store, one)).toMatchObject({ head: 1, skipped: true })
  })

  test("an append that cannot be written affects nothing else and leaves nothing of its batch", async () => {
    const store = new MemoryStore(new FakeClock())
    const { id } = await newConversation(store)
    await expect(
      store.log.commit([append(id, [change("queue", "a")]), append(id, [change("deltas", "bad")])]),
    ).rejects.toThrow()
    expect(store.dump(id)).toEqual({ events: [], rows: [] })
  })

  test("others commit while one waits, before it writes and after", async () => {
    const store = new MemoryStore(new FakeClock())
    const { id } = await newConversation(store)
    const waiting: (() => void)[] = []
    const slow = store.node({ latency: () => new Promise((resolve) => waiting.push(resolve)) })
    const late = commitOne(slow, append(id, [change("queue", "slow")], { expect: 1 }))
    await committed(store, append(id, [change("queue", "fast")]))
    waiting.shift()?.()
    await Promise.resolve()
    await Promise.resolve()
    expect((await allEvents(store, id)).map((event) => event.key)).toEqual(["fast", "slow"])
    waiting.shift()?.()
    expect(await late).toMatchObject({ ok: true, head: 2 })
  })

  test("what is read may be outdated when it arrives", async () => {
    const store = new MemoryStore(new FakeClock())
    const { id } = await newConversation(store)
    let arrive = () => {}
    const far = store.node({ readLatency: () => new Promise((resolve) => (arrive = resolve)) })
    const page = far.log.events(id, 0, { count: 9, bytes: 9 })
    await committed(store, append(id, [delta("m", 0)]))
    arrive()
    expect(await page).toEqual({ head: 0, changes: [] })
  })

  test("a node is notified of others' writes, coalesced, and not of its own", async () => {
    const clock = new FakeClock()
    const store = new MemoryStore(clock)
    const [a, b] = [store.node(), store.node({ bellMs: () => 1_000 })]
    const { id, key } = await newConversation(store)
    const feed = await store.log.ensure({ kind: "feed", person: key.person })
    const told: Record<string, (readonly StreamId[])[]> = { a: [], b: [], all: [] }
    for (const [name, node] of Object.entries({ a, b, all: store }))
      node.watch(
        () => [],
        (streams) => told[name]?.push(streams),
      )
    await committed(
      a,
      append(id, [delta("m", 0)], { feed: { stream: feed.id, changes: [change("conversations", "x")] } }),
    )
    await committed(a, append(id, [delta("m", 1)]))
    await clock.advance(5)
    expect(told).toEqual({ a: [], b: [], all: [[id, feed.id]] })
    await clock.advance(995)
    expect(told.b).toEqual([[id, feed.id]])
    await b.close()
    await committed(a, append(id, [delta("m", 2)]))
    await clock.advance(5_000)
    expect(told).toEqual({ a: [], b: [[id, feed.id]], all: [[id, feed.id], [id]] })
    expect(clock.waiting).toBe(0)
  })

  test("a dump contains the log and every row", async () => {
    const store = new MemoryStore(new FakeClock())
    const { id } = await newConversation(store)
    await committed(store, append(id, [message("b", 1), message("a", 2), delta("n", 0)]))
    const dump = store.dump(id)
    expect(dump?.events.map((event) => event.seq)).toEqual([1, 2, 3])
    expect(dump?.rows.map((row) => row.key)).toEqual(["a", "b", "n/0/0"])
    expect(store.dump(999 as StreamId)).toBeUndefined()
  })
})
