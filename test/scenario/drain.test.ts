import { defineTool, ModelFault } from "@parlor/core"
import { calls, finish, type Gate, gate, type Script, says } from "@parlor/core/testing"
import { describe, expect, it } from "vitest"
import { z } from "zod"
import { DrainStage, watched } from "./drain-stage.ts"
import { address, txid } from "./stage.ts"

const DRAIN_MS = 20_000

const held = (text: string, rest: string, until: Gate): Script => [
  { type: "text", text },
  until,
  { type: "text", text: rest },
  finish(),
]

function countingTool(name: string, during: () => Promise<void> = async () => {}) {
  const runs = { count: 0 }
  const tool = defineTool({
    name,
    description: "",
    input: z.object({}),
    repeatable: false,
    run: async () => {
      runs.count += 1
      await during()
      return name
    },
  })
  return { tool, runs }
}

describe("a server that drains", () => {
  it("[TRN-17] lets the running step end whole, and starts nothing after it", async () => {
    const stage = new DrainStage()
    const end = gate()
    const node = await stage.open([held("Half, ", "and whole.", end)])
    await node.send("One")
    await node.send("Two")
    await stage.until((rows) => rows.deltas.size > 0)
    const draining = node.runtime.drain(DRAIN_MS)
    const drain = watched(draining)
    await stage.clock.advance(5_000)
    expect(drain.isOver).toBe(false)
    expect(node.runtime.isDraining).toBe(true)
    end.open()
    await draining
    expect(await stage.transcript()).toEqual(["person: One", "agent: Half, and whole."])
    expect((await stage.rows()).queue.size).toBe(1)
    await node.runtime.close()
    const next = await stage.open([says("Twice.")])
    await stage.idle()
    expect(await stage.transcript()).toEqual(["person: One", "agent: Half, and whole.", "person: Two", "agent: Twice."])
    await next.runtime.close()
  })

  it("[TRN-17] has nothing to wait for when nothing runs", async () => {
    const stage = new DrainStage()
    const node = await stage.open([says("Hi.")])
    await node.send("One")
    await stage.idle()
    await node.runtime.drain(DRAIN_MS)
    await node.runtime.close()
  })

  it("[TRN-17, TRN-18] cuts what still runs when the time is up; the next one replaces it", async () => {
    const stage = new DrainStage()
    const node = await stage.open([held("Half, ", "never said.", gate())])
    await node.send("One")
    await stage.until((rows) => rows.deltas.size > 0)
    const draining = node.runtime.drain(DRAIN_MS)
    const drain = watched(draining)
    await stage.clock.advance(DRAIN_MS - 1)
    expect(drain.isOver).toBe(false)
    await stage.clock.advance(1)
    expect(drain.isOver).toBe(true)
    await draining
    await node.runtime.close()
    const next = await stage.open([says("Whole.")])
    await stage.idle()
    expect(await stage.transcript()).toEqual(["person: One", "agent: Whole."])
    await next.runtime.close()
  })

  it("[TRN-17] still stops a turn, and still takes messages: they queue", async () => {
    const stage = new DrainStage()
    const node = await stage.open([held("Half, ", "never said.", gate())])
    const { turn } = await node.send("One")
    await stage.until((rows) => rows.deltas.size > 0)
    const draining = node.runtime.drain(DRAIN_MS)
    expect(await node.send("Two")).toMatchObject({ outcome: "queued" })
    await node.runtime.stop(address, { turn, onQueue: "drain", txid })
    await draining
    expect(await stage.transcript()).toEqual(["person: One", "agent (truncated): Half, "])
    await node.runtime.close()
    const next = await stage.open([says("Answered.")])
    await stage.idle()
    expect((await stage.transcript()).slice(2)).toEqual(["person: Two", "agent: Answered."])
    await next.runtime.close()
  })

  it("[TRN-17] lets an agent's own handler run to its end", async () => {
    const stage = new DrainStage()
    const end = gate()
    let runs = 0
    const node = await stage.open([held("First, ", "said.", end), says("Second.")], {
      agent: {
        handler: async (ctx) => {
          runs += 1
          await ctx.run()
          await ctx.run()
        },
      },
    })
    await node.send("One")
    await stage.until((rows) => rows.deltas.size > 0)
    const draining = node.runtime.drain(DRAIN_MS)
    end.open()
    await draining
    expect(runs).toBe(1)
    expect(await stage.transcript()).toEqual(["person: One", "agent: First, said.", "agent: Second."])
    await node.runtime.close()
  })
})

describe("beside another server", () => {
  it("[TRN-19] a turn continues there after the running step, at once and without a step asked twice", async () => {
    const stage = new DrainStage()
    const end = gate()
    const { tool, runs } = countingTool("look")
    const first: Script = [{ type: "text", text: "Let me see. " }, end, ...calls("look", {})]
    const a = await stage.open([first, says("Not here.")], { tools: [tool] })
    const b = await stage.open([says("Seen.")], { tools: [tool] })
    await a.send("One")
    await stage.until((rows) => rows.deltas.size > 0)
    const draining = a.runtime.drain(DRAIN_MS)
    end.open()
    await draining
    await stage.idle()
    expect([runs.count, a.model.requests.length, b.model.requests.length]).toEqual([1, 1, 1])
    expect(await stage.transcript()).toEqual(["person: One", "agent: Let me see. [look done]", "agent: Seen."])
    expect([...(await stage.rows()).turns.values()].map(({ state }) => state)).toEqual(["done"])
    await Promise.all([a, b].map(({ runtime }) => runtime.close()))
  })

  it("[TRN-19] the tools that are left run there, each once", async () => {
    const stage = new DrainStage()
    const end = gate()
    const entered = gate()
    const one = countingTool("one", async () => {
      entered.open()
      await end.opened
    })
    const two = countingTool("two")
    const tools = [one.tool, two.tool]
    const both: Script = [
      { type: "tool", call: "c1", name: "one", input: "{}" },
      { type: "tool", call: "c2", name: "two", input: "{}" },
      finish("tools"),
    ]
    const a = await stage.open([both], { tools })
    const b = await stage.open([says("Done.")], { tools })
    await a.send("One")
    await entered.opened
    const draining = a.runtime.drain(DRAIN_MS)
    end.open()
    await draining
    await stage.idle()
    expect([one.runs.count, two.runs.count, b.model.requests.length]).toEqual([1, 1, 1])
    expect(await stage.transcript()).toEqual(["person: One", "agent: [one done][two done]", "agent: Done."])
    await Promise.all([a, b].map(({ runtime }) => runtime.close()))
  })

  it("[TRN-19] queued messages start there, and so does one that is sent to the draining server", async () => {
    const stage = new DrainStage()
    const end = gate()
    const a = await stage.open([held("Half, ", "whole.", end)])
    const b = await stage.open([says("Two."), says("Three.")])
    await a.send("1")
    await a.send("2")
    await stage.until((rows) => rows.deltas.size > 0)
    const draining = a.runtime.drain(DRAIN_MS)
    end.open()
    await draining
    await stage.idle()
    expect(await a.send("3")).toMatchObject({ outcome: "queued" })
    await stage.idle()
    expect((await stage.transcript()).filter((line) => line.startsWith("agent"))).toEqual([
      "agent: Half, whole.",
      "agent: Two.",
      "agent: Three.",
    ])
    await Promise.all([a, b].map(({ runtime }) => runtime.close()))
  })

  it("[TRN-19, QUE-5] a message sent to the draining server ends a hold as always, and is answered there", async () => {
    const stage = new DrainStage()
    const a = await stage.open([held("Half, ", "never said.", gate())])
    const b = await stage.open([says("Again."), says("Later.")])
    const { turn } = await a.send("1")
    await a.send("2")
    await stage.until((rows) => rows.deltas.size > 0)
    await a.runtime.stop(address, { turn, onQueue: "hold", txid })
    await a.runtime.drain(DRAIN_MS)
    await a.send("3")
    await stage.idle()
    expect((await stage.transcript()).slice(2)).toEqual(["person: 3", "agent: Again.", "person: 2", "agent: Later."])
    await Promise.all([a, b].map(({ runtime }) => runtime.close()))
  })

  it("[TRN-19, TRN-12] a turn that waits for an answer waits there, and its ask stays open", async () => {
    const stage = new DrainStage()
    const pay = defineTool({
      name: "pay",
      description: "",
      input: z.object({}),
      repeatable: false,
      approval: "always",
      run: async () => "paid",
    })
    const a = await stage.open([calls("pay", {})], { tools: [pay] })
    const b = await stage.open([says("Paid.")], { tools: [pay] })
    await a.send("Pay")
    const { asks } = await stage.until((rows) => rows.asks.size > 0)
    await a.runtime.drain(DRAIN_MS)
    await a.runtime.close()
    expect((await stage.rows()).asks.get([...asks.keys()][0] ?? "")?.state).toBe("open")
    await b.runtime.answer(address, [...asks.keys()][0] ?? "", true, { by: "ana", txid })
    await stage.idle()
    expect([...(await stage.rows()).asks.values()].map(({ state }) => state)).toEqual(["answered"])
    expect(await stage.transcript()).toEqual(["person: Pay", "agent: [pay done]", "agent: Paid."])
    await b.runtime.close()
  })

  it("[TRN-19, TRN-10] a turn that waits to ask its model again asks it there", async () => {
    const stage = new DrainStage()
    const busy = new ModelFault("busy", { transient: true, retryAfterMs: 60_000 })
    const a = await stage.open([[busy]])
    const b = await stage.open([says("Here.")])
    await a.send("One")
    await stage.until((rows) => rows.status.get("status")?.state === "retrying")
    await a.runtime.drain(DRAIN_MS)
    await stage.idle()
    expect(await stage.transcript()).toEqual(["person: One", "agent: Here."])
    await Promise.all([a, b].map(({ runtime }) => runtime.close()))
  })

  it("[TRN-18, TRN-19] what is cut when the time is up is replaced there at once", async () => {
    const stage = new DrainStage()
    const a = await stage.open([held("Half, ", "never said.", gate())])
    const b = await stage.open([says("Whole.")])
    await a.send("One")
    await stage.until((rows) => rows.deltas.size > 0)
    const draining = a.runtime.drain(DRAIN_MS)
    await stage.clock.advance(DRAIN_MS)
    await draining
    await a.runtime.close()
    await stage.idle()
    expect(await stage.transcript()).toEqual(["person: One", "agent: Whole."])
    await b.runtime.close()
  })

  it("[TRN-19] servers that are drained one after another lose and double nothing", async () => {
    const stage = new DrainStage()
    const steps = 6
    const { tool, runs } = countingTool("look")
    const ends = Array.from({ length: steps }, () => gate())
    const script = (index: number): Script => [
      { type: "text", text: `Step ${index}. ` },
      ends[index] ?? gate(),
      ...calls("look", {}, `c${index}`),
    ]
    let node = await stage.open([script(0)], { tools: [tool] })
    await node.send("Go")
    for (let index = 1; index <= steps; index++) {
      await stage.until((rows) => rows.deltas.size > 0)
      const next = await stage.open([index < steps ? script(index) : says("Done.")], { tools: [tool] })
      const draining = node.runtime.drain(DRAIN_MS)
      ends[index - 1]?.open()
      await draining
      await node.runtime.close()
      node = next
    }
    await stage.idle()
    const steppedTo = Array.from({ length: steps }, (_, index) => `agent: Step ${index}. [look done]`)
    expect(await stage.transcript()).toEqual(["person: Go", ...steppedTo, "agent: Done."])
    expect(runs.count).toBe(steps)
    await node.runtime.close()
  })
})
