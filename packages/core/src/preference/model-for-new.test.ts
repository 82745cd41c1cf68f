import { expect, it } from "vitest"
import type { Agent } from "../agent/agent.ts"
import type { ModelOffer } from "../ports/model.ts"
import { scriptedModel } from "../testing/scripted-model.ts"
import { modelForNew } from "./model-for-new.ts"

const model = scriptedModel([])
const offer = (name: string, missing?: string): ModelOffer => ({
  name,
  window: 1_000,
  load: async () => model,
  ...(missing === undefined ? {} : { missing }),
})
const agent = (change: Partial<Agent> = {}): Agent => ({
  name: "host",
  description: "",
  instructions: "",
  model,
  tools: [],
  slashCommands: [],
  offers: () => [offer("fast"), offer("large", "Set LARGE_KEY.")],
  ...change,
})

it.each([
  ["one that the agent offers", "fast", agent(), "fast"],
  ["the agent's own, which needs no setting", "scripted", agent(), undefined],
  ["one that is not set up", "large", agent(), undefined],
  ["one that the agent does not offer", "other", agent(), undefined],
  ["an agent without a choice of models", "fast", agent({ personSettings: ["temperature"] }), undefined],
  ["nothing", undefined, agent(), undefined],
])("[SET-9] a person prefers %s", (_, preferred, one, expected) => {
  expect(modelForNew(one, preferred === undefined ? {} : { model: preferred })).toBe(expected)
})
