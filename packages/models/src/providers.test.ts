import { describe, expect, test } from "vitest"
import { ModelConfigError } from "./config.ts"
import { defaultModelSpec, resolveModel } from "./providers.ts"

describe("the model to use", () => {
  test.each([
    [{}, "demo"],
    [{ OPENAI_API_KEY: "" }, "demo"],
    [{ PARLOR_MODEL: "google/x", OPENAI_API_KEY: "k" }, "google/x"],
    [{ PARLOR_MODEL: "compatible/x", OPENAI_BASE_URL: "http://127.0.0.1/v1" }, "compatible/x"],
    [{ OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "k" }, "openai/gpt-5.6"],
    [{ ANTHROPIC_API_KEY: "k" }, "anthropic/claude-sonnet-5-5"],
    [{ GOOGLE_GENERATIVE_AI_API_KEY: "k" }, "google/gemini-flash-latest"],
  ])("[TRN-16] %j means %s", (env, spec) => {
    expect(defaultModelSpec(env)).toBe(spec)
  })

  test("[TRN-16] a server of one's own needs the name of a model", () => {
    expect(() => defaultModelSpec({ OPENAI_API_KEY: "k", OPENAI_BASE_URL: "http://127.0.0.1/v1" })).toThrow(
      /PARLOR_MODEL=compatible\/<id>/,
    )
  })

  test.each([
    ["", {}, "is not the name of a model"],
    ["gpt-5", {}, "is not the name of a model"],
    ["openai/", {}, "is not the name of a model"],
    ["acme/x", {}, "not a known model provider"],
    ["openai/x", {}, "OPENAI_API_KEY"],
    ["anthropic/x", { ANTHROPIC_API_KEY: " " }, "ANTHROPIC_API_KEY"],
    ["google/x", {}, "GOOGLE_GENERATIVE_AI_API_KEY"],
    ["compatible/x", {}, "OPENAI_BASE_URL"],
    ["compatible/x", { OPENAI_BASE_URL: "localhost:11434" }, "not an http address"],
    ["compatible/x", { OPENAI_BASE_URL: "http://h/v1", PARLOR_COMPATIBLE_ADAPTER: "fast" }, "must be lean or ai-sdk"],
    ["compatible/x", { OPENAI_BASE_URL: "http://h/v1", PARLOR_MODEL_WINDOW: "big" }, "PARLOR_MODEL_WINDOW"],
    ["demo", { PARLOR_MODEL_PRICE: "cheap" }, 'not a valid price: "cheap"'],
    ["demo", { PARLOR_MODEL_PRICE: "1" }, "not a valid price"],
    ["demo", { PARLOR_MODEL_PRICE: "1,-2" }, "dollars per million tokens"],
    ["demo", { PARLOR_MODEL_PRICE: "1,,2" }, "not a valid price"],
    ["demo", { PARLOR_MODEL_PRICE: "1,2,3,4,5" }, "not a valid price"],
  ])("[TRN-16] %j with %j is refused, saying what to set", async (spec, env, message) => {
    const failed = await resolveModel(spec, env).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(ModelConfigError)
    expect((failed as Error).message).toContain(message)
  })

  test("[TRN-16] models carry the name they were asked for and a window", async () => {
    expect(await resolveModel("demo", {})).toMatchObject({ name: "demo", window: 32_000 })
    const env = { OPENAI_BASE_URL: "http://127.0.0.1:1/v1", PARLOR_MODEL_WINDOW: "8192" }
    expect(await resolveModel("compatible/org/model", env)).toMatchObject({
      name: "compatible/org/model",
      window: 8_192,
    })
    expect(await resolveModel("anthropic/x", { ANTHROPIC_API_KEY: "k" })).toMatchObject({ window: 200_000 })
  })

  test.each([
    [undefined, undefined],
    ["2.5,10", { input: 2.5, output: 10 }],
    [" 0, 0 ,0", { input: 0, output: 0, cached: 0 }],
  ])("[TRN-14] the price %s means %j", async (text, price) => {
    const env = { PARLOR_MODEL_PRICE: text, OPENAI_BASE_URL: "http://127.0.0.1:1/v1", ANTHROPIC_API_KEY: "k" }
    for (const spec of ["demo", "compatible/x", "anthropic/x"])
      expect((await resolveModel(spec, env)).price).toEqual(price)
  })
})
