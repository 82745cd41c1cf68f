/** An agent that works while nobody is there, and a model that fails: what is tried again, when, and what is shown. */
import { type Agent, type Hook, ModelFault } from "@parlor/core"
import { calls, gate, type Script, type ScriptedModel, says, scriptedModel } from "@parlor/core/testing"
import type { MessageRow } from "@parlor/protocol"
import { afterEach, describe, expect, it } from "vitest"
import { z } from "zod"
import { HOUR, MINUTE, person, World } from "./world.ts"

const SECOND = 1_000
const address = { agent: "crab", person, branch: "main" }
const busy: Script = [new ModelFault("Too many requests.", { transient: true })]
const noKey: Script = [new ModelFault("Invalid API key.", { transient: false })]

let world: World
let model: ScriptedModel
let hook: Hook
afterEach(() => world.close())

async function open(scripts: readonly Script[], agent: Partial<Agent> = {}, nodes = 1): Promise<void> {
  model = scriptedModel(scripts, { fallback: says("Done.") })
  const settings = {
    retry: { tries: 1, baseMs: 1, maxMs: 1 },
    leaseMs: 10 * SECOND,
    renewMs: 3 * SECOND,
    sweepMs: 2 * SECOND,
  }
  world = new World({ nodes, agent: { model, ...agent }, settings })
  for (const index of world.nodes.keys()) await world.start(index)
  const asked = {
    agent: "crab",
    branch: "main",
    name: "",
    style: "standard",
    template: "{{body}}",
    type: null,
  } as const
  const made = { id: "hook_0123456789abcdef", secret: "whsec_c2VjcmV0", txid: world.node.txid() }
  hook = await world.node.makeHook(person, { ...asked, perMinute: 6_000 }, made)
}

const deliver = async (text: string, node = world.node) => {
  await node.deliver(hook, { id: text, body: text, headers: {} }, { txid: node.txid() })
  await world.clock.advance(SECOND)
}
const type = async (text: string, node = world.node) => {
  const said = { type: "composer_input", payload: { source: text }, mode: "immediate", source: "person" } as const
  const sending = node.send(address, { ...said, txid: node.txid() })
  await world.clock.advance(SECOND)
  return sending
}
const snapshot = () => world.node.snapshot(address, { messages: 100 })
const status = async () => (await snapshot()).status
const lineOf = ({ role, parts }: MessageRow) =>
  `${role}: ${parts.map((part) => ("text" in part ? part.text : part.type === "tool" ? `[${part.name}]` : "")).join("")}`
const lines = async () => (await snapshot()).messages.map(lineOf)
const fates = async () =>
  (await world.node.openHook(person, hook.id)).firings.map(({ id, became }) => `${id} ${became}`)

describe("after an error while nobody is there", () => {
  it("[QUE-20] [TRN-24] a webhook's message is tried again by itself, later each time, and then the queue continues", async () => {
    await open([busy, busy, says("Answered.")])
    await deliver("first")
    await deliver("second")
    expect(await status()).toMatchObject({ state: "error", held: { reason: "error" }, again: { tries: 1 } })
    await world.clock.advance(30 * SECOND)
    expect(model.requests).toHaveLength(2)
    expect(await status()).toMatchObject({ state: "error", again: { tries: 2 } })
    await world.clock.advance(50 * SECOND)
    expect(model.requests).toHaveLength(2)
    await world.clock.advance(20 * SECOND)
    expect(await lines()).toEqual(["person: first", "agent: Answered.", "person: second", "agent: Done."])
    expect(await status()).toMatchObject({ state: "idle", held: null, again: null, failures: 0 })
    expect(await fates()).toEqual(["second done", "first done"])
  })

  it("[TRN-23] [TRN-25] what cannot pass is not tried again: it stays visible, and the next message gets its turn", async () => {
    await open([noKey, says("Answered.")])
    await deliver("first")
    await deliver("second")
    expect(await status()).toMatchObject({ state: "error", again: null, unread: true })
    await world.clock.advance(MINUTE)
    const told = ["person: first", "agent: Not answered: Invalid API key.", "person: second", "agent: Answered."]
    expect(await lines()).toEqual(told)
    expect(await fates()).toEqual(["second done", "first failed"])
    expect(JSON.stringify(model.requests.at(-1))).not.toContain("Not answered")
  })

  it("[TRN-23] [TRN-25] it is given up after eight retries, in hours, and the notice says how often it was tried", async () => {
    await open(Array.from({ length: 9 }, () => busy))
    await deliver("first")
    await world.clock.advance(4 * HOUR)
    expect(model.requests).toHaveLength(9)
    expect(await lines()).toEqual(["person: first", "agent: Not answered after 9 attempts: Too many requests."])
    await deliver("second")
    await world.clock.advance(2 * HOUR)
    expect((await lines()).slice(2)).toEqual(["person: second", "agent: Done."])
  })

  it("[TRN-24] a retry sees what the failed turn did: a tool that has run does not run again", async () => {
    let runs = 0
    const pay = {
      name: "pay",
      description: "Pays.",
      input: z.object({}),
      repeatable: false,
      run: async () => {
        runs += 1
        return "paid"
      },
    }
    await open([calls("pay", {}), busy, says("Paid.")], { tools: [pay] })
    await deliver("pay it")
    await world.clock.advance(MINUTE)
    expect(runs).toBe(1)
    expect((await lines()).at(-1)).toBe("agent: Paid.")
  })

  it("[QUE-21] after a person's message failed, triggers do not wait for the person, and people's messages do", async () => {
    const wait = gate()
    await open([[wait, ...busy], says("Answered.")])
    await type("mine")
    await type("mine too")
    wait.open()
    await world.clock.advance(SECOND)
    await deliver("fired")
    expect((await lines()).at(-1)).toBe("person: mine")
    await world.clock.advance(MINUTE)
    expect(await lines()).toEqual(["person: mine", "person: fired", "agent: Answered."])
    expect(await status()).toMatchObject({ state: "idle", held: { reason: "error", only: "triggers" } })
    await deliver("fired again")
    expect((await lines()).at(-1)).toBe("agent: Done.")
    await world.clock.advance(24 * HOUR)
    expect((await snapshot()).queue).toHaveLength(1)
    await world.node.resume(address, world.node.txid())
    await world.clock.advance(SECOND)
    expect((await lines()).slice(-2)).toEqual(["person: mine too", "agent: Done."])
  })

  it("[QUE-21] a trigger's message far behind people's messages is found", async () => {
    const wait = gate()
    await open([[wait, ...busy]])
    await type("mine")
    for (let n = 0; n < 12; n++) await type(`more ${n}`)
    wait.open()
    await deliver("fired")
    await world.clock.advance(MINUTE)
    expect((await lines()).slice(-2)).toEqual(["person: fired", "agent: Done."])
    expect((await snapshot()).queue).toHaveLength(12)
  })

  it.each([0, 1])(
    "[QUE-22] a person who sends meanwhile does not wait, on node %i, and the retry comes at its time",
    async (index) => {
      await open([busy, says("Hello."), says("Answered.")], {}, 2)
      await deliver("first", world.nodes[0])
      const sent = await type("hi", world.nodes[index])
      expect(sent.outcome).toBe("started")
      expect(await lines()).toEqual(["person: first", "person: hi", "agent: Hello."])
      expect(await status()).toMatchObject({ state: "idle", held: null, again: { tries: 1 } })
      await world.clock.advance(MINUTE)
      expect((await lines()).at(-1)).toBe("agent: Answered.")
      expect(await status()).toMatchObject({ again: null })
    },
  )

  it("[QUE-22] resuming retries at once, pausing puts it off, stopping the retry cancels it", async () => {
    const wait = gate()
    await open([busy, busy, [wait, ...says("late")]])
    await deliver("first")
    await world.node.resume(address, world.node.txid())
    await world.clock.advance(SECOND)
    expect(model.requests).toHaveLength(2)
    await world.node.hold(address, world.node.txid())
    await world.clock.advance(HOUR)
    expect(model.requests).toHaveLength(2)
    await world.node.resume(address, world.node.txid())
    await world.clock.advance(SECOND)
    expect(await status()).toMatchObject({ state: "busy" })
    const stopping = world.node.stop(address, { turn: undefined, onQueue: undefined, txid: world.node.txid() })
    await world.clock.advance(SECOND)
    await stopping
    expect(await status()).toMatchObject({ held: { reason: "stopped" }, again: null })
    wait.open()
    await world.clock.advance(HOUR)
    expect(model.requests).toHaveLength(3)
  })

  it("[QUE-22] a rollback cancels the retry", async () => {
    await open([says("Hello."), busy])
    await type("hi")
    await deliver("first")
    const { messages } = await snapshot()
    await world.node.rollBack(address, {
      to: messages[0]?.id ?? "",
      scope: "conversation",
      txid: world.node.txid(),
    } as never)
    await world.clock.advance(HOUR)
    expect(model.requests).toHaveLength(2)
    expect(await status()).toMatchObject({ again: null })
  })

  it("[QUE-23] the hold survives a restart and a dead node: another one retries, at the same time", async () => {
    await open([busy, says("Answered.")], {}, 2)
    await deliver("first", world.nodes[0])
    const { again } = await status()
    const [dead] = world.stores
    const never = () => new Promise<never>(() => {})
    if (dead === undefined) throw new Error("there is no first node")
    dead.hooks = { latency: never, readLatency: never }
    Object.assign(dead.log, { renew: never })
    world.nodes[0] = undefined
    await world.clock.advance(20 * SECOND)
    expect(model.requests).toHaveLength(1)
    await world.stop(1)
    await world.start(1)
    await world.clock.advance(5 * SECOND)
    expect(model.requests).toHaveLength(1)
    expect((await status()).again).toEqual(again)
    await world.clock.advance(10 * SECOND)
    expect((await lines()).at(-1)).toBe("agent: Answered.")
  })

  it("[QUE-20] `hold` waits for a person, as for a stop; `continue` goes on with the next message at once", async () => {
    await open([busy], { onError: "hold" })
    await deliver("first")
    await deliver("second")
    await world.clock.advance(24 * HOUR)
    expect(await status()).toMatchObject({ state: "error", again: null })
    expect((await snapshot()).queue).toHaveLength(1)
    await world.close()
    await open([busy], { onError: "continue" })
    await deliver("first")
    expect(await status()).toMatchObject({ state: "error", held: null, again: null })
    await deliver("second")
    expect((await lines()).at(-1)).toBe("agent: Done.")
  })

  it("[TRN-25] outgoing news of a failed turn says when it is tried again", async () => {
    await open([busy])
    const feed = await world.node.feed(person)
    await deliver("first")
    const page = await world.node.events(feed.id, 0, { count: 100, bytes: 1e6 })
    const news = (page?.changes ?? []).flatMap(({ value }) => JSON.parse(value).news ?? [])
    expect(news.at(-1)).toMatchObject({ event: "turn.finished", state: "failed", retryAt: (await status()).again?.at })
  })
})
