/** The model of a conversation: who may choose it, from when it applies, and how long it lasts. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Agent, defineTool, type Json, type Model, ModelFault } from "@parlor/core"
import { calls, gate, says, scriptedModel } from "@parlor/core/testing"
import type { ModelSettings } from "@parlor/protocol"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { z } from "zod"
import { address, openStage, type Stage, type StageOptions } from "./stage.ts"

let folder: string
let stage: Stage | undefined
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "parlor-model-"))
})
afterEach(async () => {
  await stage?.close()
  stage = undefined
  await rm(folder, { recursive: true, force: true })
})

const named = (name: string, ...texts: readonly string[]) => ({
  ...scriptedModel(texts.map((text) => says(text))),
  name,
})
const offer = (model: Model) => ({ name: model.name, window: model.window, load: async () => model })
const missing = { name: "openai/x", window: 1_000, missing: "Set OPENAI_API_KEY.", load: () => Promise.reject() }

const open = async (agent: Partial<Agent>, more: StageOptions = {}) => {
  stage = await openStage({ folder, ...more, agent })
  return stage
}
const set = (on: Stage, settings: ModelSettings) => on.runtime.setModel(address, settings, on.runtime.txid())
const told = async (on: Stage) => [...(await on.rows()).messages.values()].flatMap(({ model }) => model ?? [])

describe("the model of a conversation", () => {
  it("[MOD-3] applies from the next turn on, is in the status, and {} returns to the agent's own", async () => {
    const [own, other] = [named("own", "1", "3"), named("other", "2")]
    const on = await open({ model: own, modelSettings: { temperature: 1 }, offers: () => [offer(other)] })
    await on.send("a")
    await on.idle()
    const settings = { model: "other", temperature: 0.5, reasoning: "low", maxOutputTokens: 99 } as const
    expect(await set(on, settings)).toEqual(settings)
    expect((await on.rows()).status.get("status")?.settings).toEqual(settings)
    await on.send("b")
    await on.idle()
    expect(await set(on, {})).toBeNull()
    await on.send("c")
    await on.idle()
    expect(await told(on)).toEqual(["own", "other", "own"])
    expect(other.requests.map((request) => request.settings)).toEqual([
      { temperature: 0.5, reasoning: "low", maxOutputTokens: 99 },
    ])
    expect(own.requests.map((request) => request.settings)).toEqual([{ temperature: 1 }, { temperature: 1 }])
  })

  it("[MOD-3] a turn keeps the settings it started with, even after a restart in its middle", async () => {
    const entered = gate()
    const slow = (run: () => Promise<Json>) =>
      defineTool({ name: "slow", description: "", input: z.object({}), repeatable: true, run })
    const first = { ...scriptedModel([calls("slow", {})]), name: "other" }
    const before = await open(
      { model: named("own"), offers: () => [offer(first)] },
      { tools: [slow(() => new Promise(() => entered.open()))] },
    )
    await set(before, { model: "other" })
    await before.send("a")
    await entered.opened
    await set(before, { temperature: 0.1 })
    await before.close()
    const [own, other] = [named("own", "later"), named("other", "now")]
    const after = await open({ model: own, offers: () => [offer(other)] }, { tools: [slow(async () => 1)] })
    await after.idle()
    await after.send("b")
    await after.idle()
    expect(await told(after)).toEqual(["other", "other", "own"])
    expect(own.requests[0]?.settings).toEqual({ temperature: 0.1 })
    expect(other.requests[0]?.settings).toEqual({})
  })

  it("[MOD-3] a branch starts with the settings of its parent, and a guest has its own", async () => {
    const critic: Agent = {
      name: "critic",
      description: "",
      instructions: "",
      model: named("c", "C"),
      tools: [],
      slashCommands: [],
    }
    const on = await open({ model: named("own"), offers: () => [offer(named("other", "1"))] }, { others: [critic] })
    await set(on, { model: "other" })
    await on.send("a", { guests: ["critic"] })
    await on.idle()
    const [message] = [...(await on.rows()).messages.values()]
    expect((await told(on)).toSorted()).toEqual(["c"])
    const made = await on.runtime.makeBranch(address, {
      name: "aside",
      from: message?.id,
      ephemeral: false,
      txid: on.runtime.txid(),
    })
    const { status } = await on.runtime.snapshot({ ...address, branch: made.branch }, { messages: 1 })
    expect(status.settings).toEqual({ model: "other" })
  })

  it("[MOD-4] only what the author offers can be chosen, and only the settings a person may change", async () => {
    const on = await open({ model: named("own"), offers: () => [offer(named("other")), missing] })
    await expect(set(on, { model: "gpt-x" })).rejects.toMatchObject({
      code: "model.not-offered",
      pointer: "/model",
      message: 'The agent "crab" does not offer "gpt-x". It offers: own, other, openai/x.',
    })
    await expect(set(on, { fallbacks: ["own", "none"] })).rejects.toMatchObject({ pointer: "/fallbacks/1" })
    await expect(set(on, { model: "openai/x" })).rejects.toMatchObject({
      code: "model.not-ready",
      message: 'The model "openai/x" is not set up. Set OPENAI_API_KEY.',
    })
    await expect(set(on, { providerOptions: { openai: { store: true } } })).rejects.toMatchObject({
      code: "settings.not-allowed",
      pointer: "/providerOptions",
    })
    expect(on.runtime.models("crab").models.map(({ name, ready, isDefault }) => [name, ready, isDefault])).toEqual([
      ["own", true, true],
      ["other", true, false],
      ["openai/x", false, false],
    ])
  })

  it("[MOD-4] a model that is no longer offered fails the turn; another never takes over silently", async () => {
    const first = await open({ model: named("own"), offers: () => [offer(named("other"))] })
    await set(first, { model: "other" })
    await first.close()
    const own = named("own", "no")
    const on = await open({ model: own })
    await on.send("a")
    const rows = await on.until((now) => now.status.get("status")?.state === "error")
    expect(rows.status.get("status")?.error).toMatchObject({ code: "model.not-offered" })
    expect(own.requests).toEqual([])
    await set(on, {})
    await on.send("b")
    await on.until((now) => now.status.get("status")?.state === "idle")
    expect(await told(on)).toEqual(["own"])
  })

  it("[MOD-11] fallbacks of the conversation take over in order, and each step begins with the first again", async () => {
    const down = { fallback: [new ModelFault("Down.", { transient: false })] }
    const failing = { ...scriptedModel([], down), name: "own" }
    const quick = { retry: { tries: 1, baseMs: 1, maxMs: 1 } }
    const [b, c] = [{ ...scriptedModel([], down), name: "b" }, named("c", "1", "2")]
    const on = await open({ model: failing, offers: () => [offer(b), offer(c)] }, { settings: quick })
    await set(on, { fallbacks: ["b", "c"] })
    for (const text of ["x", "y"]) {
      await on.send(text)
      await on.idle()
    }
    expect([failing.requests.length, b.requests.length, c.requests.length]).toEqual([2, 2, 2])
    expect((await told(on)).filter((name) => name === "c")).toHaveLength(2)
  })
})
