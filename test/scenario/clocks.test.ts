/** Nodes whose clocks disagree, and clocks that are set back (QUE-19). */
import {
  type Agent,
  type Clock,
  createRuntime,
  defineTool,
  ModelFault,
  type Runtime,
  type Settings,
  silentLog,
  type Tool,
} from "@parlor/core"
import { calls, FakeClock, finish, gate, MemorySpool, MemoryStore, says, scriptedModel } from "@parlor/core/testing"
import { limits } from "@parlor/protocol"
import { systemRandom } from "@parlor/server"
import { describe, expect, it } from "vitest"
import { z } from "zod"

const address = { agent: "crab", person: "ana", branch: "main" } as const
const DRAIN_MS = 100
const HOUR_MS = 60 * 60_000
const EXPIRES_MS = 30_000

let ids = 0
function start(store: MemoryStore, clock: Clock, busy = gate()): Runtime {
  const model = scriptedModel([[{ type: "text", text: "Busy" }, busy, finish()]], { fallback: says("ok") })
  return startWith(store, clock, { model, tools: [] })
}

function startWith(
  store: MemoryStore,
  clock: Clock,
  agent: Pick<Agent, "model" | "tools">,
  settings: Partial<Settings> = {},
): Runtime {
  const crab = { name: "crab", description: "", instructions: "", slashCommands: [], ...agent }
  const next = (kind: string) => `${kind}_${String(++ids).padStart(6, "0")}`
  const parts = { store, clock, spool: new MemorySpool(), ids: { next }, random: systemRandom, log: silentLog }
  return createRuntime({ ...parts, agents: [crab], settings: { drainDelayMs: DRAIN_MS, ...settings } })
}

/** A clock that shows another time and runs as fast. */
function skewed(clock: Clock, byMs: () => number): Clock {
  return { now: () => clock.now() + byMs(), after: (ms, call) => clock.after(ms, call) }
}

async function say(runtime: Runtime, text: string) {
  const message = { type: "composer_input", payload: { source: text }, mode: "immediate", source: "person" } as const
  return runtime.send(address, { ...message, txid: runtime.txid() })
}

const waiting = async (runtime: Runtime) => (await runtime.snapshot(address, { messages: 1 })).queue.length

describe("edit leases", () => {
  for (const aheadMs of [60_000, -60_000])
    it(`[QUE-19, QUE-8] hold on a node whose clock is ${aheadMs / 1_000} s off, for as long as they last`, async () => {
      const clock = new FakeClock()
      const store = new MemoryStore(clock)
      const busy = gate()
      const owner = start(
        store.node(),
        skewed(clock, () => aheadMs),
        busy,
      )
      const other = start(store.node(), clock)
      await owner.start()
      await say(owner, "first")
      const { message } = await say(owner, "edited")
      await other.lease(address, message, "tab", other.txid())
      busy.open()
      await clock.advance(DRAIN_MS)
      await clock.advance(limits.editLeaseMs - 2 * DRAIN_MS)
      expect(await waiting(owner), "under the editor's hands").toBe(1)
      await clock.advance(3 * DRAIN_MS)
      expect(await waiting(owner), "the lease ran out").toBe(0)
      await owner.close()
      await other.close()
    })

  it("[QUE-19, QUE-8] do not block longer than they last when the clock is set back an hour, whatever else happens", async () => {
    const clock = new FakeClock()
    let backMs = 0
    const shown = skewed(clock, () => -backMs)
    const busy = gate()
    const runtime = start(new MemoryStore(shown), shown, busy)
    await runtime.start()
    await say(runtime, "first")
    const { message } = await say(runtime, "edited")
    await runtime.lease(address, message, "tab", runtime.txid())
    backMs = HOUR_MS
    busy.open()
    await clock.advance(DRAIN_MS)
    for (let sent = 0; sent < 3; sent++) {
      await clock.advance(limits.editLeaseMs / 4)
      await say(runtime, "more")
    }
    expect(await waiting(runtime)).toBe(4)
    await clock.advance(limits.editLeaseMs / 4 + 10 * DRAIN_MS)
    expect(await waiting(runtime)).toBe(0)
    await runtime.close()
  })
})

describe("asks", () => {
  it("[QUE-19, TRN-12] one that has expired by the store's clock is not answered, though its turn has not noticed yet", async () => {
    const hurried: Tool = defineTool({
      name: "hurried",
      description: "",
      input: z.object({}),
      repeatable: true,
      run: async (_, context) =>
        (await context.ask({ kind: "question", title: "Quick?", expiresInMs: EXPIRES_MS })) ?? "nobody",
    })
    const clock = new FakeClock()
    let aheadMs = 0
    const store = new MemoryStore(skewed(clock, () => aheadMs))
    const model = scriptedModel([calls("hurried", {}), says("Never mind.")])
    const runtime = startWith(store, clock, { model, tools: [hurried] })
    await runtime.start()
    await say(runtime, "Ask")
    await clock.advance(DRAIN_MS)
    const asks = async () => (await runtime.snapshot(address, { messages: 1 })).asks
    const [ask] = await asks()
    const given = () => runtime.answer(address, ask?.id ?? "", "yes", { by: "ana", txid: runtime.txid() })
    for (const late of [EXPIRES_MS, EXPIRES_MS + HOUR_MS]) {
      aheadMs = late
      await expect(given()).rejects.toMatchObject({ code: "ask.closed", message: expect.stringContaining("expired") })
      expect(await asks()).toMatchObject([{ state: "open", answer: null }])
    }
    aheadMs = EXPIRES_MS - 2 * DRAIN_MS
    expect(await given()).toMatchObject({ state: "answered", answer: "yes" })
    await runtime.close()
  })
})

describe("the hold after an error", () => {
  const trigger = {
    source: "webhook",
    firedAt: 0,
    scheduleId: null,
    deliveryId: "d",
    headers: null,
    subject: null,
  } as const
  const fault = new ModelFault("Too many requests.", { transient: true })
  const settings = { retry: { tries: 1, baseMs: 1, maxMs: 1 } }
  const deliver = (runtime: Runtime) => {
    const message = {
      type: "composer_input",
      payload: { source: "ring" },
      mode: "immediate",
      source: "webhook",
    } as const
    return runtime.send(address, { ...message, trigger, txid: runtime.txid() })
  }

  for (const aheadMs of [HOUR_MS, -HOUR_MS])
    it(`[QUE-23] lasts as long as it should on a node whose clock is ${aheadMs / HOUR_MS} h off`, async () => {
      const clock = new FakeClock()
      const model = scriptedModel([[fault], says("ok")])
      const shown = skewed(clock, () => aheadMs)
      const runtime = startWith(new MemoryStore(clock), shown, { model, tools: [] }, settings)
      await runtime.start()
      await deliver(runtime)
      await clock.advance(20_000)
      expect(model.requests).toHaveLength(1)
      await clock.advance(20_000)
      expect(model.requests).toHaveLength(2)
      await runtime.close()
    })

  it("[QUE-23] is not longer when the clock is set back an hour", async () => {
    const clock = new FakeClock()
    let backMs = 0
    const shown = skewed(clock, () => -backMs)
    const model = scriptedModel([[fault], says("ok")])
    const runtime = startWith(new MemoryStore(shown), shown, { model, tools: [] }, settings)
    await runtime.start()
    await deliver(runtime)
    await clock.advance(1_000)
    backMs = HOUR_MS
    await clock.advance(40_000)
    expect(model.requests).toHaveLength(2)
    await runtime.close()
  })
})
