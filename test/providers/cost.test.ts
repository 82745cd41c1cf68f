/** Tokens and cost per step, turn and conversation (TRN-14). */
import { says, scriptedModel } from "@parlor/core/testing"
import { emptyUsage } from "@parlor/protocol"
import { afterEach, describe, expect, it } from "vitest"
import { openStage, type Stage } from "../scenario/stage.ts"
import { openStand, providers, type Stand, tokens, toolCall } from "./stand.ts"

describe.each(providers)("the cost of $name", (provider) => {
  let stand: Stand
  afterEach(() => stand.close())

  it("[TRN-14] adds up per step, turn and conversation, by the price that is set", async () => {
    stand = await openStand(provider, { env: { PARLOR_MODEL_PRICE: "2,10" } })
    stand.answers.push({ toolCalls: [toolCall("weather", { city: "Oslo" }, "call_1")], ...tokens(1_000, 100) })
    stand.answers.push({ content: "Four degrees.", ...tokens(1_500, 20) }, { content: "Bye.", ...tokens(2_000, 5) })
    await stand.stage.send("Oslo?")
    await stand.stage.idle()
    await stand.stage.send("Thanks")
    const rows = await stand.stage.idle()
    const steps = [...rows.messages.values()].flatMap(({ ord, usage }) => (usage === null ? [] : [{ ord, usage }]))
    expect(steps.sort((a, b) => a.ord - b.ord).map(({ usage }) => usage.costMicros)).toEqual([3_000, 3_200, 4_050])
    const turns = [...rows.turns.values()].sort((a, b) => a.steps - b.steps)
    expect(turns.map(({ usage }) => usage.costMicros)).toEqual([4_050, 6_200])
    expect(rows.status.get("status")?.usage).toEqual({
      ...emptyUsage,
      inputTokens: 4_500,
      outputTokens: 125,
      costMicros: 10_250,
    })
  })
})

describe("the cost of a model", () => {
  let stage: Stage
  afterEach(() => stage.close())

  it("[TRN-14] cached input has its own price where one is set", async () => {
    const used = { ...emptyUsage, inputTokens: 1_000, cachedTokens: 400, outputTokens: 100 }
    const costs: (number | undefined)[] = []
    for (const price of [undefined, { input: 2, output: 10 }, { input: 2, output: 10, cached: 0.5 }]) {
      const model = { ...scriptedModel([says("a", used)]), ...(price ? { price } : {}) }
      stage = await openStage({ agent: { model } })
      await stage.send("Hi")
      costs.push((await stage.idle()).status.get("status")?.usage.costMicros)
      if (costs.length < 3) await stage.close()
    }
    expect(costs).toEqual([0, 3_000, 2_400])
  })
})
