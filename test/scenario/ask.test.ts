import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { defineTool } from "@parlor/core"
import { calls, finish, says } from "@parlor/core/testing"
import type { AskRow, Rows } from "@parlor/protocol"
import { afterEach, describe, expect, it, vi } from "vitest"
import { z } from "zod"
import { statesOf } from "./guests.ts"
import { address, openStage, type Stage, type StageOptions, txid } from "./stage.ts"

let stage: Stage
const open = async (options: StageOptions) => {
  stage = await openStage(options)
  return stage
}
afterEach(() => stage.close())

let paid: string[] = []
const pay = defineTool({
  name: "pay",
  description: "",
  input: z.object({ to: z.string() }),
  repeatable: false,
  approval: ({ to }) => to !== "me",
  run: async ({ to }) => {
    paid.push(to)
    return "paid"
  },
})
const askPerson = defineTool({
  name: "ask_person",
  description: "",
  input: z.object({ question: z.string(), options: z.array(z.string()).optional() }),
  repeatable: true,
  run: async ({ question, options }, context) =>
    (await context.ask({ kind: "question", title: question, ...(options ? { options } : {}) })) ?? "no answer",
})

const openAsk = (rows: Rows): AskRow | undefined => [...rows.asks.values()].find((ask) => ask.state === "open")
async function asking(): Promise<AskRow> {
  const rows = await stage.until((now) => openAsk(now) !== undefined)
  return openAsk(rows) as AskRow
}

describe("an ask", () => {
  it("[TRN-13, QUE-2] a tool that needs approval runs only when it is given; the status says what is waited for", async () => {
    paid = []
    await open({ scripts: [calls("pay", { to: "bo" }), says("Paid.")], tools: [pay] })
    await stage.send("Pay bo")
    const ask = await asking()
    expect(ask).toMatchObject({ kind: "approval", state: "open", call: "call_1" })
    const waiting = await stage.rows()
    expect(waiting.status.get("status")?.state).toBe("waiting")
    expect(waiting.turns.get(ask.turn)?.state).toBe("waiting")
    expect(paid).toEqual([])
    expect(await stage.send("meanwhile")).toMatchObject({ outcome: "queued" })
    await stage.runtime.removeQueued(address, [...(await stage.rows()).queue.keys()][0] ?? "", txid)
    await stage.runtime.answer(address, ask.id, true, { by: "ana", txid })
    await stage.idle()
    expect(paid).toEqual(["bo"])
    expect(await stage.transcript()).toEqual(["person: Pay bo", 'agent: [pay done: "paid"]', "agent: Paid."])
    const states = await statesOf(stage)
    expect(states).toEqual(["idle", "busy", "waiting", "busy", "idle"])
  })

  it("[TRN-12] each question of a call is an ask of its own, also after its approval", async () => {
    const order = defineTool({
      name: "order",
      description: "",
      input: z.object({}),
      repeatable: false,
      approval: "always",
      run: async (_input, context) => [
        (await context.ask({ kind: "question", title: "Size?" })) ?? "",
        (await context.ask({ kind: "question", title: "Color?" })) ?? "",
        (await context.ask({ kind: "question", title: "Color?" })) ?? "",
      ],
    })
    await open({ scripts: [calls("order", {}), says("Ordered.")], tools: [order] })
    await stage.send("Order")
    for (const answer of [true, "large", "red", "blue"])
      await stage.runtime.answer(address, (await asking()).id, answer, { by: "ana", txid })
    await stage.idle()
    expect(await stage.transcript()).toContain('agent: [order done: ["large","red","blue"]]')
  })

  it("[TRN-13] a refusal is a result the model sees; a rule decides by the input", async () => {
    paid = []
    const scripts = [calls("pay", { to: "me" }, "a"), calls("pay", { to: "bo" }, "b"), says("Then not.")]
    await open({ scripts, tools: [pay] })
    await stage.send("Pay")
    const ask = await asking()
    expect(ask.call).toBe("b")
    await stage.runtime.answer(address, ask.id, false, { by: "ana", txid })
    await stage.idle()
    expect(paid).toEqual(["me"])
    expect(await stage.transcript()).toContain('agent: [pay failed: "tool.refused"]')
  })

  it("[TRN-12] the first valid answer wins, the others learn which; one that does not fit is refused", async () => {
    const question = { question: "Red or blue?", options: ["red", "blue"] }
    await open({ scripts: [calls("ask_person", question), says("Fine.")], tools: [askPerson] })
    await stage.send("Choose with me")
    const { id } = await asking()
    await expect(stage.runtime.answer(address, id, "green", { by: "ana", txid })).rejects.toMatchObject({
      code: "ask.invalid",
      pointer: "/answer",
    })
    const answers = await Promise.allSettled(
      ["red", "blue"].map((one) => stage.runtime.answer(address, id, one, { by: one, txid })),
    )
    expect(answers.map((one) => one.status).sort()).toEqual(["fulfilled", "rejected"])
    const winner = answers[0]?.status === "fulfilled" ? "red" : "blue"
    expect(answers.find((one) => one.status === "rejected")).toMatchObject({
      reason: { code: "ask.closed", message: expect.stringContaining(winner) },
    })
    await stage.idle()
    expect(await stage.transcript()).toContain(`agent: [ask_person done: "${winner}"]`)
    await expect(stage.runtime.answer(address, "ask_no", "red", { by: "ana", txid })).rejects.toMatchObject({
      code: "ask.unknown",
    })
  })

  it("[TRN-12] expires when it says so", async () => {
    const hurried = defineTool({
      name: "hurried",
      description: "",
      input: z.object({}),
      repeatable: true,
      run: async (_, context) =>
        (await context.ask({ kind: "question", title: "Quick?", expiresInMs: 20 })) ?? "nobody",
    })
    await open({ scripts: [calls("hurried", {}), says("Never mind.")], tools: [hurried] })
    await stage.send("Ask")
    const rows = await stage.idle()
    expect([...rows.asks.values()].map((ask) => ask.state)).toEqual(["expired"])
    expect(await stage.transcript()).toContain('agent: [hurried done: "nobody"]')
  })

  it("[TRN-12] is withdrawn when the turn is stopped", async () => {
    await open({ scripts: [calls("pay", { to: "bo" })], tools: [pay] })
    await stage.send("Pay")
    const { id } = await asking()
    await stage.runtime.stop(address, { turn: undefined, onQueue: undefined, txid })
    expect((await stage.rows()).asks.get(id)?.state).toBe("withdrawn")
    await expect(stage.runtime.answer(address, id, true, { by: "ana", txid })).rejects.toMatchObject({
      code: "ask.closed",
    })
  })

  it("[TRN-12] survives a restart: answered before or after, the turn goes on and the tool runs once", async () => {
    for (const when of ["before", "after"] as const) {
      paid = []
      const folder = await mkdtemp(join(tmpdir(), "parlor-ask-"))
      await open({ folder, scripts: [calls("pay", { to: "bo" })], tools: [pay] })
      await stage.send("Pay bo")
      const { id } = await asking()
      await stage.close()
      await open({ folder, scripts: [says("Paid.")], tools: [pay] })
      if (when === "before") await stage.runtime.answer(address, id, true, { by: "ana", txid })
      else {
        expect((await stage.rows()).status.get("status")?.state).toBe("waiting")
        await stage.runtime.answer(address, id, true, { by: "ana", txid })
      }
      await stage.idle()
      expect(paid).toEqual(["bo"])
      expect((await stage.rows()).asks.size).toBe(1)
      await stage.close()
      await rm(folder, { recursive: true, force: true })
    }
    await open({})
  })

  it("[TRN-14] a budget pauses the turn and asks before it goes on", async () => {
    const usage = { inputTokens: 60, outputTokens: 0, reasoningTokens: 0, cachedTokens: 0, costMicros: 0 }
    await open({ scripts: [says("one", usage), says("two", usage), says("three", usage)], agent: { budgetTokens: 50 } })
    await stage.send("1")
    await stage.idle()
    await stage.send("2")
    const ask = await asking()
    expect(ask.kind).toBe("approval")
    expect(stage.model.requests).toHaveLength(1)
    await stage.runtime.answer(address, ask.id, true, { by: "ana", txid })
    await stage.idle()
    expect(await stage.transcript()).toContain("agent: two")
  })

  it("[TRN-14] a budget for a person counts all their conversations with the agent, and what is granted counts too", async () => {
    const usage = { inputTokens: 60, outputTokens: 0, reasoningTokens: 0, cachedTokens: 0, costMicros: 0 }
    await open({ fallback: says("fine", usage), agent: { personBudgetTokens: 100 } })
    const other = { ...address, branch: "other" }
    await stage.runtime.make(other, txid)
    const elsewhere = {
      type: "composer_input",
      payload: { source: "hi" },
      mode: "immediate",
      source: "person",
    } as const
    await stage.send("1")
    await stage.idle()
    await stage.runtime.send(other, { ...elsewhere, txid })
    await vi.waitFor(async () => {
      expect((await stage.runtime.snapshot(other, { messages: 1 })).usage.inputTokens).toBe(60)
    })
    await stage.runtime.send({ ...address, person: "bo" }, { ...elsewhere, txid })
    await stage.send("2")
    const ask = await asking()
    expect(ask.detail).toContain("120 tokens")
    await stage.runtime.answer(address, ask.id, true, { by: "ana", txid })
    await stage.idle()
    await stage.send("3")
    await stage.idle()
    expect([...(await stage.rows()).asks.values()].map(({ state }) => state)).toEqual(["answered"])
  })

  it("[TRN-14] what a failed attempt has used counts as well", async () => {
    const usage = { inputTokens: 7, outputTokens: 0, reasoningTokens: 0, cachedTokens: 0, costMicros: 0 }
    await open({
      scripts: [[finish("stop", usage)], says("fine", usage)],
      settings: { retry: { tries: 2, baseMs: 1, maxMs: 1 } },
    })
    await stage.send("1")
    const rows = await stage.idle()
    expect(rows.status.get("status")?.usage.inputTokens).toBe(14)
  })
})
