import {
  commandsIn,
  defineTool,
  type Handler,
  type HandlerContext,
  type HandlerWake,
  ModelFault,
  spawnMessage,
} from "@parlor/core"
import { calls, FakeClock, finish, gate, MemorySpool, MemoryStore, says } from "@parlor/core/testing"
import type { AskRow, MessageRow, Rows, Trigger } from "@parlor/protocol"
import { afterEach, describe, expect, it } from "vitest"
import { z } from "zod"
import { address, openStage, type Stage, type StageOptions, txid } from "./stage.ts"
import { typed } from "./typed.ts"

let stage: Stage
const open = async (handler: Handler, options: StageOptions = {}) => {
  stage = await openStage({ ...options, agent: { ...options.agent, handler } })
  return stage
}
afterEach(() => stage.close())

const turns = (rows: Rows) => [...rows.turns.values()]
const person = (rows: Rows) => [...rows.messages.values()].filter(({ role }) => role === "person")
const contexts = ({ parts }: MessageRow) => parts.flatMap((part) => (part.type === "context" ? [part] : []))

function sendMessage(message: { type: string; payload: unknown; trigger?: Trigger }) {
  return stage.runtime.send(address, {
    ...(message as { type: string; payload: string }),
    mode: "immediate",
    source: "test",
    txid,
    ...(message.trigger === undefined ? {} : { trigger: message.trigger }),
  })
}

describe("a handler", () => {
  it("[CMP-12] without one the standard turn runs; with one it runs when the handler says so", async () => {
    await open((ctx) => ctx.run(), { scripts: [says("Hello there.")] })
    await stage.send("Hi")
    await stage.idle()
    expect(await stage.transcript()).toEqual(["person: Hi", "agent: Hello there."])
  })

  it("[CMP-12] may say something itself, before and after, and learns what the model said", async () => {
    await open(
      async (ctx) => {
        await ctx.reply("Let me see.")
        const { text } = await ctx.run()
        await ctx.reply(`That was ${text.length} characters.`)
      },
      { scripts: [says("Hello there.")] },
    )
    await stage.send("Hi")
    const rows = await stage.idle()
    expect(await stage.transcript()).toEqual([
      "person: Hi",
      "agent: Let me see.",
      "agent: Hello there.",
      "agent: That was 12 characters.",
    ])
    expect(stage.model.requests[0]?.messages.at(-1)).toMatchObject({
      role: "person",
      text: expect.stringContaining("Continue your answer"),
    })
    expect(rows.status.get("status")).toMatchObject({ state: "idle", preview: "That was 12 characters." })
    expect([...rows.messages.values()].every(({ turn }) => turn === turns(rows)[0]?.id)).toBe(true)
  })

  it("[CMP-12] may do neither: a turn without an answer is a turn", async () => {
    await open(() => {})
    await stage.send("Psst")
    const rows = await stage.idle()
    expect(await stage.transcript()).toEqual(["person: Psst"])
    expect(turns(rows)[0]).toMatchObject({ state: "done", steps: 0, error: null })
  })

  it("[CMP-12] runs the standard turn several times, with what it learned in between, within one turn's steps", async () => {
    const noted = defineTool({
      name: "note",
      description: "",
      input: z.object({}),
      repeatable: true,
      run: async () => "noted",
    })
    await open(
      async (ctx) => {
        const first = await ctx.run()
        await ctx.insertContext({ type: "check", title: "The check", content: `"${first.text}" is no JSON.` })
        await ctx.run()
      },
      { scripts: [calls("note", {}), says("one"), says('{"n":1}')], tools: [noted] },
    )
    await stage.send("Give me JSON")
    const rows = await stage.idle()
    expect(await stage.transcript()).toEqual([
      "person: Give me JSON",
      'agent: [note done: "noted"]',
      "agent: one",
      "person: [context]",
      'agent: {"n":1}',
    ])
    expect(turns(rows)[0]).toMatchObject({ steps: 3, state: "done" })
    expect(turns(rows)[0]?.runs).toHaveLength(2)
  })

  it("[CMP-14] an error of its own ends the turn with that error, visible, and holds the queue", async () => {
    await open(async (ctx) => {
      await ctx.reply("Looking it up.")
      throw new RangeError("There is no order number 7.")
    })
    await stage.send("/order 7")
    const rows = await stage.idle()
    const error = { code: "handler.failed", detail: "There is no order number 7." }
    expect(turns(rows)[0]).toMatchObject({ state: "failed", error })
    expect(rows.status.get("status")).toMatchObject({ state: "error", error, held: { reason: "error" } })
    expect(await stage.transcript()).toEqual(["person: /order 7", "agent: Looking it up."])
  })

  it("[CMP-14] an unknown command is the model's to read, as it was typed", async () => {
    await open((ctx) => ctx.run(), { scripts: [says("I do not know that one.")] })
    await sendMessage({ type: "composer_input", payload: typed("/nonsense 12") })
    await stage.idle()
    expect(stage.model.requests[0]?.messages).toEqual([{ role: "person", text: "/nonsense 12" }])
    expect(turns(await stage.rows())[0]?.state).toBe("done")
  })

  it("a failed model call is its to catch; what was said until then stays, marked", async () => {
    await open(
      async (ctx) => {
        await ctx.run().catch((error: Error) => ctx.reply(`Sorry: ${error.message}`))
      },
      { scripts: [[{ type: "text", text: "Half" }, new ModelFault("no such model", { transient: false })]] },
    )
    await stage.send("Hi")
    const rows = await stage.idle()
    expect(await stage.transcript()).toEqual(["person: Hi", "agent (failed): Half", "agent: Sorry: no such model"])
    expect(turns(rows)[0]?.state).toBe("done")
  })

  it("what it says after tries that failed comes after what they said", async () => {
    const half = [{ type: "text", text: "Half" } as const, new ModelFault("overloaded", { transient: true })]
    await open(
      async (ctx) => {
        await ctx.run().catch((error: Error) => ctx.reply(`Sorry: ${error.message}`))
      },
      { scripts: [half, [new ModelFault("no such model", { transient: false })]] },
    )
    await stage.send("Hi")
    const rows = await stage.idle()
    expect(await stage.transcript()).toEqual(["person: Hi", "agent (failed): Half", "agent: Sorry: no such model"])
    expect([...rows.messages.values()].map(({ ord }) => ord).sort()).toEqual([1, 2, 3])
  })

  it("one it does not catch is the turn's error", async () => {
    await open((ctx) => ctx.run(), { scripts: [[new ModelFault("no such model", { transient: false })]] })
    await stage.send("Hi")
    expect(turns(await stage.idle())[0]?.error).toEqual({ code: "model.failed", detail: "no such model" })
  })

  it("what it began and did not wait for is done before the turn ends, and its failure is the turn's", async () => {
    await open(
      (ctx) => {
        void ctx.reply("First.")
        void ctx.run()
        void ctx.reply("Last.")
      },
      { scripts: [says("Second.")] },
    )
    await stage.send("Hi")
    await stage.idle()
    expect(await stage.transcript()).toEqual(["person: Hi", "agent: First.", "agent: Second.", "agent: Last."])
    await stage.send("Again")
    expect(turns(await stage.idle()).at(-1)).toMatchObject({ state: "failed" })
  })

  it("after its turn it can do nothing more", async () => {
    let late: HandlerContext | undefined
    await open((ctx) => {
      late = ctx
    })
    await stage.send("Hi")
    await stage.idle()
    await expect(late?.reply("too late")).rejects.toThrow("The turn is over")
    await expect(late?.run()).rejects.toThrow("The turn is over")
    expect(await stage.transcript()).toEqual(["person: Hi"])
  })

  it("[TRN-4] a stop does not wait for it, and what it does afterwards is not added", async () => {
    const entered = gate()
    const released = gate()
    const tried = gate()
    let failure: unknown
    let signal: AbortSignal | undefined
    await open(async (ctx) => {
      signal = ctx.signal
      await ctx.reply("I begin.")
      entered.open()
      await released.opened
      await ctx.reply("Too late.").catch((error) => {
        failure = error
      })
      tried.open()
    })
    await stage.send("Hi")
    await entered.opened
    const stopped = await stage.runtime.stop(address, { turn: undefined, onQueue: undefined, txid })
    expect(stopped.state).toBe("stopped")
    expect(signal?.aborted).toBe(true)
    released.open()
    await tried.opened
    expect(String(failure)).toContain("The turn is over")
    expect(await stage.transcript()).toEqual(["person: Hi", "agent: I begin."])
  })

  it("[TRN-5] a stop in the middle of the standard turn keeps what was said, although the handler catches everything", async () => {
    const held = gate()
    await open(
      async (ctx) => {
        try {
          await ctx.run()
        } catch {
          await ctx.reply("never mind").catch(() => {})
        }
      },
      { scripts: [[{ type: "text", text: "One, two" }, held, finish()]] },
    )
    await stage.send("Count")
    await stage.until((rows) => rows.deltas.size > 0)
    await stage.runtime.stop(address, { turn: undefined, onQueue: undefined, txid })
    const rows = await stage.idle()
    expect(await stage.transcript()).toEqual(["person: Count", "agent (truncated): One, two"])
    expect(turns(rows)[0]?.state).toBe("stopped")
  })

  it("one that hangs is stopped when its time is up; a model, a tool or a person does not use it up", async () => {
    const clock = new FakeClock()
    const store = new MemoryStore(clock)
    const { createRuntime, silentLog } = await import("@parlor/core")
    const { countingIds, scriptedModel } = await import("@parlor/core/testing")
    const thinks = gate()
    const model = scriptedModel([[thinks, ...says("Hm.")]])
    const runtime = createRuntime({
      store,
      spool: new MemorySpool(),
      clock,
      ids: countingIds(),
      random: { next: () => 0.5 },
      log: silentLog,
      agents: [
        {
          name: "crab",
          description: "",
          instructions: "",
          model,
          tools: [],
          slashCommands: [],
          handlerTimeoutMs: 5_000,
          handler: async (ctx) => {
            await ctx.run()
            await new Promise(() => {})
          },
        },
      ],
      settings: { stallMs: 1_000_000, leaseMs: 1_000_000, renewMs: 900_000, sweepMs: 900_000 },
    })
    await runtime.start()
    await runtime.send(address, {
      type: "composer_input",
      payload: { source: "Hi" },
      mode: "immediate",
      source: "t",
      txid,
    })
    await clock.advance(60_000)
    expect((await runtime.snapshot(address, { messages: 10 })).status.state).toBe("busy")
    thinks.open()
    await clock.advance(4_900)
    expect((await runtime.snapshot(address, { messages: 10 })).status.state).toBe("busy")
    await clock.advance(200)
    const { status, messages } = await runtime.snapshot(address, { messages: 10 })
    expect(status).toMatchObject({ state: "error", error: { code: "handler.timeout" } })
    expect(messages.map(({ role }) => role)).toEqual(["person", "agent"])
    await runtime.close()
    await open(() => {})
  })

  it("[TRN-12] asks as tools do, and a turn nobody is watching takes no answer", async () => {
    const answers: unknown[] = []
    await open(async (ctx) => {
      answers.push(await ctx.ask("Which colour?"))
      answers.push(await ctx.ask({ kind: "question", title: "Sure?", options: ["yes", "no"] }))
    })
    await stage.send("Paint it")
    for (const given of ["red", "yes"]) {
      const rows = await stage.until((now) => openAsk(now) !== undefined)
      await stage.runtime.answer(address, openAsk(rows)?.id ?? "", given, { by: "ana", txid })
    }
    await stage.idle()
    expect(answers).toEqual(["red", "yes"])
    await sendMessage({ type: "composer_input", payload: { source: "Paint it" }, trigger: trigger("schedule") })
    await stage.idle()
    expect(answers.slice(2)).toEqual([undefined, undefined])
  })

  it("[TRN-14] a budget that is refused stops the turn, although the handler catches everything", async () => {
    const usage = { inputTokens: 60, outputTokens: 0, reasoningTokens: 0, cachedTokens: 0, costMicros: 0 }
    await open(
      async (ctx) => {
        await ctx.run().catch(() => ctx.reply("I go on regardless").catch(() => {}))
      },
      { scripts: [says("one", usage), says("two", usage)], agent: { budgetTokens: 50 } },
    )
    await stage.send("1")
    await stage.idle()
    await stage.send("2")
    const rows = await stage.until((now) => openAsk(now) !== undefined)
    await stage.runtime.answer(address, openAsk(rows)?.id ?? "", false, { by: "ana", txid })
    expect(turns(await stage.idle()).at(-1)?.state).toBe("stopped")
    expect(await stage.transcript()).toEqual(["person: 1", "agent: one", "person: 2"])
  })

  it("[GST-1] a guest's handler is not called: its code belongs to its own conversations", async () => {
    let called = 0
    const { scriptedModel } = await import("@parlor/core/testing")
    const owl = {
      name: "owl",
      description: "",
      instructions: "",
      model: scriptedModel([], { fallback: says("Hoo.") }),
      tools: [],
      slashCommands: [],
      handler: () => {
        called += 1
      },
    }
    await open((ctx) => ctx.reply("Click."), { others: [owl] })
    await stage.send("What does the owl say?", { guests: ["owl"] })
    await stage.idle()
    expect(called).toBe(0)
    expect(await stage.transcript()).toEqual(["person: What does the owl say?", "owl: Hoo."])
  })
})

describe("a wake", () => {
  it("[CMP-9] tells what was typed, what was sent and what fired, one for each message", async () => {
    const wakes: HandlerWake[] = []
    await open(
      (ctx) => {
        wakes.push(ctx.wake)
      },
      { agent: { inbox: { order: z.object({ id: z.number(), urgent: z.boolean().default(false) }) } } },
    )
    await stage.send("Hi")
    await sendMessage({ type: "composer_input", payload: typed("/a one /b two") })
    await sendMessage({ type: "order", payload: { id: 7 } })
    for (const source of ["schedule", "self", "webhook", "mcp-event", "api", "spawn"] as const)
      await sendMessage({ type: "composer_input", payload: { source }, trigger: trigger(source) })
    await stage.idle()
    expect(wakes.map((wake) => [wake.type, wake.message.message_type, wake.envelope?.source ?? null])).toEqual([
      ["inbox", "composer_input", null],
      ["inbox", "composer_input", null],
      ["inbox", "order", null],
      ["schedule", "composer_input", "schedule"],
      ["schedule", "composer_input", "self"],
      ["webhook", "composer_input", "webhook"],
      ["observation", "composer_input", "mcp-event"],
      ["inbox", "composer_input", "api"],
      ["spawn", "composer_input", "spawn"],
    ])
    expect(wakes.slice(0, 3).map((wake) => wake.message.payload)).toEqual([
      { source: "Hi" },
      typed("/a one /b two"),
      { id: 7, urgent: false },
    ])
    expect(commandsIn(wakes[1] as HandlerWake)).toEqual([
      { name: "a", text: "one" },
      { name: "b", text: "two" },
    ])
  })

  it("[CMP-9] a conversation or a branch that is made wakes an agent that asked for it, once", async () => {
    const wakes: unknown[] = []
    await open(
      async (ctx) => {
        wakes.push([ctx.wake.type, ctx.address.branch, ctx.wake.message.payload])
        await ctx.reply("Welcome.")
      },
      { agent: { wakeOnSpawn: true, inbox: { spawn: spawnMessage } } },
    )
    const topic = { ...address, branch: "topic" }
    await Promise.all([1, 2, 3].map(() => stage.runtime.make(topic, stage.runtime.txid())))
    await stage.send("Hi")
    const [message] = person(await stage.idle())
    const made = { from: message?.id ?? "", name: "twig", ephemeral: false, txid: stage.runtime.txid() }
    await stage.runtime.makeBranch(address, made)
    await stage.runtime.makeBranch(address, { ...made, name: "aside", ephemeral: true })
    const spoken = async (branch: string) =>
      (await stage.runtime.snapshot({ ...address, branch }, { messages: 9 })).status.preview
    for (const branch of ["topic", "twig"])
      while ((await spoken(branch)) !== "Welcome.") await new Promise((resolve) => setImmediate(resolve))
    expect(wakes).toHaveLength(3)
    expect(wakes).toEqual(
      expect.arrayContaining([
        ["spawn", "topic", { branch: "topic", from: null }],
        ["inbox", "main", { source: "Hi" }],
        ["spawn", "twig", { branch: "twig", from: message?.id }],
      ]),
    )
  })

  it("[CMP-9] messages that arrive together wake it one after another", async () => {
    const seen: unknown[] = []
    await open((ctx) => {
      seen.push((ctx.wake.message.payload as { source: string }).source)
    })
    await Promise.all([..."abcdef"].map((text) => stage.send(text)))
    await stage.until((rows) => rows.turns.size === 6 && rows.status.get("status")?.turn === null)
    expect(seen.sort()).toEqual([..."abcdef"])
  })
})

describe("inserted context", () => {
  it("[CMP-10] is stored with its provenance in the message, and reaches the model as marked material", async () => {
    const context = {
      type: "search",
      title: "Results",
      content: "Water is wet.",
      metadata: { url: "https://example.com" },
    }
    await open(
      async (ctx) => {
        await ctx.insertContext(context)
        await ctx.insertContext(context)
        await ctx.insertContext({ ...context, content: "Water is dry." })
        await ctx.insertContext({ ...context, title: "More results" })
        expect(contexts(ctx.message)).toHaveLength(2)
        await ctx.run()
      },
      { scripts: [says("I see.")] },
    )
    await stage.send("Is water wet?")
    const rows = await stage.idle()
    const { type, ...rest } = context
    expect(person(rows).map(contexts)).toEqual([
      [
        { ...rest, type: "context", kind: type },
        { ...rest, type: "context", kind: type, title: "More results" },
      ],
    ])
    expect(turns(rows)[0]?.state).toBe("done")
    const shown = JSON.stringify(stage.model.requests[0]?.messages)
    expect(shown).toMatch(/<context[^>]*Results.*Water is wet\./)
    expect(shown).not.toContain("Water is dry.")
  })

  it("memory and files are at its disposal, and what it writes there is in its agent's name", async () => {
    await open(async (ctx) => {
      await ctx.memory.write({ scope: "user", name: "tea", description: "Likes tea.", type: "user", body: "Green." })
      await ctx.workspace.write("notes.md", "Green tea.")
      const read = await ctx.workspace.read("notes.md")
      await ctx.reply(`${(await ctx.memory.read("tea")).writtenBy}, ${read.by}`)
    })
    await stage.send("I like tea")
    const rows = await stage.idle()
    expect((await stage.transcript()).at(-1)).toBe("agent: crab, agent:crab")
    expect(rows.files.get("notes.md")?.turn).toBe(turns(rows)[0]?.id)
  })

  it("[CMP-10] is bounded: what is too much is refused, in words the author can use", async () => {
    const said: string[] = []
    await open(async (ctx) => {
      const bad = [
        { type: "", title: "x", content: "x" },
        { type: "search", title: " ", content: "x" },
        { type: "search", title: "long", content: "x".repeat(300_000) },
        { type: "search", title: "odd", content: "x", metadata: { deep: "y".repeat(20_000) } },
      ]
      for (const context of bad) await ctx.insertContext(context).catch((error: Error) => said.push(error.message))
      for (let n = 0; n < 65; n++) await ctx.insertContext({ type: "n", title: `${n}`, content: "" })
    })
    await stage.send("Too much")
    const rows = await stage.idle()
    expect(said).toHaveLength(4)
    expect(person(rows).flatMap(contexts)).toHaveLength(64)
    expect(turns(rows)[0]).toMatchObject({ state: "failed", error: { code: "context.invalid" } })
  })
})

const openAsk = (rows: Rows): AskRow | undefined => [...rows.asks.values()].find((ask) => ask.state === "open")

function trigger(source: Trigger["source"]): Trigger {
  return { source, firedAt: 1, scheduleId: null, deliveryId: null, headers: null, subject: null }
}
