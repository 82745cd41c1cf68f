/**
 * A handler's turn is cut off at every single moment it could be: before and after each of its commits. The process that
 * takes it over runs the handler from its beginning, and what comes out is what would have come out without the crash.
 */
import {
  type Agent,
  createRuntime,
  defineTool,
  type HandlerContext,
  type Model,
  type Runtime,
  silentLog,
} from "@parlor/core"
import {
  calls,
  countingIds,
  FakeClock,
  type MemoryHooks,
  MemorySpool,
  MemoryStore,
  says,
  scriptedModel,
} from "@parlor/core/testing"
import type { MessageRow, TurnRow, TxId } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { z } from "zod"

const address = { agent: "crab", person: "ana", branch: "main" } as const
const txid = "tx_test" as TxId
const LEASE_MS = 10_000
/** More than a turn has, so that the last rounds are not cut off at all. */
const MOMENTS = 60

const look = defineTool({
  name: "look",
  description: "",
  input: z.object({}),
  repeatable: true,
  run: async () => "seen",
})

/** Looks once, then answers: the same whichever process asks it. */
const model: Model = {
  name: "looks-first",
  window: 100_000,
  run: (request, options) => {
    const hasLooked = request.messages.some(({ role }) => role === "tools")
    return scriptedModel([hasLooked ? says("The answer.") : calls("look", {})]).run(request, options)
  },
}

function agentWith(wakes: boolean[]): Agent {
  return {
    name: "crab",
    description: "",
    instructions: "",
    model,
    tools: [look],
    slashCommands: [],
    handler: async (ctx: HandlerContext) => {
      wakes.push(ctx.wake.recovered)
      await ctx.slashCommands.register({ name: "again", description: "Once more." })
      await ctx.insertContext({ type: "search", title: "Found", content: "Sand." })
      await ctx.reply("Let me see.")
      const { text } = await ctx.run()
      await ctx.insertContext({ type: "check", title: "Checked", content: text })
      const colour = await ctx.ask("Which colour?")
      await ctx.run()
      await ctx.reply(`It is ${colour}.`)
    },
  }
}

/** Streams two steps of its own, once with a tool, and something short. `started`: how often each stream was started. */
function streamingAgent(started: { first: number; second: number }): (wakes: boolean[]) => Agent {
  const first = async function* () {
    started.first += 1
    yield { type: "text-delta", text: "Let me " }
    yield { type: "text-delta", text: "see." }
    yield { type: "tool-call", toolCallId: "a", toolName: "look", input: {} }
    yield { type: "tool-result", toolCallId: "a", toolName: "look", output: "seen" }
    yield { type: "text-delta", text: "The answer." }
  }
  const second = async function* () {
    started.second += 1
    yield "That is "
    yield "all."
  }
  return (wakes) => ({
    ...agentWith(wakes),
    handler: async (ctx: HandlerContext) => {
      wakes.push(ctx.wake.recovered)
      await ctx.reply(() => first())
      await ctx.reply(() => second())
    },
  })
}

/** The first runtime dies at that moment: whatever it asked of the store then, it never hears of it. */
async function cutOffAt(moment: number, makeAgent: (wakes: boolean[]) => Agent = agentWith) {
  const clock = new FakeClock()
  const data = new MemoryStore(clock)
  const wakes: boolean[] = []
  let moments = 0
  let died = false
  const dying: MemoryHooks = {
    latency: () => {
      moments += 1
      died ||= moments > moment
      return died ? new Promise(() => {}) : Promise.resolve()
    },
  }
  const ids = countingIds()
  const open = async (name: string, hooks: MemoryHooks) => {
    const store = data.node(hooks)
    const renew = store.log.renew.bind(store)
    if (hooks === dying) store.log.renew = (...lease) => (died ? new Promise(() => {}) : renew(...lease))
    const runtime = createRuntime({
      name,
      store,
      spool: new MemorySpool(),
      clock,
      ids,
      random: { next: () => 0.5 },
      log: silentLog,
      agents: [makeAgent(wakes)],
      settings: { leaseMs: LEASE_MS, renewMs: 3_000, sweepMs: 2_000 },
    })
    void runtime.start()
    await clock.advance(0)
    return runtime
  }
  const first = await open("first", dying)
  void first.send(address, {
    type: "composer_input",
    payload: { source: "Hi" },
    mode: "immediate",
    source: "test",
    txid,
    key: { key: "k", hash: "h" },
  })
  await clock.advance(1_000)
  await answerIfAsked(first, died)
  await clock.advance(1_000)
  const before = wakes.length
  const second = await open("second", {})
  await clock.advance(LEASE_MS * 3)
  await answerIfAsked(second, false)
  await clock.advance(LEASE_MS * 3)
  const { messages, status, slashCommands: commands, asks } = await second.snapshot(address, { messages: 100 })
  const stream = await second.conversation(address)
  const rows = data.dump(stream.id)?.rows ?? []
  const turns = rows.filter(({ collection }) => collection === "turns").map(({ value }) => JSON.parse(value) as TurnRow)
  return { died, messages, status, commands, asks, turns, wakes, again: wakes.slice(before) }
}

async function answerIfAsked(runtime: Runtime, isDead: boolean): Promise<void> {
  if (isDead) return
  const { asks } = await runtime.snapshot(address, { messages: 1 })
  for (const ask of asks) void runtime.answer(address, ask.id, "red", { by: "ana", txid }).catch(() => {})
}

function shown({ role, state, parts }: MessageRow): string {
  const said = parts.map((part) => {
    if (part.type === "text") return part.text
    if (part.type === "tool") return `[${part.name} ${part.state}]`
    return part.type === "context" ? ` <${part.kind}>` : ""
  })
  return `${role}${state === "done" ? "" : ` (${state})`}: ${said.join("")}`
}

describe("a handler that is cut off", () => {
  it("[CMP-9, CMP-12] at whatever moment: it runs again as a recovery, and nothing is said, asked or inserted twice", async () => {
    let cut = 0
    let recovered = 0
    for (let moment = 1; moment <= MOMENTS; moment++) {
      const end = await cutOffAt(moment)
      if (end.died) cut += 1
      // Cut off before the message was taken: then there is nothing to take up.
      if (end.turns.length === 0) continue
      const visible = end.messages.filter(({ state }) => state !== "truncated").map(shown)
      expect(visible, `moment ${moment}`).toEqual([
        "person: Hi <search>",
        "agent: Let me see.",
        "agent: [look done]",
        "agent: The answer.",
        "person:  <check>",
        "agent: The answer.",
        "agent: It is red.",
      ])
      expect(end.status, `moment ${moment}`).toMatchObject({ state: "idle", error: null })
      expect(end.turns, `moment ${moment}`).toMatchObject([
        { state: "done", runs: [{}, {}].map(() => expect.any(String)) },
      ])
      expect(end.commands.map(({ name }) => name)).toEqual(["again"])
      expect(end.again.every((isRecovered) => isRecovered)).toBe(true)
      recovered += end.again.length > 0 ? 1 : 0
    }
    expect(cut).toBeGreaterThan(20)
    expect(recovered).toBeGreaterThan(15)
  })

  it("[COD-2] while it streams: what had ended is not streamed again, and nothing that is shown as said is said twice", async () => {
    let interrupted = 0
    for (let moment = 1; moment <= MOMENTS / 2; moment++) {
      const started = { first: 0, second: 0 }
      const end = await cutOffAt(moment, streamingAgent(started))
      if (end.turns.length === 0) continue
      const said = end.messages.filter(({ state }) => state !== "truncated").map(shown)
      const isTwice = started.first === 2
      interrupted += isTwice ? 1 : 0
      // A tool may have been called by the first attempt: then its message stays before that of the second.
      const first = said.slice(1, -2)
      expect(first, `moment ${moment}`).toContain("agent: Let me see.[look done]")
      expect(
        first.every((line) => line === "agent: Let me see.[look done]"),
        `moment ${moment}`,
      ).toBe(true)
      expect(first.length, `moment ${moment}`).toBeLessThanOrEqual(isTwice ? 2 : 1)
      expect(said.slice(-2), `moment ${moment}`).toEqual(["agent: The answer.", "agent: That is all."])
      expect(end.messages.some(({ state }) => state === "streaming")).toBe(false)
      expect(end.status, `moment ${moment}`).toMatchObject({ state: "idle", error: null })
      const [turn] = end.turns
      expect(turn, `moment ${moment}`).toMatchObject({
        state: "done",
        streams: [expect.any(String), expect.any(String)],
      })
    }
    expect(interrupted).toBeGreaterThan(3)
  })
})
