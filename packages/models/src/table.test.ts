import { describe, expect, test } from "vitest"
import { offersFor, usualOffers } from "./offers.ts"
import { replacedUrls, resolveModel } from "./providers.ts"
import { knownInfo, knownModels } from "./table.ts"

const env = { OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "k" }

describe("what is known of models", () => {
  test("[MOD-6] common models have a window and a price; a dated version and the other API have the same", () => {
    expect(knownInfo("openai/gpt-5.6")).toMatchObject({
      window: 1_050_000,
      price: { input: 4, output: 20, cached: 0.4 },
    })
    expect(knownInfo("openai-chat/gpt-5.6")).toEqual(knownInfo("openai/gpt-5.6"))
    expect(knownInfo("anthropic/claude-haiku-4-5-20251001")).toEqual(knownInfo("anthropic/claude-haiku-4-5"))
    expect(knownInfo("openai/gpt-5.4-2026-03-05")).toEqual(knownInfo("openai/gpt-5.4"))
    expect(knownInfo("openai/none")).toBeUndefined()
    for (const provider of ["openai", "anthropic", "google"]) expect(knownModels(provider).length).toBeGreaterThan(4)
  })

  test("[MOD-6] the config wins over the environment, and that over what is built in", async () => {
    const spec = "openai/gpt-5.6"
    const price = { input: 1, output: 2 }
    expect(await resolveModel(spec, env)).toMatchObject({ window: 1_050_000, price: { input: 4 } })
    const set = { ...env, PARLOR_MODEL_WINDOW: "9000", PARLOR_MODEL_PRICE: "3,4,0.3,3.75" }
    expect(await resolveModel(spec, set)).toMatchObject({
      window: 9_000,
      price: { input: 3, output: 4, cached: 0.3, cacheWrite: 3.75 },
    })
    expect(await resolveModel(spec, set, { info: { [spec]: { price } } })).toMatchObject({ window: 9_000, price })
    expect((await resolveModel("openai/none", env)).price).toBeUndefined()
  })

  test("[MOD-5] an offer says what is missing; a name that means nothing is an error", () => {
    const offers = offersFor(["anthropic/*", "google/gemini-3.8-flash", "demo"], env, {})()
    expect(offers.at(-2)).toMatchObject({
      name: "google/gemini-3.8-flash",
      missing: expect.stringContaining("set GOOGLE_GENERATIVE_AI_API_KEY and restart the server."),
    })
    expect(offers.filter(({ missing }) => missing === undefined).map(({ name }) => name)).toEqual([
      ...knownModels("anthropic"),
      "demo",
    ])
    expect(usualOffers(env)).toEqual(["openai/*", "anthropic/*", "local/*", "demo"])
    for (const name of ["acme/x", "gpt-5", "acme/*"]) expect(() => offersFor([name], env, {})).toThrow()
  })

  test("[MOD-12] addresses in effect are told, without what is secret in them", () => {
    const urls = {
      PARLOR_OPENAI_BASE_URL: "http://user:pass@proxy.example/v1?key=x",
      OPENAI_BASE_URL: "http://127.0.0.1:1/v1",
      GOOGLE_GENERATIVE_AI_BASE_URL: "http://unused/v1",
    }
    expect(replacedUrls({ ...env, ...urls })).toEqual([
      "openai/* uses http://proxy.example/v1 (PARLOR_OPENAI_BASE_URL)",
      "openai-chat/* uses http://proxy.example/v1 (PARLOR_OPENAI_BASE_URL)",
      "compatible/* uses http://127.0.0.1:1/v1 (OPENAI_BASE_URL)",
    ])
    expect(replacedUrls(env)).toEqual([])
  })
})
