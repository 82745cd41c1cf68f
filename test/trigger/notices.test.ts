import type { Courier, Delivery, Parcel } from "@parlor/core"
import { calls, says, scriptedModel } from "@parlor/core/testing"
import { limits } from "@parlor/protocol"
import { afterEach, describe, expect, it } from "vitest"
import { z } from "zod"
import { DAY, HOUR, person, World, type WorldOptions } from "./world.ts"

let world: World
afterEach(() => world.close())

/** Takes what it is given, and answers as a test says. */
class TestCourier implements Courier {
  readonly taken: Parcel[] = []
  answer: (parcel: Parcel) => Delivery | Promise<Delivery> = () => ({ ok: true })

  defect(url: string): string | undefined {
    return url.startsWith("https://") ? undefined : "Not there."
  }

  async take(parcel: Parcel): Promise<Delivery> {
    this.taken.push(parcel)
    return this.answer(parcel)
  }

  get told(): readonly { type: string; data: Record<string, unknown> }[] {
    return this.taken.map(({ body }) => JSON.parse(body))
  }
}

const failed = { ok: false, never: false, code: "notice.answer", detail: "It answered 500." } as const
const address = { agent: "crab", person, branch: "main" }

async function open(options: WorldOptions = {}): Promise<TestCourier> {
  const courier = new TestCourier()
  world = new World({ courier, ...options })
  for (const index of world.nodes.keys()) await world.start(index)
  return courier
}

function make(
  rest: { readonly agent?: string; readonly events?: readonly ("turn.finished" | "ask.opened")[] } = {},
  n = 1,
) {
  const asked = {
    url: "https://example.com/n",
    events: ["turn.finished", "ask.opened"] as const,
    agent: null,
    name: "",
  }
  return world.node.makeNotice(person, { ...asked, ...rest }, { id: `ntc_${n}`, secret: "whsec_c2VjcmV0" })
}

async function say(text: string, node = world.node): Promise<void> {
  const message = { type: "composer_input", payload: { source: text }, mode: "immediate", source: "person" } as const
  await node.send(address, { ...message, txid: node.txid() })
  await world.clock.advance(100)
}

describe("notices", () => {
  it("[TRG-9] a turn that finished is told at once, with what came of it; what came before is not", async () => {
    const courier = await open()
    await say("before")
    await make()
    await say("hello")
    expect(courier.taken).toHaveLength(1)
    const [parcel] = courier.taken
    expect(parcel).toMatchObject({ url: "https://example.com/n", secret: "whsec_c2VjcmV0" })
    expect(parcel?.id).toMatch(/^msg_ntc_1_\d+$/)
    const { messages } = await world.node.snapshot(address, { messages: 2 })
    expect(courier.told).toMatchObject([
      {
        type: "turn.finished",
        timestamp: expect.stringMatching(/Z$/),
        data: {
          agent: "crab",
          branch: "main",
          state: "done",
          said: "Done.",
          turn: messages[0]?.turn,
          message: messages[0]?.id,
        },
      },
    ])
    expect(await world.node.openNotice(person, "ntc_1")).toMatchObject({
      state: "active",
      tries: 0,
      firings: [{ outcome: "delivered", error: null }],
    })
  })

  it("[TRG-9] an ask that opened is told, and how the turn ended after it; only what was asked for, of the agent asked for", async () => {
    const ask = {
      name: "ask",
      description: "",
      input: z.object({}),
      repeatable: true,
      run: async (_: unknown, { ask }: { ask: (question: { kind: "question"; title: string }) => Promise<unknown> }) =>
        String(await ask({ kind: "question", title: "Sure?" })),
    }
    const model = scriptedModel([calls("ask", {}), says("Good.")], { fallback: says("Done.") })
    const courier = await open({ agent: { model, tools: [ask as never] } })
    await make()
    await make({ events: ["ask.opened"] }, 2)
    await make({ agent: "other" }, 3)
    await say("do it")
    const [opened] = courier.told
    expect(opened).toMatchObject({ type: "ask.opened", data: { kind: "question", title: "Sure?" } })
    await world.node.answer(address, String(opened?.data.ask), "yes", { by: person, txid: world.node.txid() })
    await world.clock.advance(1_000)
    expect(courier.taken.map(({ id }) => id.replace(/_\d+$/, ""))).toEqual(["msg_ntc_1", "msg_ntc_2", "msg_ntc_1"])
    expect(courier.told.at(-1)).toMatchObject({ type: "turn.finished", data: { state: "done" } })
  })

  it("[TRG-9] what cannot be told is tried again, later and later, with the same id; nothing is passed over", async () => {
    const courier = await open()
    await make()
    courier.answer = () => failed
    await say("one")
    await say("two")
    expect(await world.node.openNotice(person, "ntc_1")).toMatchObject({ tries: 1, why: { code: "notice.answer" } })
    await world.clock.advance(3 * 60_000)
    const ids = courier.taken.map(({ id }) => id)
    expect(ids).toHaveLength(4)
    expect(new Set(ids).size).toBe(1)
    courier.answer = () => ({ ok: true })
    await world.clock.advance(HOUR)
    expect(courier.taken.slice(4).map(({ body }) => JSON.parse(body).data.message)).toHaveLength(2)
    expect(await world.node.openNotice(person, "ntc_1")).toMatchObject({ tries: 0, why: null, retryAt: null })
  })

  it("[TRG-9] after the last try it is paused and says why; resumed, it goes on where it stopped", async () => {
    const courier = await open()
    await make()
    courier.answer = () => failed
    await say("one")
    await world.clock.advance(3 * DAY)
    const tries = courier.taken.length
    expect(tries).toBe(10)
    expect(await world.node.openNotice(person, "ntc_1")).toMatchObject({
      state: "paused",
      why: { detail: "It answered 500." },
    })
    await say("two")
    await world.clock.advance(DAY)
    expect(courier.taken).toHaveLength(tries)
    courier.answer = () => ({ ok: true })
    await world.node.changeNotice(person, "ntc_1", { paused: false })
    await world.clock.advance(1_000)
    expect(courier.taken).toHaveLength(tries + 2)
  })

  it("[TRG-9] what is useless to try again is not tried again", async () => {
    const courier = await open()
    await make()
    courier.answer = () => ({ ok: false, never: true, code: "notice.url", detail: "Not out in the world." })
    await say("one")
    await world.clock.advance(DAY)
    expect(courier.taken).toHaveLength(1)
    expect((await world.node.openNotice(person, "ntc_1")).state).toBe("paused")
  })

  it("[TRG-9] of three nodes one tells it; what a node did not finish another does, and a restart loses nothing", async () => {
    const courier = await open({ nodes: 3 })
    await make()
    for (let i = 0; i < 20; i++) await say(`${i}`, world.nodes[i % 3])
    await world.clock.advance(60_000)
    expect(courier.taken).toHaveLength(20)
    expect(new Set(courier.taken.map(({ id }) => id)).size).toBe(20)
    courier.answer = () => new Promise(() => {})
    await say("hangs", world.nodes[0])
    void world.nodes[0]?.close()
    world.nodes[0] = undefined
    courier.answer = () => ({ ok: true })
    await world.clock.advance(2 * 60_000)
    expect(courier.taken).toHaveLength(22)
    expect(courier.taken[20]?.id).toBe(courier.taken[21]?.id)
  })

  it("[TRG-9] a store that fails is asked again: told at least once, in order", async () => {
    const courier = await open()
    await make()
    const [store] = world.stores
    let writes = 0
    if (store)
      store.hooks = { beforeCommit: (batch) => (batch.length === 0 && ++writes % 3 === 0 ? "fail-after" : undefined) }
    for (let i = 0; i < 6; i++) await say(`${i}`)
    await world.clock.advance(10 * 60_000)
    const told = [...new Set(courier.told.map(({ data }) => data.message))]
    const { messages } = await world.node.snapshot(address, { messages: 100 })
    expect(told).toEqual(messages.filter(({ role }) => role === "person").map(({ id }) => id))
  })

  it("[TRG-9] what a deleted conversation had to tell is not told", async () => {
    const courier = await open()
    await make()
    courier.answer = () => failed
    await say("a secret")
    await world.node.remove(address, { branches: [], txid: world.node.txid() })
    courier.answer = () => ({ ok: true })
    courier.taken.length = 0
    await world.clock.advance(DAY)
    expect(courier.taken).toEqual([])
  })

  it("[TRG-9] a test says how it went; one person's are not another's; so many and not more", async () => {
    const courier = await open()
    await make()
    expect(await world.node.testNotice(person, "ntc_1")).toEqual({ delivered: true, error: null })
    expect(courier.told[0]?.type).toBe("test")
    courier.answer = () => failed
    expect(await world.node.testNotice(person, "ntc_1")).toMatchObject({
      delivered: false,
      error: { code: "notice.answer" },
    })
    await expect(world.node.openNotice("bob", "ntc_1")).rejects.toMatchObject({ code: "notice.unknown" })
    await expect(world.node.deleteNotice("bob", "ntc_1")).rejects.toMatchObject({ code: "notice.unknown" })
    for (let n = 2; n <= limits.notices; n++) await make({}, n)
    await expect(make({}, 99)).rejects.toMatchObject({ code: "notice.full" })
    const nowhere = world.node.makeNotice(
      person,
      { url: "http://x", events: ["ask.opened"], agent: null, name: "" },
      { id: "ntc_x", secret: "s" },
    )
    await expect(nowhere).rejects.toMatchObject({ code: "notice.url", pointer: "/url" })
    await world.node.deleteNotice(person, "ntc_1")
    expect(await world.node.listNotices(person)).toHaveLength(limits.notices - 1)
  })
})
