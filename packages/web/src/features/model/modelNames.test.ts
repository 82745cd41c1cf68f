import type { ModelView } from "@parlor/protocol"
import { expect, test } from "vitest"
import { matching, providerOf, settingsWith, shortName } from "./modelNames.ts"

const view = (name: string, isDefault = false): ModelView => ({
  name,
  isDefault,
  window: 1,
  maxOutput: null,
  price: null,
  ready: true,
  missing: null,
})

test("[MOD-19] a model is named without its provider", () => {
  expect(["anthropic/claude-sonnet-5-5", "compatible/vendor/m", "demo"].map(shortName)).toEqual([
    "claude-sonnet-5-5",
    "vendor/m",
    "demo",
  ])
  expect(["compatible/vendor/m", "demo"].map(providerOf)).toEqual(["compatible", ""])
})

test("[MOD-19] all words of the filter must occur", () => {
  const models = [view("openai/gpt-5.6"), view("anthropic/claude-opus-5-5")]
  expect(matching(models, "OPUS claude")).toEqual([models[1]])
  expect(matching(models, " ")).toEqual(models)
})

test("[MOD-19] the agent's default removes the choice and keeps the other settings", () => {
  expect(settingsWith({ model: "a", temperature: 1 }, view("b", true))).toEqual({ temperature: 1 })
  expect(settingsWith(null, view("c"))).toEqual({ model: "c" })
})
