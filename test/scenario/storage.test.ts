/** What conversations take on disk, what opening a long feed costs, and what is deleted by age and count. */
import { execFile } from "node:child_process"
import { mkdtemp, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import type { Store } from "@parlor/core"
import { finish, MemoryStore, type Script, says } from "@parlor/core/testing"
import type { StreamId, TxId } from "@parlor/protocol"
import { feedRowWith } from "@parlor/protocol/testing"
import { systemClock } from "@parlor/server"
import { compactStore, openSqlite } from "@parlor/store"
import { afterEach, describe, expect, test } from "vitest"
import { address, openStage } from "./stage.ts"

const NO_GRACE = { graceMs: -60_000 }
const DAY_MS = 24 * 60 * 60_000
const bin = join(import.meta.dirname, "../../packages/cli/dist/bin.js")
const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "parlor-storage-"))
  folders.push(folder)
  return folder
}

describe("[LOG-39] a day after a turn", () => {
  test.each([
    { tokens: 200, most: 8 * 1024 },
    { tokens: 5, most: 4 * 1024 },
  ])("$tokens tokens take at most $most bytes on disk", { timeout: 120_000 }, async ({ tokens, most }) => {
    const folder = await newFolder()
    const path = join(folder, "parlor.db")
    const turns = async (count: number) => {
      const stage = await openStage({ folder, fallback: words(tokens) })
      for (let n = 0; n < count; n++) {
        await stage.send(`Question ${n}: what is new today?`)
        await stage.idle()
      }
      await stage.close()
    }
    await turns(10)
    const { file: first } = await compactStore({ path }, NO_GRACE)
    await turns(40)
    const before = (await stat(path)).size
    const { file, events } = await compactStore({ path }, NO_GRACE)
    const perTurn = ((file?.after ?? 0) - (first?.after ?? 0)) / 40
    console.info(`${tokens} tokens: ${Math.round((before - (first?.after ?? 0)) / 40)} bytes before, ${perTurn} after`)
    expect(events).toBeGreaterThan(0)
    expect(perTurn).toBeGreaterThan(0)
    expect(perTurn).toBeLessThanOrEqual(most)
  })

  test("parlor compact-store says what it freed, and refuses while a server runs", { timeout: 60_000 }, async () => {
    const folder = await newFolder()
    const stage = await openStage({ folder, scripts: [words(100)] })
    await stage.send("Go")
    await stage.idle()
    const rows = await stage.rows()
    const run = (...more: string[]) =>
      promisify(execFile)(process.execPath, [bin, "compact-store", ...more], {
        env: { PATH: process.env.PATH, PARLOR_DATA: folder },
      })
    await expect(run("--now")).rejects.toMatchObject({ code: expect.any(Number), stderr: expect.stringMatching(/\w/) })
    await stage.close()
    const { stdout, stderr } = await run("--now")
    expect(stdout + stderr).toMatch(/^Dropped \d+ events \(.+\) .+\nThe file had .+ and has .+ freed\.\n$/)
    const again = await openStage({ folder })
    expect(await again.rows()).toEqual(rows)
    expect((await again.log()).filter(({ type }) => type === "deltas")).toEqual([])
    await again.close()
  })
})

test("[LOG-37] opening a feed with 100,000 past events costs at most 1.5 times one with 100", {
  timeout: 120_000,
}, async () => {
  const store = await openSqlite({ path: join(await newFolder(), "parlor.db") })
  try {
    const [short, long] = [await feedOf(store, "ann", 100), await feedOf(store, "bob", 100_000)]
    while ((await store.log.trim(NO_GRACE)).more);
    const best = { short: Number.POSITIVE_INFINITY, long: Number.POSITIVE_INFINITY }
    for (let n = 0; n < 200; n++) {
      best.short = Math.min(best.short, await opening(store, short))
      best.long = Math.min(best.long, await opening(store, long))
    }
    console.info(`opening: ${best.short.toFixed(2)} ms with 100 events, ${best.long.toFixed(2)} ms with 100,000`)
    expect(best.long).toBeLessThanOrEqual(best.short * 1.5)
  } finally {
    await store.close()
  }
})

describe("[LOG-40] conversations that are no longer kept", () => {
  test("are deleted by age and count, oldest first, and the audit names them", async () => {
    const store = new MemoryStore(systemClock)
    const stage = await openStage({ store, fallback: says("Yes."), agent: { retention: { conversations: 2 } } })
    const branches = ["main", "b", "c", "d"]
    for (const branch of branches) await talk(branch)
    await stage.runtime.mark({ ...address, branch: "main" }, { pinned: true }, stage.runtime.txid())
    await stage.runtime.retain()
    expect(await kept()).toEqual(["c", "d", "main"])
    expect(store.audit.filter(({ act }) => act === "conversation.expired").map(({ subject }) => subject)).toEqual([
      "crab/b",
    ])
    await stage.runtime.retain()
    expect(await kept()).toEqual(["c", "d", "main"])
    await stage.close()

    async function talk(branch: string) {
      const to = { ...address, branch }
      if (branch !== "main") await stage.runtime.make(to, stage.runtime.txid())
      const payload = { source: "Hi" }
      const txid = stage.runtime.txid()
      await stage.runtime.send(to, { type: "composer_input", payload, mode: "immediate", source: "person", txid })
      await expect.poll(async () => (await stage.runtime.snapshot(to, { messages: 9 })).messages.length).toBe(2)
      await expect.poll(async () => (await stage.runtime.snapshot(to, { messages: 1 })).status.state).toBe("idle")
    }
    async function kept() {
      const found = await Promise.all(
        branches.map(async (branch) =>
          (await store.log.find({ kind: "conversation", ...address, branch })) ? branch : "",
        ),
      )
      return found.filter((branch) => branch !== "").sort()
    }
  })

  test("stay by default, and by age until their time has come", async () => {
    const store = new MemoryStore({ ...systemClock, now: () => Date.now() + late })
    let late = 0
    const stage = await openStage({ store, fallback: says("Yes."), settings: { retention: { days: 30 } } })
    await stage.send("Hi")
    await stage.idle()
    await stage.runtime.retain()
    expect(await store.log.find({ kind: "conversation", ...address })).toBeDefined()
    late = 31 * DAY_MS
    await stage.runtime.retain()
    expect(await store.log.find({ kind: "conversation", ...address })).toBeUndefined()
    await stage.close()
  })
})

function words(count: number): Script {
  return [...Array.from({ length: count }, (_, n) => ({ type: "text", text: `w${n % 90} ` }) as const), finish()]
}

/** A feed of ten conversations. */
async function feedOf(store: Store, person: string, events: number): Promise<StreamId> {
  const { id } = await store.log.ensure({ kind: "feed", person })
  for (let from = 0; from < events; from += 100) {
    const changes = Array.from({ length: 100 }, (_, n) => ({
      collection: "conversations" as const,
      key: `host/c${n % 10}`,
      operation: from === 0 && n < 10 ? ("insert" as const) : ("update" as const),
      value: JSON.stringify(feedRowWith({ branch: `c${n % 10}`, activityAt: from + n })),
      ord: from + n,
    }))
    await store.log.commit([{ stream: id, changes, txid: "tx" as TxId, at: from }])
  }
  return id
}

/** Its rows, and its log from the beginning, as readers open it. */
async function opening(store: Store, feed: StreamId): Promise<number> {
  const began = performance.now()
  const read = await store.log.read(feed, [{ collection: "conversations" }])
  let after = 0
  for (let head = 1; after < head; ) {
    const page = await store.log.events(feed, after, { count: 1_000, bytes: 1024 * 1024 })
    head = page?.head ?? 0
    after = page?.changes.at(-1)?.seq ?? head
  }
  expect(read?.lists[0]).toHaveLength(10)
  return performance.now() - began
}
