import { expect, it } from "vitest"
import { formOf, preferencesOf, problemOf, rebased } from "./form.ts"

it("[SET-5] what is empty is not set, and what is set comes back", () => {
  expect(preferencesOf(formOf({}))).toEqual({})
  const all = {
    instructions: "Metric units.",
    agent: "critic",
    model: "openai/a",
    tokensPerDay: 1_000,
    dollarsPerDay: 0.5,
  }
  expect(preferencesOf(formOf(all))).toEqual(all)
  expect(preferencesOf({ ...formOf(all), instructions: " \n", dollarsPerDay: "2,5" })).toEqual({
    agent: "critic",
    model: "openai/a",
    tokensPerDay: 1_000,
    dollarsPerDay: 2.5,
  })
})

it.each([
  [{ tokensPerDay: "0" }, "tokensPerDay"],
  [{ tokensPerDay: "1.5" }, "tokensPerDay"],
  [{ tokensPerDay: "many" }, "tokensPerDay"],
  [{ dollarsPerDay: "-1" }, "dollarsPerDay"],
  [{ dollarsPerDay: "x" }, "dollarsPerDay"],
  [{ tokensPerDay: " 5 ", dollarsPerDay: "0.01" }, undefined],
])("[SET-7] a budget is a positive number: %j", (given, field) => {
  expect(problemOf({ ...formOf({}), ...given })?.field).toBe(field)
})

it("[SET-5] a change from another device keeps what was changed here, and takes the rest", () => {
  const before = formOf({ instructions: "a", agent: "host" })
  const now = formOf({ instructions: "b", agent: "critic", tokensPerDay: 5 })
  expect(rebased({ ...before, instructions: "mine" }, before, now)).toEqual({ ...now, instructions: "mine" })
  expect(rebased(before, before, now)).toEqual(now)
})
