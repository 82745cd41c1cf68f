import { expect, it } from "vitest"
import { environmentOf } from "./environment.ts"
import { insideOf } from "./paths.ts"
import { costOf, usageIn } from "./usage.ts"

const folders = { home: "/w/home", temp: "/w/temp" }

it("[HST-14] the environment is what is given, and nothing of the server's own but PATH and LANG", () => {
  const server = { PATH: "/bin", LANG: "C", OPENAI_API_KEY: "secret", HOME: "/root", DATABASE_URL: "postgres://" }
  expect(environmentOf(server, { KEY: "x" }, folders, "m")).toEqual({
    PATH: "/bin",
    LANG: "C",
    HOME: "/w/home",
    TMPDIR: "/w/temp",
    KEY: "x",
    PARLOR_HOSTED: "m",
  })
  expect(environmentOf({}, { HOME: "/root", PARLOR_HOSTED: "no" }, folders, "m")).toMatchObject({
    HOME: "/root",
    PARLOR_HOSTED: "m",
  })
})

it("[HST-15] a path is inside of the folder or refused", () => {
  expect(insideOf("/w", "/w/a/b.ts")).toBe("a/b.ts")
  expect(insideOf("/w", "a.ts")).toBe("a.ts")
  for (const path of ["/w", "/", "/wide/a", "/w/../x", "../x", "/w/a/../../x"])
    expect(insideOf("/w", path), path).toBeUndefined()
})

it("[HST-19] cost is what a session's total grew by; tokens are those of the response", () => {
  const cost = { spent: 0, isKnown: true }
  costOf({ cost: { amount: 0.5, currency: "USD" } }, cost)
  costOf({ cost: { amount: 0.75, currency: "USD" } }, cost)
  expect(usageIn({ usage: { inputTokens: 3, cachedReadTokens: 4, outputTokens: 2 } }, cost)).toEqual({
    inputTokens: 7,
    outputTokens: 2,
    reasoningTokens: 0,
    cachedTokens: 4,
    costMicros: 750_000,
  })
  costOf({ cost: { amount: 1, currency: "USD" } }, cost)
  expect(usageIn({}, cost).costMicros).toBe(250_000)
  const resumed = { spent: 0, isKnown: false }
  costOf({ cost: { amount: 9, currency: "USD" } }, resumed)
  costOf({ cost: { amount: -1, currency: "USD" } }, resumed)
  costOf({ cost: { amount: 99, currency: "EUR" } }, resumed)
  expect(usageIn(undefined, resumed).costMicros).toBe(0)
})
