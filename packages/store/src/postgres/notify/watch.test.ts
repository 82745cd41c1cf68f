import { spawn } from "node:child_process"
import { once } from "node:events"
import type { Store } from "@parlor/core"
import type { StreamId } from "@parlor/protocol"
import pg from "pg"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { type FreshDatabase, freshDatabase } from "../../../../../test/support/postgres.ts"
import { startBellProxy } from "../../../test/bell-proxy.ts"
import { append, audit, change, committed, delta, newConversation } from "../../../test/fixtures.ts"
import { openPostgres, type PostgresOptions } from "../open.ts"
import { BELL_NAME } from "./bell.ts"

const built = new URL("../../../dist/index.js", import.meta.url).href
const QUICK = { pollMs: 200 }
/** Longer than a quick poll takes. */
const LOOKED_MS = 400

describe("PostgreSQL: watching", () => {
  let database: FreshDatabase
  let admin: pg.Client
  const stores: Store[] = []

  beforeEach(async () => {
    database = await freshDatabase()
    admin = new pg.Client({ connectionString: database.url })
    await admin.connect()
  })
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close()
    await admin.end()
    await database.drop()
  })

  async function open(options: Partial<PostgresOptions> = {}): Promise<Store> {
    const store = await openPostgres({ url: database.url, ...options })
    stores.push(store)
    return store
  }

  /** Every notification, with its time; `watched` may grow. */
  function watch(store: Store, watched: StreamId[]) {
    const told: { readonly stream: StreamId; readonly at: number }[] = []
    const end = store.watch?.(
      () => watched,
      (streams) => told.push(...streams.map((stream) => ({ stream, at: performance.now() }))),
    )
    return { told, end: () => end?.(), streams: () => told.map((each) => each.stream) }
  }

  async function bells(): Promise<number[]> {
    const { rows } = await admin.query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database() AND query <> ''",
      [BELL_NAME],
    )
    return rows.map((row) => row.pid)
  }

  /** This many bells are listening, and their first notifications have arrived. */
  async function settled(count: number, lookedMs = LOOKED_MS): Promise<void> {
    await vi.waitFor(async () => expect(await bells()).toHaveLength(count), { timeout: 10_000, interval: 20 })
    await pause(lookedMs)
  }

  test("a commit on one node is soon reported to the other, including feeds; a node is not notified of its own", async () => {
    const [a, b] = [await open(QUICK), await open(QUICK)]
    const { id, key } = await newConversation(a)
    const feed = await a.log.ensure({ kind: "feed", person: key.person })
    const [onA, onB] = [watch(a, [id, feed.id]), watch(b, [id, feed.id])]
    await settled(2)
    const before = onA.told.length
    const latencies: number[] = []
    for (let n = 0; n < 30; n++) {
      onB.told.length = 0
      const fed = { stream: feed.id, changes: [change("conversations", `c${n}`)] }
      await committed(a, append(id, [delta("m", n)], { feed: fed }))
      const at = performance.now()
      await vi.waitFor(() => expect(onB.streams()).toEqual(expect.arrayContaining([id, feed.id])), { interval: 1 })
      latencies.push((onB.told.at(-1)?.at ?? 0) - at)
      await pause(30)
    }
    latencies.sort((x, y) => x - y)
    console.info(`told after ${latencies[15]?.toFixed(1)} ms (median), ${latencies[29]?.toFixed(1)} ms (worst)`)
    expect(latencies[15]).toBeLessThan(200)
    onB.told.length = 0
    await pause(LOOKED_MS)
    expect(onA.told).toHaveLength(before)
    expect(onB.told).toEqual([])
  }, 30_000)

  test("a removed conversation is reported", async () => {
    const [a, b] = [await open(QUICK), await open(QUICK)]
    const { id } = await newConversation(a)
    const [onA, onB] = [watch(a, [id]), watch(b, [id])]
    await settled(2)
    onA.told.length = 0
    onB.told.length = 0
    await a.log.remove(id, { audit })
    await vi.waitFor(() => expect(onB.streams()).toEqual([id]))
    await pause(LOOKED_MS)
    expect([onA.streams(), onB.streams()]).toEqual([[], [id]])
  })

  test("what a node wrote just before it closes is reported", async () => {
    // Polling would take a minute.
    const [a, b] = [await open(), await open({ pollMs: 60_000 })]
    const { id } = await newConversation(a)
    const onB = watch(b, [id])
    watch(a, [])
    await settled(2)
    onB.told.length = 0
    for (let n = 0; n < 3; n++) await committed(a, append(id, [delta("m", n)]))
    const other = await newConversation(a)
    await committed(a, append(other.id, [], { lease: { kind: "release" } }))
    await a.close()
    await vi.waitFor(() => expect(onB.streams()).toEqual(expect.arrayContaining([id, other.id])))
  })

  test("[TRN-19] a stream that one node offers reaches the others, even when it closes at once", async () => {
    const [a, b] = [await open(), await open({ pollMs: 60_000 })]
    const offered: StreamId[][] = [[], []]
    for (const [index, store] of [a, b].entries())
      store.watch?.(
        () => [],
        () => {},
        (streams) => offered[index]?.push(...streams),
      )
    await settled(2)
    const [first, second] = [await newConversation(a), await newConversation(a)]
    a.offer?.(first.id)
    await vi.waitFor(() => expect(offered[1]).toEqual([first.id]))
    a.offer?.(second.id)
    await a.close()
    await vi.waitFor(() => expect(offered[1]).toEqual([first.id, second.id]))
    expect(offered[0]).toEqual([])
  })

  test("a thousand commits take far fewer notifications, and the last one arrives", async () => {
    const [a, b] = [await open(QUICK), await open(QUICK)]
    const streams = await Promise.all(Array.from({ length: 20 }, () => newConversation(a)))
    const onB = watch(
      b,
      streams.map((stream) => stream.id),
    )
    watch(a, [])
    await settled(2)
    let notices = 0
    admin.on("notification", () => notices++)
    await admin.query("LISTEN parlor")
    const started = performance.now()
    for (let n = 0; n < 50; n++)
      await Promise.all(streams.map(({ id }) => committed(a, append(id, [change("queue", `k${n}`)]))))
    const tookMs = performance.now() - started
    onB.told.length = 0
    await committed(a, append(streams[0]?.id ?? (0 as StreamId), [change("queue", "last")]))
    await vi.waitFor(() => expect(onB.streams()).toContain(streams[0]?.id))
    console.info(`1,000 commits in ${tookMs.toFixed(0)} ms, ${notices} notices`)
    expect(notices).toBeGreaterThan(0)
    expect(notices).toBeLessThanOrEqual(tookMs / 8 + 10)
    expect(notices).toBeLessThan(500)
  }, 30_000)

  test("too many streams to name: everything that is watched counts as changed", async () => {
    const [a, b] = [await open(QUICK), await open(QUICK)]
    const streams = await Promise.all(Array.from({ length: 2_100 }, () => newConversation(a)))
    const ids = streams.map((stream) => stream.id)
    const onB = watch(b, ids.slice(0, 3))
    watch(a, [])
    await settled(2)
    onB.told.length = 0
    await a.log.commit(ids.map((id) => append(id, [delta("m", 0)])))
    await vi.waitFor(() => expect(new Set(onB.streams())).toEqual(new Set(ids.slice(0, 3))))
  }, 30_000)

  test("nothing is sent or received before watching; polling makes up for a lost notification", async () => {
    const [a, b] = [await open(QUICK), await open(QUICK)]
    const { id } = await newConversation(a)
    let notices = 0
    admin.on("notification", () => notices++)
    await admin.query("LISTEN parlor")
    await committed(a, append(id, [delta("m", 0)]))
    expect(await bells()).toEqual([])
    const onB = watch(b, [id])
    await settled(1)
    onB.told.length = 0
    await committed(a, append(id, [delta("m", 1)]))
    await vi.waitFor(() => expect(onB.streams()).toEqual([id]))
    await pause(LOOKED_MS)
    expect(onB.streams()).toEqual([id])
    expect(notices).toBe(0)
    onB.end()
    await vi.waitFor(async () => expect(await bells()).toEqual([]))
    await committed(a, append(id, [delta("m", 2)]))
    await pause(LOOKED_MS)
    expect(onB.streams()).toEqual([id])
  }, 20_000)

  test("what another wrote just before we did is not lost behind our own write", async () => {
    const [a, b] = [await open(QUICK), await open(QUICK)]
    const { id } = await newConversation(a)
    const onB = watch(b, [id])
    await settled(1)
    onB.told.length = 0
    await committed(a, append(id, [delta("m", 0)]))
    await committed(b, append(id, [delta("m", 1)]))
    await vi.waitFor(() => expect(onB.streams()).toEqual([id]))
  })

  test("while the bell's connection keeps breaking, polling takes over; then the bell works again", async () => {
    const [a, b] = [await open(), await open()]
    const { id } = await newConversation(a)
    const onB = watch(b, [id])
    watch(a, [])
    await settled(2, 1_300)
    const kill = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = $1 AND datname = current_database()`
    const killer = setInterval(() => void admin.query(kill, [BELL_NAME]), 20)
    for (let n = 0; n < 3; n++) {
      onB.told.length = 0
      await committed(a, append(id, [delta("m", n)]))
      await vi.waitFor(() => expect(onB.streams()).toContain(id))
    }
    clearInterval(killer)
    await settled(2, 1_300)
    const began = performance.now()
    for (let n = 3; n < 13; n++) {
      onB.told.length = 0
      await committed(a, append(id, [delta("m", n)]))
      await vi.waitFor(() => expect(onB.streams()).toContain(id), { interval: 2 })
    }
    // Ten polls would take ten seconds.
    expect(performance.now() - began).toBeLessThan(5_000)
  }, 30_000)

  test("a bell whose network went silent is replaced, and polling bridges the gap", async () => {
    const silent = await startBellProxy(database.url)
    const [a, b] = [await open(), await open({ url: silent.url })]
    try {
      const { id } = await newConversation(a)
      const onB = watch(b, [id])
      watch(a, [])
      await settled(2, 1_300)
      const soon = async (n: number, timeout: number) => {
        onB.told.length = 0
        await committed(a, append(id, [delta("m", n)]))
        await vi.waitFor(() => expect(onB.streams()).toContain(id), { timeout, interval: 2 })
      }
      await soon(0, 900)
      silent.swallow()
      await soon(1, 2_500)
      const began = performance.now()
      await vi.waitFor(() => expect(silent.bells()).toBe(2), { timeout: 10_000 })
      console.info(`a silent connection was replaced after ${((performance.now() - began) / 1_000).toFixed(1)} s`)
      await pause(1_300)
      const again = performance.now()
      for (let n = 2; n < 7; n++) await soon(n, 900)
      expect(performance.now() - again).toBeLessThan(2_500)
    } finally {
      await b.close()
      await silent.close()
    }
  }, 30_000)

  test("a closed store keeps no process alive, and no connection", async () => {
    const script = `
      const { openPostgres } = await import(${JSON.stringify(built)})
      const store = await openPostgres({ url: ${JSON.stringify(database.url)} })
      const { id } = await store.log.ensure({ kind: "feed", person: "p" })
      store.watch(() => [id], () => undefined)
      await new Promise((resolve) => setTimeout(resolve, Number(process.argv[1])))
      await store.log.commit([{ stream: id, changes: [], txid: "tx", at: 1 }])
      await store.close()
      console.log("closed")`
    for (const waitMs of [0, 300]) {
      const child = spawn(process.execPath, ["--input-type=module", "-e", script, String(waitMs)])
      let said = ""
      let closedAt = 0
      child.stdout.on("data", (text) => {
        said += text
        closedAt = performance.now()
      })
      const [code] = await once(child, "exit")
      expect([code, said]).toEqual([0, "closed\n"])
      expect(performance.now() - closedAt).toBeLessThan(2_000)
    }
    await vi.waitFor(async () => expect(await bells()).toEqual([]))
  })
})

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
