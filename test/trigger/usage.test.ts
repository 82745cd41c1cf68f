import { defaultUsageSettings, ModelFault } from "@parlor/core"
import { finish, gate, says, scriptedModel } from "@parlor/core/testing"
import { type Collection, emptyUsage, parseRow, type StatusRow, type TurnRow } from "@parlor/protocol"
import { afterEach, describe, expect, it } from "vitest"
import { DAY, MINUTE, person, World, type WorldOptions } from "./world.ts"

let world: World
afterEach(() => world.close())

async function open(options: WorldOptions = {}): Promise<World> {
  world = new World(options)
  for (const index of world.nodes.keys()) await world.start(index)
  return world
}

const usage = { ...emptyUsage, inputTokens: 80, outputTokens: 20, costMicros: 5 }
const day = () => new Date(world.clock.now()).toISOString().slice(0, 10)
const total = () => world.store.usage.dayTotal(person, day())
const within = (limits: { tokensPerDay?: number; mayAllowMore?: readonly string[] }) => ({
  settings: { usage: { ...defaultUsageSettings, ...limits } },
})

function talk(branch: string, text: string) {
  const message = { type: "composer_input", payload: { source: text }, mode: "immediate", source: "test" } as const
  return world.node.send({ agent: "crab", person, branch }, { ...message, txid: world.node.txid() })
}

async function rowsOf<T>(branch: string, collection: string): Promise<T[]> {
  const stream = await world.store.log.find({ kind: "conversation", agent: "crab", person, branch })
  const rows = stream === undefined ? [] : (world.store.dump(stream.id)?.rows ?? [])
  return rows
    .filter((row) => row.collection === collection)
    .map((row) => parseRow(collection as Collection, row.value) as T)
}

const statusOf = async (branch: string) => (await rowsOf<StatusRow>(branch, "status"))[0]

describe("model calls", () => {
  it("[SEC-20] every call is counted: answers, tries that failed, schedules, compaction, guests", async () => {
    const fault = new ModelFault("busy", { transient: true, retryAfterMs: 10 })
    const model = scriptedModel([[fault], says("One.", usage), says("Two.", usage), says("Summary.", usage)], {
      fallback: says("More.", usage),
    })
    await open({ agent: { model } })
    await talk("main", "Hello")
    await world.clock.advance(MINUTE)
    expect(await total()).toMatchObject({ calls: 2, tokens: 100, costMicros: 0 })
    await world.make("main", { when: { at: world.clock.now() + 1_000 } })
    await world.clock.advance(MINUTE)
    await world.node.compact({ agent: "crab", person, branch: "main" }, { keepTurns: 0, txid: world.node.txid() })
    await world.clock.advance(MINUTE)
    const lines = await world.store.usage.spending(person, { since: day(), limit: 10 })
    expect(lines.map(({ source, calls, inputTokens }) => [source, calls, inputTokens])).toEqual([
      ["compaction", 1, 80],
      ["person", 2, 80],
      ["schedule", 1, 80],
    ])
  })

  it("[SEC-20] a reply that is stopped before its provider reports is counted by an estimate", async () => {
    const hold = gate()
    const model = scriptedModel([[{ type: "text", text: "x".repeat(4_000) }, hold, finish("stop", usage)]])
    await open({ agent: { model } })
    await talk("main", "y".repeat(400))
    await world.clock.advance(10)
    await world.node.stop(
      { agent: "crab", person, branch: "main" },
      { turn: undefined, onQueue: undefined, txid: world.node.txid() },
    )
    await world.clock.advance(10)
    const { calls, tokens } = await total()
    expect(calls).toBe(1)
    expect(tokens).toBeGreaterThanOrEqual(1_100)
    hold.open()
  })

  it("[SEC-21] 200 schedules of one second make half of 600 calls a minute, wait visibly, and a person is not behind them", async () => {
    const model = scriptedModel([], { fallback: says("Done.", usage) })
    await open({ agent: { model } })
    for (let n = 0; n < 200; n++) await world.conversation(`every-${n}`)
    await world.conversation("typed")
    for (let n = 0; n < 200; n++) await world.make(`every-${n}`, { when: { everyMs: 1_000 } })
    await world.clock.advance(MINUTE)
    const before = model.requests.length
    await world.clock.advance(MINUTE)
    const perMinute = model.requests.length - before
    expect(perMinute).toBeGreaterThan(250)
    expect(perMinute).toBeLessThanOrEqual(330)
    const waiting = await Promise.all(Array.from({ length: 200 }, (_, n) => statusOf(`every-${n}`)))
    const shown = waiting.filter((status) => status?.state === "retrying")
    expect(shown.length).toBeGreaterThan(100)
    expect(shown[0]).toMatchObject({ error: { code: "rate.exceeded" }, retryAt: expect.any(Number) })
    await talk("typed", "Hello")
    await world.clock.advance(100)
    expect((await statusOf("typed"))?.state).toBe("idle")
    expect((await rowsOf<TurnRow>("typed", "turns"))[0]?.state).toBe("done")
  }, 120_000)

  it("[SEC-22] a person's turn past the day's budget fails with the reason and when it ends; the next day it works", async () => {
    const model = scriptedModel([], { fallback: says("Done.", usage) })
    await open({ agent: { model }, ...within({ tokensPerDay: 150 }) })
    for (const text of ["One", "Two"]) {
      await talk("main", text)
      await world.clock.advance(1_000)
    }
    expect(model.requests).toHaveLength(2)
    await talk("main", "Three")
    await world.clock.advance(1_000)
    expect(await statusOf("main")).toMatchObject({
      state: "error",
      held: { reason: "error" },
      error: { code: "budget.exceeded", detail: expect.stringMatching(/150 tokens is used up .*begins at .* UTC/) },
    })
    await world.conversation("other")
    await talk("other", "In another conversation")
    await world.clock.advance(1_000)
    expect((await statusOf("other"))?.error?.code).toBe("budget.exceeded")
    expect(model.requests).toHaveLength(2)
    await world.clock.advance(DAY)
    await talk("main", "Four")
    await world.clock.advance(1_000)
    expect(await statusOf("main")).toMatchObject({ state: "idle", error: null })
    expect(model.requests).toHaveLength(3)
  })

  it("[SEC-22] deleting the conversation gives no tokens back", async () => {
    const model = scriptedModel([], { fallback: says("Done.", usage) })
    await open({ agent: { model }, ...within({ tokensPerDay: 50 }) })
    await talk("main", "One")
    await world.clock.advance(1_000)
    await world.node.remove({ agent: "crab", person, branch: "main" }, { branches: [], txid: world.node.txid() })
    await talk("main", "Two")
    await world.clock.advance(1_000)
    expect((await statusOf("main"))?.error?.code).toBe("budget.exceeded")
  })

  it("[SEC-22] who may allow more is asked: yes adds as much again, no holds the queue", async () => {
    const model = scriptedModel([], { fallback: says("Done.", usage) })
    await open({ agent: { model }, ...within({ tokensPerDay: 100, mayAllowMore: [person] }) })
    await talk("main", "One")
    await world.clock.advance(1_000)
    const address = { agent: "crab", person, branch: "main" }
    const askOf = async () => (await rowsOf<{ id: string; state: string; title: string }>("main", "asks")).at(-1)
    const answering = async (given: boolean) => {
      const ask = (await rowsOf<{ id: string; state: string }>("main", "asks")).find(({ state }) => state === "open")
      await world.node.answer(address, ask?.id ?? "", given, { by: "test", txid: world.node.txid() })
      await world.clock.advance(1_000)
    }
    await talk("main", "Two")
    await world.clock.advance(1_000)
    expect((await askOf())?.title).toMatch(/budget is used up/)
    expect(model.requests).toHaveLength(1)
    await answering(true)
    expect(model.requests).toHaveLength(2)
    expect(await total()).toMatchObject({ tokens: 200, grantedTokens: 100 })
    await talk("main", "Three")
    await world.clock.advance(1_000)
    await answering(false)
    expect(model.requests).toHaveLength(2)
    expect(await statusOf("main")).toMatchObject({ state: "idle", held: { reason: "stopped" } })
  })

  it("[SEC-22] a turn nobody waits for stands still, visibly, until the next day; nothing of it is lost", async () => {
    const model = scriptedModel([], { fallback: says("Done.", usage) })
    await open({ agent: { model }, ...within({ tokensPerDay: 50 }) })
    await talk("main", "One")
    await world.clock.advance(1_000)
    await world.conversation("job")
    await world.make("job", { when: { at: world.clock.now() + 1_000 } })
    await world.clock.advance(2 * MINUTE)
    const midnight = Math.ceil(world.clock.now() / DAY) * DAY
    expect(await statusOf("job")).toMatchObject({
      state: "retrying",
      retryAt: midnight,
      unread: true,
      error: { code: "budget.exceeded" },
    })
    expect(model.requests).toHaveLength(1)
    await world.stop(0)
    await world.start(0)
    await world.clock.advance(2 * MINUTE)
    expect(await statusOf("job")).toMatchObject({ state: "retrying", error: { code: "budget.exceeded" } })
    await world.clock.advance(midnight - world.clock.now() + MINUTE)
    expect((await statusOf("job"))?.state).toBe("idle")
    expect((await rowsOf<TurnRow>("job", "turns"))[0]?.state).toBe("done")
    expect(model.requests).toHaveLength(2)
  })

  it("[SEC-22] the budget is one for all nodes", async () => {
    const model = scriptedModel([], { fallback: says("Done.", usage) })
    await open({ nodes: 2, agent: { model }, ...within({ tokensPerDay: 250 }) })
    const [one, two] = world.nodes
    const send = async (node: typeof one, branch: string) => {
      const message = { type: "composer_input", payload: { source: "Hi" }, mode: "immediate", source: "test" } as const
      await node?.send({ agent: "crab", person, branch }, { ...message, txid: world.node.txid() })
      await world.clock.advance(1_000)
    }
    for (const branch of ["a", "b"]) await world.conversation(branch)
    await send(one, "a")
    await send(two, "b")
    await send(one, "a")
    await world.clock.advance(MINUTE)
    await send(two, "b")
    expect((await statusOf("b"))?.error?.code).toBe("budget.exceeded")
    expect(await total()).toMatchObject({ calls: 3, tokens: 300 })
  })
})
