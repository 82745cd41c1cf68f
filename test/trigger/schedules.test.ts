import { gate, says, scriptedModel } from "@parlor/core/testing"
import { limits } from "@parlor/protocol"
import { afterEach, describe, expect, it } from "vitest"
import { DAY, HOUR, MINUTE, person, World, type WorldOptions } from "./world.ts"

let world: World
afterEach(() => world.close())

async function open(options: WorldOptions = {}): Promise<World> {
  world = new World(options)
  for (const index of world.nodes.keys()) await world.start(index)
  return world
}

const address = { agent: "crab", person, branch: "main" }
const dues = async (branch = "main") => (await world.fired(branch)).map(({ deliveryId }) => deliveryId)
const iso = (at: number) => new Date(at).toISOString()

describe("schedules", () => {
  it("[TRG-3] fire at their times: once, every so often, by pattern; a schedule that is over says so", async () => {
    await open()
    const now = world.clock.now()
    const at = await world.make("main", { when: { at: now + 1_500 } })
    const every = await world.make("main", { when: { everyMs: 60_000 } })
    expect([at.nextAt, every.nextAt]).toEqual([now + 1_500, now + 60_000])
    await world.clock.advance(1_499)
    expect(await dues()).toEqual([])
    await world.clock.advance(1)
    expect(await dues()).toEqual([iso(now + 1_500)])
    await world.clock.advance(2 * MINUTE)
    expect(await dues()).toEqual([now + 1_500, now + MINUTE, now + 2 * MINUTE].map(iso))
    const over = await world.node.openSchedule(person, at.id)
    expect(over).toMatchObject({ state: "done", nextAt: null, why: null, last: { outcome: "started", became: "done" } })
    expect(over.firings).toMatchObject([{ id: iso(now + 1_500), dueAt: now + 1_500, at: now + 1_500 }])
    await expect(world.node.changeSchedule(person, at.id, { paused: true })).rejects.toMatchObject({
      code: "schedule.invalid",
    })
  })

  it("[TRG-1] the message says what it is: its source, when it fired, for which schedule and which time", async () => {
    await open()
    const now = world.clock.now()
    const { id } = await world.make("main", { when: { at: now + 1_000 } })
    await world.clock.advance(1_000)
    expect(await world.fired("main")).toEqual([
      {
        source: "schedule",
        firedAt: now + 1_000,
        scheduleId: id,
        deliveryId: iso(now + 1_000),
        headers: null,
        subject: null,
      },
    ])
    const { messages } = await world.node.snapshot(address, { messages: 10 })
    expect(messages.map(({ role, turn }) => [role, turn !== null])).toEqual([
      ["person", true],
      ["agent", true],
    ])
  })

  it("[TRG-3] survive a restart, and a node that was not there when they were made fires them too", async () => {
    await open({ nodes: 2 })
    const now = world.clock.now()
    await world.make("main", { when: { at: now + DAY } })
    await world.stop(0)
    await world.clock.advance(DAY)
    expect(await dues()).toEqual([iso(now + DAY)])
    await world.make("main", { when: { at: now + 3 * DAY } })
    await world.stop(1)
    await world.start(0)
    await world.clock.advance(2 * DAY)
    expect(await dues()).toEqual([iso(now + DAY), iso(now + 3 * DAY)])
  })

  it.each([
    ["once", [1, 6]],
    ["skip", [6]],
    ["all", [1, 2, 3, 4, 5, 6]],
  ] as const)("[TRG-3] what was missed is made up for by its rule: %s", async (missed, hours) => {
    await open()
    const now = world.clock.now()
    await world.make("main", { missed, when: { everyMs: HOUR } })
    await world.stop(0)
    await world.clock.advance(5 * HOUR + 30 * MINUTE)
    await world.start(0)
    await world.clock.advance(HOUR)
    expect(await dues()).toEqual(hours.map((hour) => iso(now + hour * HOUR)))
  })

  it("[TRG-3] a time that comes once and was missed is run late, or left when its rule says so", async () => {
    await open()
    const now = world.clock.now()
    const late = await world.make("main", { when: { at: now + HOUR } })
    const left = await world.make("main", { missed: "skip", when: { at: now + HOUR } })
    await world.stop(0)
    await world.clock.advance(DAY)
    await world.start(0)
    expect((await world.fired("main")).map(({ scheduleId }) => scheduleId)).toEqual([late.id])
    expect(await world.node.openSchedule(person, left.id)).toMatchObject({
      state: "done",
      firings: [{ outcome: "missed", dueAt: now + HOUR, message: null, became: null }],
    })
  })

  it("[TRG-3] at most one firing of each waits: others are left out, or wait their turn when all are to run", async () => {
    const held = gate()
    const model = scriptedModel([[held, ...says("At last.")]], { fallback: says("Done.") })
    await open({ agent: { model } })
    await world.node.send(address, typed("hello"))
    const once = await world.make("main", { when: { everyMs: HOUR } })
    const all = await world.make("main", { missed: "all", when: { everyMs: HOUR } })
    const now = world.clock.now()
    await world.clock.advance(3 * HOUR)
    const { queue } = await world.node.snapshot(address, { messages: 1 })
    expect(queue.map(({ source, trigger }) => [source, trigger?.scheduleId])).toEqual([
      ["schedule", once.id],
      ["schedule", all.id],
    ])
    const { firings } = await world.node.openSchedule(person, once.id)
    expect(firings.map(({ outcome, became }) => [outcome, became])).toEqual([
      ["waiting", null],
      ["waiting", null],
      ["queued", "waiting"],
    ])
    held.open()
    await world.clock.advance(MINUTE)
    const fired = await world.fired("main")
    expect(fired.filter(({ scheduleId }) => scheduleId === once.id)).toHaveLength(1)
    expect(fired.filter(({ scheduleId }) => scheduleId === all.id).map(({ deliveryId }) => deliveryId)).toEqual(
      [1, 2, 3].map((hour) => iso(now + hour * HOUR)),
    )
  })

  it("[QUE-5] a schedule does not lift a hold: its message waits for the person", async () => {
    await open()
    await world.node.send(address, typed("hello"))
    await world.clock.advance(1_000)
    await world.node.hold(address, world.node.txid())
    await world.make("main", { when: { at: world.clock.now() + 1_000 } })
    await world.clock.advance(HOUR)
    const { status, queue, messages } = await world.node.snapshot(address, { messages: 9 })
    expect([status.state, status.held?.reason, queue.length, messages.length]).toEqual(["idle", "asked", 1, 2])
    await world.node.resume(address, world.node.txid())
    await world.clock.advance(1_000)
    expect(await dues()).toHaveLength(1)
  })

  it("[TRG-7] people pause and resume them: what fell into the pause is nobody's loss", async () => {
    await open()
    const { id } = await world.make("main", { missed: "all", when: { everyMs: HOUR } })
    const now = world.clock.now()
    expect(await world.node.changeSchedule(person, id, { paused: true })).toMatchObject({ state: "paused" })
    await world.clock.advance(5 * HOUR + MINUTE)
    expect(await dues()).toEqual([])
    const resumed = await world.node.changeSchedule(person, id, { paused: false })
    expect(resumed).toMatchObject({ state: "active", nextAt: now + 6 * HOUR })
    await world.clock.advance(HOUR)
    expect(await dues()).toEqual([iso(now + 6 * HOUR)])
  })

  it("[TRG-7] they change what is said and when", async () => {
    await open()
    const { id } = await world.make("main", { when: { everyMs: HOUR } })
    const now = world.clock.now()
    await world.node.changeSchedule(person, id, { when: { everyMs: MINUTE }, name: "Look", payload: { source: "New" } })
    await world.clock.advance(MINUTE)
    expect(await dues()).toEqual([iso(now + MINUTE)])
    const { messages } = await world.node.snapshot(address, { messages: 2 })
    expect(messages[0]?.parts).toEqual([{ type: "text", text: "New" }])
    expect((await world.node.listSchedules(person))[0]).toMatchObject({ name: "Look", last: { outcome: "started" } })
    const wrong = world.node.changeSchedule(person, id, { text: "a", payload: { source: "b" } })
    await expect(wrong).rejects.toMatchObject({ code: "request.invalid", pointer: "/payload" })
  })

  it("[TRG-7] they fire one now, beside its times; a repeat of that is answered as the first", async () => {
    const held = gate()
    await open({ agent: { model: scriptedModel([[held, ...says("Hi")]], { fallback: says("Done.") }) } })
    await world.node.send(address, typed("hello"))
    const { id, nextAt } = await world.make("main", { when: { everyMs: HOUR } })
    const fire = (key: string) => world.node.fireSchedule(person, id, { txid: world.node.txid(), key })
    const first = await fire("a")
    expect(first).toMatchObject({ outcome: "queued" })
    expect((await fire("a")).message).toBe(first.message)
    await expect(fire("b")).rejects.toMatchObject({ code: "schedule.waiting" })
    held.open()
    await world.clock.advance(1_000)
    expect((await fire("a")).message).toBe(first.message)
    expect(await world.node.openSchedule(person, id)).toMatchObject({
      nextAt,
      firings: [{ outcome: "queued", became: "done", message: first.message }],
    })
    expect(await world.fired("main")).toHaveLength(1)
  })

  it("[TRG-4] what hangs on a conversation goes with it; one of the same name later has none of it", async () => {
    await open()
    const { id } = await world.make("main", { when: { everyMs: HOUR } })
    await world.node.remove(address, { branches: [], txid: world.node.txid() })
    await world.clock.advance(3 * HOUR)
    expect(await world.fired("main")).toEqual([])
    expect(await world.node.listSchedules(person)).toEqual([])
    await expect(world.node.openSchedule(person, id)).rejects.toMatchObject({ code: "schedule.unknown" })
  })

  it("[TRG-4] a firing under way when its conversation is deleted does not come up in a new one", async () => {
    await open()
    const { id } = await world.make("main", { when: { at: world.clock.now() + 1_000 } })
    const store = world.stores[0]
    if (store === undefined) throw new Error("no store")
    let removing: Promise<unknown> | undefined
    // It was read as due; it continues only once the conversation is gone.
    store.hooks = {
      readLatency: async () => {
        if (world.clock.now() < 1_700_000_001_000 || removing !== undefined) return
        store.hooks = {}
        removing = world.node.remove(address, { branches: [], txid: world.node.txid() })
        await removing
      },
    }
    await world.clock.advance(HOUR)
    expect(removing).toBeDefined()
    expect(await world.fired("main")).toEqual([])
    expect(await world.store.triggers.get(id)).toBeUndefined()
  })

  it("[TRG-7] an agent that is no longer there: the firing fails, visibly, and the next is tried", async () => {
    await open()
    const { id } = await world.make("main", { when: { everyMs: HOUR } })
    const [agents] = [world.node.agents()]
    expect(agents).toHaveLength(1)
    world.node.replaceAgents([])
    await world.clock.advance(2 * HOUR)
    const { state, firings } = await world.node.openSchedule(person, id)
    expect(state).toBe("active")
    expect(firings.map(({ outcome, error }) => [outcome, error?.code])).toEqual([
      ["failed", "agent.unknown"],
      ["failed", "agent.unknown"],
    ])
  })

  it("[TRG-7] one person's are not another's", async () => {
    await open()
    const { id } = await world.make("main", {})
    const unknown = { code: "schedule.unknown" }
    await expect(world.node.openSchedule("bob", id)).rejects.toMatchObject(unknown)
    await expect(world.node.changeSchedule("bob", id, { paused: true })).rejects.toMatchObject(unknown)
    await expect(world.node.deleteSchedule("bob", id)).rejects.toMatchObject(unknown)
    await expect(world.node.fireSchedule("bob", id, { txid: world.node.txid() })).rejects.toMatchObject(unknown)
    expect(await world.node.listSchedules("bob")).toEqual([])
    await world.node.deleteSchedule(person, id)
    expect(await world.node.listSchedules(person)).toEqual([])
  })

  it("[SEC-9] a person has so many and not more; what is over does not count", async () => {
    await open()
    const now = world.clock.now()
    for (let i = 0; i < limits.schedules; i++) await world.make("main", { when: { at: now + DAY } })
    await expect(world.make("main", {})).rejects.toMatchObject({ code: "schedule.full" })
  })

  it("refuses an unknown conversation, agent and message type", async () => {
    await open()
    await expect(world.make("none", {})).rejects.toMatchObject({ code: "conversation.unknown" })
    await expect(world.make("main", { agent: "none" })).rejects.toMatchObject({ code: "agent.unknown" })
    await expect(world.make("main", { type: "order" })).rejects.toMatchObject({ code: "message.type-unknown" })
    await expect(world.make("main", { when: { at: 5 } })).rejects.toMatchObject({ pointer: "/when/at" })
  })
})

function typed(text: string) {
  const message = { type: "composer_input", payload: { source: text }, mode: "immediate", source: "person" } as const
  return { ...message, txid: world.node.txid() }
}
