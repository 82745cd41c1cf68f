/** What an unattended agent has in the database outlives its process, on both stores: its retry, its declared triggers. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Agent, createRuntime, type DeclaredTriggers, ModelFault, type Store, silentLog } from "@parlor/core"
import { MemorySpool, type Script, says, scriptedModel, testSeal } from "@parlor/core/testing"
import { randomIds, systemClock, systemRandom } from "@parlor/server"
import { openPostgres, openSqlite } from "@parlor/store"
import { afterEach, describe, expect, test } from "vitest"
import { freshDatabase } from "../support/postgres.ts"

const WAIT = { timeout: 60_000, interval: 20 }
const address = { agent: "crab", person: "ana", branch: "main" } as const
const busy: Script = [new ModelFault("Too many requests.", { transient: true })]

type Opened = { open(): Promise<Store>; close(): Promise<void> }

const kinds: Readonly<Record<string, () => Promise<Opened>>> = {
  sqlite: async () => {
    const folder = await mkdtemp(join(tmpdir(), "parlor-held-"))
    return {
      open: () => openSqlite({ path: join(folder, "parlor.db") }),
      close: () => rm(folder, { recursive: true, force: true }),
    }
  },
  postgres: async () => {
    const database = await freshDatabase()
    return { open: () => openPostgres({ url: database.url }), close: () => database.drop() }
  },
}

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function start(store: Store, scripts: readonly Script[] = []) {
  const model = scriptedModel(scripts)
  const agent: Agent = { name: "crab", description: "", instructions: "", model, tools: [], slashCommands: [] }
  const runtime = createRuntime({
    store,
    clock: systemClock,
    seal: testSeal,
    spool: new MemorySpool(),
    ids: randomIds(systemClock),
    random: systemRandom,
    log: silentLog,
    agents: [agent],
    settings: {
      drainDelayMs: 5,
      sweepMs: 50,
      retry: { tries: 1, baseMs: 1, maxMs: 1 },
      errorHold: { baseMs: 1_500, maxMs: 1_500, tries: 2 },
    },
  })
  await runtime.start()
  return { runtime, model }
}

describe.each(Object.entries(kinds))("on %s", (_, make) => {
  test("[QUE-23] a message that is to be tried again is, by the next process, and not before its time", async () => {
    const opened = await make()
    ends.push(opened.close)
    const store = await opened.open()
    const first = await start(store, [busy])
    const message = {
      type: "composer_input",
      payload: { source: "ring" },
      mode: "immediate",
      source: "webhook",
    } as const
    const none = { scheduleId: null, deliveryId: "d1", headers: null, subject: null }
    const trigger = { source: "webhook", firedAt: 0, ...none } as const
    await first.runtime.send(address, { ...message, trigger, txid: first.runtime.txid() })
    const look = () => first.runtime.snapshot(address, { messages: 10 })
    await expect.poll(async () => (await look()).status.again?.tries, WAIT).toBe(1)
    const { again } = (await look()).status
    await first.runtime.close()
    await store.close()
    const reopened = await opened.open()
    ends.push(() => reopened.close())
    const next = await start(reopened, [says("Answered.")])
    ends.push(() => next.runtime.close())
    const now = () => next.runtime.snapshot(address, { messages: 10 })
    await expect.poll(async () => (await now()).status.again, WAIT).toBeNull()
    expect(await reopened.now()).toBeGreaterThanOrEqual(again?.at ?? Number.POSITIVE_INFINITY)
    expect(next.model.requests).toHaveLength(1)
    const { status, messages } = await now()
    expect(status).toMatchObject({ state: "idle", held: null, failures: 0 })
    expect(JSON.stringify(messages.at(-1))).toContain("Answered.")
  })

  test("[TRG-11] [TRG-13] declared triggers are set up once by two processes, changed, and removed", async () => {
    const opened = await make()
    ends.push(opened.close)
    const store = await opened.open()
    ends.push(() => store.close())
    const [a, b] = [await start(store), await start(store)]
    for (const { runtime } of [a, b]) ends.push(() => runtime.close())
    const declared = (text: string): DeclaredTriggers => ({
      schedules: [
        {
          ...{ name: "report", person: "ana", agent: "crab", branch: "main", missed: "once" },
          ...{ when: { everyMs: 3_600_000 }, type: "composer_input", payload: { source: text } },
        },
      ],
      hooks: [
        {
          ...{ name: "ci", person: "ana", agent: "crab", branch: "main", style: "github", perMinute: 60 },
          ...{ template: text, type: null, secret: "a secret of GitHub" },
        },
      ],
      notices: [],
    })
    const both = (now: DeclaredTriggers) => Promise.all([a, b].map(({ runtime }) => runtime.reconcileTriggers(now)))
    const stored = async () => Promise.all(["schedule-report", "hook-ci"].map((id) => store.triggers.get(id)))
    await both(declared("One."))
    expect((await stored()).map((one) => one?.version)).toEqual([1, 1])
    await both(declared("Two."))
    expect((await stored()).map((one) => one?.version)).toEqual([2, 2])
    expect(await a.runtime.listSchedules("ana")).toMatchObject([{ payload: { source: "Two." }, declared: true }])
    const removed = await both({ schedules: [], hooks: [], notices: [] })
    expect(removed.reduce((sum, one) => sum + one.removed, 0)).toBe(2)
    expect(await stored()).toEqual([undefined, undefined])
  })
})
