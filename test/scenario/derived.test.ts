/** What lists and sweepers go by follows from the rows, whatever was decided last. */
import { type Agent, type Clock, createRuntime, type Runtime, silentLog } from "@parlor/core"
import {
  FakeClock,
  finish,
  gate,
  MemorySpool,
  MemoryStore,
  type Script,
  says,
  scriptedModel,
} from "@parlor/core/testing"
import { limits } from "@parlor/protocol"
import { systemRandom } from "@parlor/server"
import { expect, it } from "vitest"

const address = { agent: "crab", person: "ana", branch: "main" } as const
const DRAIN_MS = 100
const LEASE_MS = 10_000

let ids = 0
/** A process of its own on a store that others share. */
function start(store: MemoryStore, clock: Clock, scripts: readonly Script[]): Runtime {
  const model = scriptedModel(scripts, { fallback: says("ok") })
  const crab: Agent = { name: "crab", description: "", instructions: "", model, tools: [], slashCommands: [] }
  return createRuntime({
    store,
    spool: new MemorySpool(),
    clock,
    ids: { next: (kind) => `${kind}_${String(++ids).padStart(6, "0")}` },
    random: systemRandom,
    log: silentLog,
    agents: [crab],
    settings: { drainDelayMs: DRAIN_MS, leaseMs: LEASE_MS },
  })
}

function say(
  runtime: Runtime,
  text: string,
  to: typeof address | { agent: string; person: string; branch: string } = address,
) {
  const message = { type: "composer_input", payload: { source: text }, mode: "immediate", source: "person" } as const
  return runtime.send(to, { ...message, txid: runtime.txid() })
}

it("[QUE-14, LOG-16] a message that waits runs after a crash although a compaction was undone while it waited", async () => {
  const clock = new FakeClock()
  const store = new MemoryStore(clock)
  let isDead = false
  const mortal = {
    now: () => clock.now(),
    after: (ms: number, call: () => void) => clock.after(ms, () => isDead || call()),
  }
  const busy = gate()
  const scripts = [says("one"), says("A summary."), [{ type: "text", text: "two" } as const, busy, finish()]]
  const first = start(store.node(), mortal, scripts)
  await first.start()
  await say(first, "1")
  await clock.advance(DRAIN_MS)
  await first.compact(address, { keepTurns: 0, txid: first.txid() })
  await clock.advance(DRAIN_MS)
  const {
    archives: [archive],
  } = await first.archives(address)
  await say(first, "2")
  await clock.advance(0)
  const { message } = await say(first, "3")
  await first.lease(address, message, "tab-1", first.txid())
  busy.open()
  await clock.advance(DRAIN_MS)
  await first.undoCompaction(address, archive?.id ?? "", first.txid())
  isDead = true

  const second = start(store.node(), clock, [says("three")])
  await second.start()
  await clock.advance(LEASE_MS + limits.editLeaseMs + DRAIN_MS)
  const { messages, queue } = await second.snapshot(address, { messages: 10 })
  expect(queue).toEqual([])
  expect(messages.at(-1)?.parts).toEqual([{ type: "text", text: "three" }])
  await second.close()
})

it("[LOG-14, LOG-16] a message that queues moves its conversation up, and it stays there after the next mark", async () => {
  const clock = new FakeClock()
  const runtime = start(new MemoryStore(clock), clock, [
    [gate(), finish()],
    [gate(), finish()],
  ])
  await runtime.start()
  const other = {
    ...address,
    branch: (
      await runtime.makeBranch(address, { from: undefined, name: "other", ephemeral: false, txid: runtime.txid() })
    ).branch,
  }
  const page = { agent: undefined, archived: false, ephemeral: false, cursor: undefined, limit: 10 }
  const listed = async () => (await runtime.list("ana", page)).conversations.map(({ branch }) => branch)
  await say(runtime, "first")
  await clock.advance(1_000)
  await say(runtime, "first", other)
  await clock.advance(1_000)
  expect(await listed()).toEqual(["other", "main"])
  expect(await say(runtime, "second")).toMatchObject({ outcome: "queued" })
  expect(await listed()).toEqual(["main", "other"])
  await clock.advance(1_000)
  const row = await runtime.mark(address, { pinned: true }, runtime.txid())
  expect(await listed()).toEqual(["main", "other"])
  expect((await runtime.snapshot(address, { messages: 1 })).status.activityAt).toBe(row.activityAt)
  await runtime.close()
})
