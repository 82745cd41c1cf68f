import { defineTool, ModelFault } from "@parlor/core"
import { calls, finish, gate, says } from "@parlor/core/testing"
import { afterEach, describe, expect, it } from "vitest"
import { z } from "zod"
import { address, openStage, type Stage, type StageOptions, txid } from "./stage.ts"

let stage: Stage
const open = async (options: StageOptions) => {
  stage = await openStage(options)
  return stage
}
afterEach(() => stage.close())

const clockTool = defineTool({
  name: "clock",
  description: "Tells the time",
  input: z.object({ zone: z.string() }),
  repeatable: true,
  run: async ({ zone }) => ({ time: `noon in ${zone}` }),
})

describe("a turn", () => {
  it("[TRN-2] answers a message: busy while it runs, idle after, never idle in between", async () => {
    await open({ scripts: [says("Hello there.")] })
    const sent = await stage.send("Hi")
    expect(sent).toMatchObject({ outcome: "started" })
    await stage.idle()
    expect(await stage.transcript()).toEqual(["person: Hi", "agent: Hello there."])
    const states = (await stage.log()).flatMap((change) => (change.type === "status" ? [change.value.state] : []))
    expect(states).toEqual(["idle", "busy", "idle"])
  })

  it("[TRN-6] saves a tool call before it runs and its result before the next step", async () => {
    await open({ scripts: [calls("clock", { zone: "Rome" }), says("It is noon.")], tools: [clockTool] })
    await stage.send("What time is it?")
    await stage.idle()
    expect(await stage.transcript()).toEqual([
      "person: What time is it?",
      'agent: [clock done: {"time":"noon in Rome"}]',
      "agent: It is noon.",
    ])
    const tools = (await stage.log()).flatMap((change) =>
      change.type === "messages"
        ? change.value.parts.flatMap((part) => (part.type === "tool" ? [part.state] : []))
        : [],
    )
    expect(tools.slice(0, 2)).toEqual(["started", "done"])
    expect(stage.model.requests[1]?.messages.at(-1)).toEqual({
      role: "tools",
      results: [{ call: "call_1", name: "clock", outcome: "done", output: { time: "noon in Rome" } }],
    })
  })

  it("[TRN-26] what a tool reports is in the log while it runs, and gone when it has ended", async () => {
    const copied = gate()
    const copy = defineTool({
      name: "copy",
      description: "Copies",
      input: z.object({}),
      repeatable: true,
      run: async (_, { progress }) => {
        progress({ text: "half way", done: 1, total: 2 })
        await copied.opened
        return "copied"
      },
    })
    await open({ scripts: [calls("copy", {}), says("Done.")], tools: [copy] })
    await stage.send("Copy it")
    const shown = async () =>
      (await stage.log()).flatMap((change) =>
        change.type === "messages" ? change.value.parts.flatMap((part) => (part.type === "tool" ? [part] : [])) : [],
      )
    await expect.poll(async () => (await shown()).at(-1)?.progress).toEqual({ text: "half way", done: 1, total: 2 })
    expect((await shown()).at(-1)).toMatchObject({ state: "started", startedAt: expect.any(Number) })
    copied.open()
    await stage.idle()
    const last = (await shown()).at(-1)
    expect(last).toMatchObject({ state: "done", output: "copied" })
    expect(last).not.toHaveProperty("progress")
    expect(last).not.toHaveProperty("startedAt")
  })

  it("[TRN-11] a tool that fails, is unknown or gets bad input is a result the model sees", async () => {
    const broken = defineTool({
      name: "broken",
      description: "",
      input: z.object({}),
      repeatable: false,
      run: async () => {
        throw new Error("no luck")
      },
    })
    const scripts = [
      calls("broken", {}, "a"),
      calls("nothing", {}, "b"),
      calls("clock", { zone: 5 }, "c"),
      says("I give up."),
    ]
    await open({ scripts, tools: [broken, clockTool] })
    await stage.send("Try")
    await stage.idle()
    expect(await stage.transcript()).toEqual([
      "person: Try",
      'agent: [broken failed: "tool.failed"]',
      'agent: [nothing failed: "tool.unknown"]',
      'agent: [clock failed: "tool.input"]',
      "agent: I give up.",
    ])
  })

  it("[TRN-5] a stopped answer stays as it was seen, and is context for the next turn", async () => {
    const held = gate()
    await open({ scripts: [[{ type: "text", text: "Once upon a " }, held, finish()], says("Sure.")] })
    const { turn } = await stage.send("Tell me a story")
    await stage.until((rows) => rows.deltas.size > 0)
    expect(await stage.runtime.stop(address, { turn, onQueue: "hold", txid })).toEqual({ turn, state: "stopped" })
    const rows = await stage.rows()
    expect(await stage.transcript()).toEqual(["person: Tell me a story", "agent (truncated): Once upon a "])
    expect(rows.status.get("status")).toMatchObject({ state: "idle", held: { reason: "stopped" } })
    held.open()
    await stage.send("Shorter")
    await stage.idle()
    expect(JSON.stringify(stage.model.requests[1])).toContain("Once upon a")
  })

  it("[TRN-4] a stop names its turn: a late one does not hit the next", async () => {
    const held = gate()
    await open({ scripts: [says("One."), [{ type: "text", text: "Two" }, held, finish()]] })
    const first = await stage.send("a")
    await stage.idle()
    await expect(stage.runtime.stop(address, { turn: undefined, onQueue: "hold", txid })).rejects.toMatchObject({
      code: "turn.none",
    })
    await stage.send("b")
    await stage.until((rows) => rows.deltas.size > 0)
    await expect(stage.runtime.stop(address, { turn: first.turn, onQueue: "hold", txid })).rejects.toMatchObject({
      code: "turn.over",
    })
    held.open()
    await stage.idle()
    expect(await stage.transcript()).toEqual(["person: a", "agent: One.", "person: b", "agent: Two"])
  })

  it("[TRN-10] a fault that cannot be mended ends the turn with a clear error, what was said is kept", async () => {
    const fault = new ModelFault("The key was refused.", { transient: false })
    await open({ scripts: [[{ type: "text", text: "Well" }, fault], says("Back.")] })
    await stage.send("Hi")
    const rows = await stage.until((now) => now.status.get("status")?.state === "error")
    expect(await stage.transcript()).toEqual(["person: Hi", "agent (failed): Well"])
    expect([...rows.turns.values()]).toMatchObject([
      { state: "failed", error: { code: "model.failed", detail: "The key was refused." } },
    ])
    expect(rows.status.get("status")).toMatchObject({ held: { reason: "error" } })
    await stage.send("Again")
    await stage.idle()
    expect((await stage.rows()).status.get("status")).toMatchObject({ state: "idle", held: null, error: null })
  })

  it("[TRN-14] counts tokens per step, turn and conversation", async () => {
    const usage = { inputTokens: 10, outputTokens: 3, reasoningTokens: 0, cachedTokens: 2, costMicros: 0 }
    await open({ scripts: [says("a", usage), says("b", usage)] })
    await stage.send("1")
    await stage.idle()
    await stage.send("2")
    const rows = await stage.idle()
    expect([...rows.turns.values()].map((turn) => turn.usage)).toEqual([usage, usage])
    expect(rows.status.get("status")?.usage).toEqual({
      inputTokens: 20,
      outputTokens: 6,
      reasoningTokens: 0,
      cachedTokens: 4,
      costMicros: 0,
    })
  })
})

describe("the queue", () => {
  it("[QUE-1, QUE-2] a message sent while busy is stored at once, queues, and runs after", async () => {
    const held = gate()
    await open({ scripts: [[{ type: "text", text: "First" }, held, finish()], says("Second"), says("Third")] })
    await stage.send("1")
    expect(await stage.send("2")).toMatchObject({ outcome: "queued", place: 1 })
    expect(await stage.send("3")).toMatchObject({ outcome: "queued", place: 2 })
    expect((await stage.rows()).queue.size).toBe(2)
    held.open()
    await stage.idle()
    expect(await stage.transcript()).toEqual([
      "person: 1",
      "agent: First",
      "person: 2",
      "agent: Second",
      "person: 3",
      "agent: Third",
    ])
  })

  it("[QUE-5] a stop holds the queue until the person sends", async () => {
    const held = gate()
    await open({ scripts: [[{ type: "text", text: "One" }, held, finish()], says("Three"), says("Two")] })
    await stage.send("1")
    await stage.send("2")
    await stage.until((rows) => rows.deltas.size > 0)
    await stage.runtime.stop(address, { turn: undefined, onQueue: "hold", txid })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect((await stage.rows()).queue.size).toBe(1)
    held.open()
    await stage.send("3")
    await stage.idle()
    expect(await stage.transcript()).toEqual([
      "person: 1",
      "agent (truncated): One",
      "person: 3",
      "agent: Three",
      "person: 2",
      "agent: Two",
    ])
  })

  it("[QUE-11] the same key gives the first answer, also after it ran; another body is refused", async () => {
    await open({ fallback: says("ok") })
    const [first, second] = await Promise.all([stage.send("hi", { key: "k" }), stage.send("hi", { key: "k" })])
    expect(second).toEqual(first)
    await stage.idle()
    expect(await stage.send("hi", { key: "k" })).toEqual(first)
    await expect(stage.send("other", { key: "k" })).rejects.toMatchObject({ code: "idempotency.reused" })
    expect(await stage.transcript()).toEqual(["person: hi", "agent: ok"])
  })

  it("[QUE-12] `queued` goes through the queue also when idle, `paused` waits until released", async () => {
    await open({ fallback: says("ok") })
    expect(await stage.send("later", { mode: "paused" })).toMatchObject({ outcome: "queued" })
    expect(await stage.send("soon", { mode: "queued" })).toMatchObject({ outcome: "queued" })
    await stage.until((rows) => rows.messages.size === 2 && rows.status.get("status")?.turn === null)
    expect(await stage.transcript()).toEqual(["person: soon", "agent: ok"])
    expect([...(await stage.rows()).queue.values()].map((row) => row.mode)).toEqual(["paused"])
  })

  it("[QUE-14] twenty messages sent at once run once each, in the order they were taken", async () => {
    await open({ fallback: says("ok"), settings: { drainDelayMs: 0 } })
    const texts = Array.from({ length: 20 }, (_, index) => `m${index}`)
    await Promise.all(texts.map((text) => stage.send(text)))
    await stage.until((rows) => rows.messages.size === 40 && rows.status.get("status")?.turn === null)
    const asked = (await stage.transcript()).filter((text) => text.startsWith("person")).map((text) => text.slice(8))
    expect([...asked].sort()).toEqual([...texts].sort())
  })
})
