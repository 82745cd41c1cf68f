/** The AI SDK's providers over real HTTP, each in its own wire format. The compatible one is in `../compatible`. */
import { LLMock } from "@copilotkit/aimock"
import type { Model } from "@parlor/core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { afterWeather, asking, joined, ran, weatherTool } from "../../test/requests.ts"
import { resolveModel } from "../providers.ts"

const mock = new LLMock({ port: 0, chunkSize: 5 })

beforeAll(async () => {
  mock.onMessage("hello", { content: "Hello to you, 世界! 👋", usage: { input_tokens: 11, output_tokens: 7 } })
  mock.on(
    { userMessage: "weather", hasToolResult: false },
    {
      toolCalls: [{ name: "weather", arguments: '{"city":"Oslo"}', id: "call_1" }],
    },
  )
  mock.on({ userMessage: "weather", hasToolResult: true }, { content: "Four degrees." })
  mock.onMessage("busy", { error: { message: "Slow down", type: "rate_limit" }, status: 429, retryAfter: 3 })
  mock.onMessage("locked", { error: { message: "Bad key sk-test-0123456789" }, status: 401 })
  mock.onMessage("broken", { content: "word ".repeat(50) }, { truncateAfterChunks: 8, latency: 5 })
  await mock.start()
})
afterAll(() => mock.stop())

function model(spec: string): Promise<Model> {
  return resolveModel(spec, {
    OPENAI_API_KEY: "sk-test-0123456789",
    PARLOR_OPENAI_BASE_URL: `${mock.url}/v1`,
    ANTHROPIC_API_KEY: "sk-test-0123456789",
    ANTHROPIC_BASE_URL: `${mock.url}/v1`,
    GOOGLE_GENERATIVE_AI_API_KEY: "sk-test-0123456789",
    GOOGLE_GENERATIVE_AI_BASE_URL: `${mock.url}/v1beta`,
  })
}

describe.each(["openai/gpt-5.6", "anthropic/claude-sonnet-5-5", "google/gemini-flash-latest"])("%s", (spec) => {
  test("[TRN-16] text streams and the usage is reported", async () => {
    const { events, error } = await ran(await model(spec), asking("hello"))
    expect(error).toBeUndefined()
    expect(joined(events)).toMatchObject([
      { type: "text", text: "Hello to you, 世界! 👋" },
      { type: "finish", reason: "stop", usage: { inputTokens: 11, outputTokens: 7 } },
    ])
    expect(events.length).toBeGreaterThan(3)
  })

  test("[TRN-16] a tool is called, and the next step answers from its result", async () => {
    const first = await ran(await model(spec), asking("weather in Oslo?", { tools: [weatherTool] }))
    expect(first.error).toBeUndefined()
    expect(joined(first.events)).toMatchObject([
      { type: "tool", name: "weather", input: '{"city":"Oslo"}' },
      { type: "finish", reason: "tools" },
    ])
    const second = await ran(await model(spec), asking("", { tools: [weatherTool], messages: afterWeather }))
    expect(second.error).toBeUndefined()
    expect(joined(second.events)).toMatchObject([{ type: "text", text: "Four degrees." }, { type: "finish" }])
  })

  test("[TRN-10] 429 is transient and says when to come back", async () => {
    const { error } = await ran(await model(spec), asking("busy"))
    expect(error).toMatchObject({ name: "ModelFault", transient: true, retryAfterMs: 3_000 })
  })

  test("[TRN-10] 401 is permanent and keeps the key to itself", async () => {
    const { error } = await ran(await model(spec), asking("locked"))
    expect(error).toMatchObject({ name: "ModelFault", transient: false, cause: undefined })
    expect(`${String(error)}${JSON.stringify(error)}`).not.toContain("0123456789")
  })

  test("[TRN-10] a stream that breaks off is transient, and what was said stays said", async () => {
    const { events, error } = await ran(await model(spec), asking("broken"))
    expect(error).toMatchObject({ name: "ModelFault", transient: true })
    expect(joined(events)).toMatchObject([{ type: "text", text: expect.stringContaining("word") }])
  })
})
