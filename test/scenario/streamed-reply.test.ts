/** Replies that a handler streams: from generators here, from `streamText` in `examples/ai-sdk-agent`. */
import { defineAgent } from "@parlor/agent"
import type { Handler, ReplyPart } from "@parlor/core"
import { says } from "@parlor/core/testing"
import type { Rows, ToolPart } from "@parlor/protocol"
import { scenario } from "@parlor/testing"
import { afterEach, describe, expect, it } from "vitest"
import { address, openStage, type Stage, type StageOptions, txid } from "./stage.ts"

let stage: Stage
const open = async (handler: Handler, options: StageOptions = {}) => {
  stage = await openStage({ ...options, agent: { ...options.agent, handler } })
}
afterEach(() => stage.close())

const turnIn = (rows: Rows) => [...rows.turns.values()].at(-1)
const agentMessages = (rows: Rows) =>
  [...rows.messages.values()].filter(({ role }) => role === "agent").sort((a, b) => a.ord - b.ord)
const toolsIn = (rows: Rows) =>
  agentMessages(rows).flatMap(({ parts }) => parts.filter((part): part is ToolPart => part.type === "tool"))

async function* each(...parts: readonly (ReplyPart & (string | Readonly<Record<string, unknown>>))[]) {
  for (const part of parts) yield part
}

/** Says something and then waits until it is aborted. */
function endless(signal: AbortSignal, cleanedUp: () => void = () => {}) {
  return (async function* () {
    try {
      yield "Once upon "
      yield "a time"
      await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
    } finally {
      cleanedUp()
    }
  })()
}

describe("a streamed reply", () => {
  it("[COD-1] text arrives as deltas and ends as one message; its text is returned", async () => {
    let ran: unknown
    await open(async (ctx) => {
      ran = await ctx.reply(each("Hel", "lo ", "there."))
    })
    await stage.send("Hi")
    const rows = await stage.idle()
    expect(await stage.transcript()).toEqual(["person: Hi", "agent: Hello there."])
    expect(ran).toMatchObject({ text: "Hello there." })
    const deltas = (await stage.log()).filter((event) => event.type === "deltas")
    expect(deltas.length).toBeGreaterThan(0)
    expect(rows.status.get("status")).toMatchObject({ preview: "Hello there." })
  })

  it("[COD-1] tool calls, reasoning and usage are recorded; a step begins a message, so that later models can be shown it", async () => {
    await open(
      async (ctx) => {
        await ctx.reply(
          each(
            { type: "start" },
            { type: "start-step" },
            { type: "reasoning-delta", id: "r", text: "Hm." },
            { type: "text-delta", id: "t", text: "Let me look." },
            { type: "tool-call", toolCallId: "call_1", toolName: "look", input: { at: "sea" } },
            { type: "tool-call", toolCallId: "call_2", toolName: "look", input: { at: "sky" } },
            { type: "tool-error", toolCallId: "call_2", toolName: "look", error: new Error("Too bright.") },
            { type: "tool-result", toolCallId: "call_1", toolName: "look", output: { waves: 3 } },
            { type: "finish-step", usage: { inputTokens: 7, outputTokens: 3 }, response: { modelId: "m-1" } },
            { type: "start-step" },
            { type: "text-delta", id: "t", text: "Three waves." },
            { type: "finish-step", usage: { inputTokens: 11, outputTokens: 2 }, response: { modelId: "m-1" } },
            { type: "finish", totalUsage: { inputTokens: 18, outputTokens: 5 } },
          ),
        )
        await ctx.run()
      },
      { scripts: [says("Indeed.")] },
    )
    await stage.send("Hi")
    const rows = await stage.idle()
    expect(agentMessages(rows)).toMatchObject([
      {
        state: "done",
        model: "m-1",
        usage: { inputTokens: 7, outputTokens: 3 },
        parts: [
          { type: "reasoning", text: "Hm." },
          { type: "text", text: "Let me look." },
          { type: "tool", call: "call_1", input: { at: "sea" }, state: "done", output: { waves: 3 } },
          { type: "tool", call: "call_2", state: "failed", error: { detail: "Too bright." } },
        ],
      },
      { state: "done", model: "m-1", parts: [{ type: "text", text: "Three waves." }] },
      { parts: [{ type: "text", text: "Indeed." }] },
    ])
    const shown = stage.model.requests[0]?.messages.map(({ role }) => role)
    expect(shown).toEqual(["person", "agent", "tools", "agent", "person"])
    expect(turnIn(rows)?.usage.inputTokens).toBeGreaterThanOrEqual(18)
    const spent = await stage.runtime.usage("ana", 1)
    expect(JSON.stringify(spent)).toContain("m-1")
  })

  it("[COD-1] a UI message stream is understood too, and results without a call are recorded", async () => {
    await open((ctx) =>
      ctx.reply(
        each(
          { type: "tool-input-available", toolCallId: "a", toolName: "look", input: { at: "sea" } },
          { type: "tool-output-available", toolCallId: "a", output: "blue" },
          { type: "tool-result", toolCallId: "b", toolName: "smell", result: "salt" },
          { type: "text-delta", id: "t", delta: "Blue and salty." },
          { type: "data-anything", data: 1 },
        ),
      ),
    )
    await stage.send("Hi")
    const rows = await stage.idle()
    expect(toolsIn(rows)).toMatchObject([
      { name: "look", state: "done", output: "blue" },
      { name: "smell", state: "done", output: "salt" },
    ])
    expect(agentMessages(rows).at(-1)?.parts).toEqual([{ type: "text", text: "Blue and salty." }])
  })

  it("[COD-1, TRN-5] a stop aborts the stream and keeps its text; the next message is answered", async () => {
    let isCleanedUp = false
    await open(async (ctx) => {
      const isFirst = ctx.conversation.messages().length === 1
      await ctx.reply(isFirst ? ({ signal }) => endless(signal, () => (isCleanedUp = true)) : "Again?")
    })
    await stage.send("Tell me a story")
    await stage.until((rows) => [...rows.deltas.values()].some(({ text }) => text.includes("time")))
    await stage.runtime.stop(address, { turn: undefined, onQueue: "drain", txid })
    const rows = await stage.idle()
    expect(agentMessages(rows)).toMatchObject([{ state: "truncated", parts: [{ text: "Once upon a time" }] }])
    expect(turnIn(rows)?.state).toBe("stopped")
    expect(isCleanedUp).toBe(true)
    await stage.send("Hello?")
    await stage.idle()
    expect((await stage.transcript()).at(-1)).toBe("agent: Again?")
  })

  it("[COD-1] a stop does not wait for a stream that ignores it", async () => {
    await open((ctx) =>
      ctx.reply(
        (async function* () {
          yield "Wait"
          await new Promise(() => {})
        })(),
      ),
    )
    await stage.send("Hi")
    await stage.until((rows) => rows.deltas.size > 0)
    await stage.runtime.stop(address, { turn: undefined, onQueue: "drain", txid })
    expect(agentMessages(await stage.idle())).toMatchObject([{ state: "truncated", parts: [{ text: "Wait" }] }])
  })

  it("[CMP-14, COD-1] an error of the stream ends the turn, or the handler catches it and continues", async () => {
    await open(async (ctx) => {
      const broken = each("Half", { type: "error", error: new Error("No credit.") })
      if (ctx.conversation.messages().length > 1) return ctx.reply(broken)
      await ctx.reply(broken).catch((error: Error) => ctx.reply(`Sorry: ${error.message}`))
      return undefined
    })
    await stage.send("Hi")
    await stage.idle()
    expect(agentMessages(await stage.rows())).toMatchObject([
      { state: "failed", parts: [{ text: "Half" }] },
      { state: "done", parts: [{ text: "Sorry: No credit." }] },
    ])
    await stage.send("Once more")
    const rows = await stage.until((now) => turnIn(now)?.state === "failed")
    expect(turnIn(rows)?.error).toMatchObject({ code: "handler.failed", detail: "No credit." })
  })

  it.each([
    ["no text", () => each({ type: "start" }), "contained no text"],
    ["values that are no parts", () => each(5 as unknown as string), "strings, or of objects with a type"],
    ["no stream", () => ({}) as never, "async iterable"],
    [
      "too long",
      async function* () {
        for (;;) yield "x".repeat(100)
      },
      "longer than 20000 characters",
    ],
  ])("[COD-1] a stream with %s ends the turn with a clear error", async (_, stream, words) => {
    await open((ctx) => ctx.reply(stream()), { settings: { maxAnswerChars: 20_000 } })
    await stage.send("Hi")
    const rows = await stage.until((now) => turnIn(now)?.state === "failed")
    expect(turnIn(rows)?.error).toMatchObject({ code: "handler.failed", detail: expect.stringContaining(words) })
  })

  it("[CMP-14, COD-1] a silent stream times out, but not while one of its tools asks the person", async () => {
    await open((ctx) => ctx.reply("Unused."))
    const handler: Handler = (ctx) =>
      ctx.reply(
        (async function* () {
          yield { type: "tool-call", toolCallId: "a", toolName: "confirm", input: {} }
          const answer = await ctx.ask("Really?")
          await ctx.workspace.write("answer.txt", String(answer))
          yield { type: "tool-result", toolCallId: "a", toolName: "confirm", output: answer }
          yield "Fine."
          await new Promise(() => {})
        })(),
      )
    const talk = await scenario([
      defineAgent({ name: "crab", description: "A crab.", handler, handlerTimeoutMs: 5_000 }),
    ])
    await talk.send("Hi")
    await talk.pass("10s")
    expect(await talk.asks()).toHaveLength(1)
    await talk.answer("yes")
    const rows = await talk.rows()
    expect(turnIn(rows)?.error).toMatchObject({ code: "handler.timeout", detail: expect.stringContaining("silent") })
    expect(toolsIn(rows)).toMatchObject([{ state: "done", output: "yes" }])
    expect(rows.files.get("answer.txt")).toMatchObject({ bytes: 3 })
    await talk.close()
  })

  it("[COD-1] a call that never got a result says so", async () => {
    await open((ctx) =>
      ctx.reply(each({ type: "tool-call", toolCallId: "a", toolName: "pay", input: {} }, { type: "finish" })),
    )
    await stage.send("Hi")
    expect(toolsIn(await stage.idle())).toMatchObject([{ state: "failed", error: { code: "tool.unanswered" } }])
  })

  it("[COD-3] the handler reads its conversation: messages, and a transcript that ends with the message to answer", async () => {
    const seen: unknown[] = []
    await open(async (ctx) => {
      seen.push(ctx.conversation.transcript())
      await ctx.reply(each("One."))
      expect(ctx.conversation.messages({ last: 1 })[0]?.parts).toEqual([{ type: "text", text: "One." }])
    })
    await stage.send("First")
    await stage.idle()
    await stage.send("Second")
    await stage.idle()
    expect(seen).toEqual([
      [{ role: "user", content: "First" }],
      [
        { role: "user", content: "First" },
        { role: "assistant", content: "One." },
        { role: "user", content: "Second" },
      ],
    ])
  })
})
