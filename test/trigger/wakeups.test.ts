import { defaultTriggerSettings, type HandlerContext, type HandlerWake, type WakeupSettings } from "@parlor/core"
import { calls, gate, type Script, says, scriptedModel } from "@parlor/core/testing"
import type { MessageRow, ToolPart } from "@parlor/protocol"
import { afterEach, describe, expect, it } from "vitest"
import { DAY, HOUR, MINUTE, person, World, type WorldOptions } from "./world.ts"

let world: World
afterEach(() => world.close())

const address = { agent: "crab", person, branch: "main" }

async function open(scripts: readonly Script[], bounds: Partial<WakeupSettings> = {}, rest: WorldOptions = {}) {
  const model = scriptedModel(scripts, { fallback: says("Done.") })
  const wakeups = { ...defaultTriggerSettings.wakeups, ...bounds }
  const settings = { triggers: { ...defaultTriggerSettings, wakeups } }
  world = new World({ ...rest, agent: { model, wakeups: true, ...rest.agent }, settings })
  for (const index of world.nodes.keys()) await world.start(index)
  return model
}

async function say(text: string): Promise<void> {
  const message = { type: "composer_input", payload: { source: text }, mode: "immediate", source: "person" } as const
  await world.node.send(address, { ...message, txid: world.node.txid() })
  await world.clock.advance(100)
}

const asks = (when: object, call = "call_1") =>
  calls("request_wakeup", { when, prompt: "Go on.", reason: "to see" }, call)
const messages = async (): Promise<readonly MessageRow[]> =>
  (await world.node.snapshot(address, { messages: 1_000 })).messages
const tools = async () =>
  (await messages()).flatMap(({ parts }) => parts.filter((part): part is ToolPart => part.type === "tool"))
const notices = async () => (await messages()).flatMap(({ parts }) => parts.filter((part) => part.type === "notice"))

describe("wakeups", () => {
  it("[TRG-4] an agent asks to be woken after a while, at a time, by a pattern, and is", async () => {
    const model = await open([asks({ delayMs: MINUTE }), says("I will look again."), says("I looked.")])
    const now = world.clock.now()
    await say("watch this")
    const [call] = await tools()
    const [listed] = await world.node.listSchedules(person)
    expect(call).toMatchObject({ state: "done", output: { id: listed?.id, at: new Date(now + MINUTE).toISOString() } })
    expect(listed).toMatchObject({
      source: "self",
      name: "to see",
      payload: { source: "Go on." },
      nextAt: now + MINUTE,
    })
    await world.clock.advance(MINUTE)
    expect(
      (await messages()).flatMap(({ parts }) => parts.map((part) => (part.type === "text" ? part.text : ""))),
    ).toEqual(["watch this", "", "I will look again.", "Go on.", "I looked."])
    const [trigger] = await world.fired("main")
    expect(trigger).toMatchObject({ source: "self", scheduleId: listed?.id, firedAt: now + MINUTE, depth: 1 })
    const told = JSON.stringify(model.requests.at(-1)?.messages)
    expect(told).toContain("Go on.")
    expect(told).toContain("You asked to be woken with this. Nobody is at the keyboard.")
    expect((await world.node.openSchedule(person, listed?.id ?? "")).state).toBe("done")
  })

  it("[TRG-4] it cancels one it asked for, and only one of this conversation", async () => {
    await open([asks({ at: "2023-12-01T00:00:00Z" })], { horizonMs: 60 * DAY })
    await say("watch this")
    const [wakeup] = await world.node.listSchedules(person)
    const elsewhere = await world.make("main", {})
    expect(wakeup?.nextAt).toBe(Date.parse("2023-12-01T00:00:00Z"))
    const cancel = (id: string) => calls("cancel_wakeup", { id }, `call_${id}`)
    const node = world.node
    node.replaceAgents([
      {
        name: "crab",
        description: "",
        instructions: "",
        model: scriptedModel(
          [cancel(wakeup?.id ?? ""), cancel(wakeup?.id ?? ""), cancel(elsewhere.id), says("Cancelled.")],
          {},
        ),
        tools: [],
        slashCommands: [],
        wakeups: true,
      },
    ])
    await say("never mind")
    expect((await tools()).slice(1).map(({ output }) => (output as { cancelled: boolean }).cancelled)).toEqual([
      true,
      false,
      false,
    ])
    expect((await node.listSchedules(person)).map(({ id }) => id)).toEqual([elsewhere.id])
  })

  it("[TRG-4] at most so far ahead, and so many; what does not fit is a result the model sees", async () => {
    await open(
      [
        asks({ delayMs: 8 * DAY }, "a"),
        asks({ at: "2024-06-01T00:00:00Z" }, "b"),
        asks({ cron: "0 0 1 6 *" }, "c"),
        asks({ cron: "nonsense" }, "d"),
        asks({}, "e"),
        asks({ delayMs: HOUR, at: "2023-11-15T00:00:00Z" }, "f"),
        asks({ delayMs: HOUR }, "g"),
        asks({ cron: "0 9 * * *", timeZone: "Europe/Berlin" }, "h"),
        asks({ delayMs: HOUR }, "i"),
      ],
      { most: 2 },
    )
    await say("watch this")
    expect((await tools()).map(({ state, error }) => [state, error?.detail])).toEqual([
      ["failed", "A wakeup can be at most 7 days ahead."],
      ["failed", "A wakeup can be at most 7 days ahead."],
      ["failed", "A wakeup can be at most 7 days ahead."],
      ["failed", expect.stringContaining("five fields")],
      ["failed", expect.stringContaining("Provide one of: delayMs")],
      ["failed", expect.stringContaining("Provide one of: delayMs")],
      ["done", undefined],
      ["done", undefined],
      ["failed", "There are already 2 pending wakeups. Cancel one first."],
    ])
  })

  it("[TRG-4] one that comes again and again ends with the horizon", async () => {
    await open([asks({ cron: "0 0 * * *" })], { horizonMs: 3 * DAY })
    await say("watch this")
    await world.clock.advance(10 * DAY)
    expect(await world.fired("main")).toHaveLength(3)
    expect((await world.node.listSchedules(person))[0]).toMatchObject({ state: "done", why: { code: "wakeup.over" } })
  })

  it("[TRG-7] a person who sets a wakeup's times sets its bounds too", async () => {
    await open([asks({ delayMs: HOUR })], { horizonMs: DAY })
    await say("watch this")
    const [wakeup] = await world.node.listSchedules(person)
    await world.node.changeSchedule(person, wakeup?.id ?? "", { when: { everyMs: 2 * DAY } })
    await world.clock.advance(5 * DAY)
    expect(await world.fired("main")).toHaveLength(2)
  })

  it("[TRG-4] they are deleted with the conversation", async () => {
    const model = await open([asks({ delayMs: HOUR })])
    await say("watch this")
    await world.node.remove(address, { branches: [], txid: world.node.txid() })
    const before = model.requests.length
    await world.clock.advance(DAY)
    expect(await world.node.listSchedules(person)).toEqual([])
    expect(model.requests).toHaveLength(before)
  })

  it("[TRG-8] a chain of them ends at its depth: the last is kept but paused, and the person is told once it is quiet", async () => {
    const chain = [0, 1, 2, 3].flatMap((n) => [asks({ delayMs: MINUTE }, `call_${n}`), says(`Look ${n}.`)])
    await open(chain, { depth: 3 })
    await say("watch this")
    await world.clock.advance(HOUR)
    expect((await world.fired("main")).map(({ depth }) => depth)).toEqual([1, 2, 3])
    const why = "crab woke itself 3 times in a row without you."
    expect((await tools()).at(-1)?.output).toMatchObject({ paused: why })
    const paused = (await world.node.listSchedules(person)).find(({ state }) => state === "paused")
    expect(paused).toMatchObject({ why: { code: "wakeup.runaway", detail: why } })
    expect(await notices()).toEqual([
      {
        type: "notice",
        code: "wakeup.runaway",
        text: `${why} Its wakeups are paused until you resume or delete them.`,
      },
    ])
    expect((await messages()).at(-1)).toMatchObject({ role: "agent", turn: null })
    expect((await world.node.snapshot(address, { messages: 1 })).status.unread).toBe(true)
    await world.node.changeSchedule(person, paused?.id ?? "", { paused: false })
    await world.clock.advance(MINUTE)
    expect((await world.fired("main")).at(-1)).toMatchObject({ depth: 1 })
    expect(await notices()).toHaveLength(1)
  })

  it("[TRG-8] a person in between begins a new chain", async () => {
    const [a, b, c] = ["a", "b", "c"].map((call) => asks({ delayMs: HOUR }, call))
    await open([a ?? [], says("Later."), says("Looked."), b ?? [], says("Later."), c ?? [], says("Once more.")], {
      depth: 2,
    })
    await say("watch this")
    await world.clock.advance(HOUR + MINUTE)
    await say("once more")
    await world.clock.advance(DAY)
    expect((await world.fired("main")).map(({ depth }) => depth)).toEqual([1, 1, 2])
    expect(await notices()).toEqual([])
  })

  it("[TRG-8] too many in an hour: all of the conversation are paused, and the person is told", async () => {
    await open([asks({ cron: "* * * * *" }, "a"), asks({ cron: "30 * * * *" }, "b")], { perHour: 5 })
    await say("watch this")
    await world.clock.advance(3 * HOUR)
    expect(await world.fired("main")).toHaveLength(5)
    const listed = await world.node.listSchedules(person)
    expect(listed.map(({ state, why }) => [state, why?.code])).toEqual([
      ["paused", "wakeup.runaway"],
      ["paused", "wakeup.runaway"],
    ])
    expect(await notices()).toMatchObject([{ text: expect.stringContaining("It woke itself 5 times in an hour.") }])
    await world.node.changeSchedule(person, listed[0]?.id ?? "", { paused: false })
    await world.clock.advance(2 * MINUTE)
    expect(await world.fired("main")).toHaveLength(7)
  })

  it("[TRG-8] nobody is told in the middle of a turn", async () => {
    const held = gate()
    await open([asks({ delayMs: MINUTE }), [held, ...says("Done at last.")]], { depth: 0 })
    await say("watch this")
    await world.clock.advance(HOUR)
    expect(await notices()).toEqual([])
    held.open()
    await world.clock.advance(MINUTE)
    expect((await messages()).map(({ role, parts }) => [role, parts.at(-1)?.type])).toEqual([
      ["person", "text"],
      ["agent", "tool"],
      ["agent", "text"],
      ["agent", "notice"],
    ])
  })

  it("[TRG-8] however many nodes look, and whatever the store forgets to answer: told once, paused for good", async () => {
    await open([asks({ delayMs: MINUTE })], { depth: 0 }, { nodes: 3 })
    for (const [index, store] of world.stores.entries()) {
      let writes = 0
      store.hooks = {
        beforeCommit: (batch) =>
          batch.length === 0 && ++writes <= 3 ? (index === 0 ? "fail" : "fail-after") : undefined,
      }
    }
    await say("watch this")
    await world.clock.advance(DAY)
    for (const store of world.stores) store.hooks = {}
    await world.clock.advance(HOUR)
    expect(await notices()).toHaveLength(1)
    expect(await world.fired("main")).toEqual([])
  })

  it("[TRG-4] a handler asks through its context, lists what is to come, and cancels", async () => {
    const wakes: HandlerWake[] = []
    const handler = async (ctx: HandlerContext) => {
      wakes.push(ctx.wake)
      if (ctx.wake.type === "schedule") return ctx.reply("Awake.")
      const first = await ctx.schedule.request({ when: { delayMs: MINUTE }, prompt: "Now.", reason: "later" })
      const second = await ctx.schedule.request({
        when: { cron: "0 * * * *", timeZone: "Asia/Kolkata" },
        prompt: "Hourly.",
      })
      const listed = await ctx.schedule.list()
      expect(listed.map(({ id, prompt, reason }) => [id, prompt, reason])).toEqual([
        [first.id, "Now.", "later"],
        [second.id, "Hourly.", ""],
      ])
      expect([await ctx.schedule.cancel(second.id), await ctx.schedule.cancel(second.id)]).toEqual([true, false])
      await ctx.reply("Later.")
    }
    await open([], {}, { agent: { handler } })
    await say("watch this")
    await world.clock.advance(HOUR)
    expect(wakes.map(({ type }) => type)).toEqual(["inbox", "schedule"])
    expect(wakes[1]).toMatchObject({
      message: { message_type: "composer_input", payload: { source: "Now." } },
      envelope: { source: "self" },
    })
    expect(await messages()).toHaveLength(4)
  })

  it("[TRG-4] a turn that runs again after a crash finds the wakeup it asked for", async () => {
    let runs = 0
    const stuck = gate()
    const handler = async (ctx: HandlerContext) => {
      if (ctx.wake.type === "schedule") return
      await ctx.schedule.request({ when: { delayMs: HOUR }, prompt: "Now." })
      runs += 1
      if (runs === 1) await stuck.opened
    }
    await open([], {}, { agent: { handler, handlerTimeoutMs: 10 * DAY } })
    await say("watch this")
    await world.stop(0)
    await world.start(0)
    await world.clock.advance(DAY)
    expect(runs).toBe(2)
    expect(await world.fired("main")).toHaveLength(1)
  })

  it("[TRG-4] an agent without the switch has no such tools", async () => {
    const model = await open([says("Hi.")], {}, { agent: { wakeups: false } })
    await say("hello")
    expect(model.requests[0]?.tools.map(({ name }) => name)).not.toContain("request_wakeup")
  })
})
