import { scenario } from "@parlor/testing"
import { simulateReadableStream } from "ai"
import { MockLanguageModelV3, MockProviderV3 } from "ai/test"
import { afterEach, expect, test } from "vitest"
import agents from "./parlor.config.ts"

type Streamed = Awaited<ReturnType<MockLanguageModelV3["doStream"]>>["stream"]
type StreamPart = Streamed extends ReadableStream<infer Part> ? Part : never
type Global = { AI_SDK_DEFAULT_PROVIDER?: MockProviderV3 | undefined }

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 3, reasoning: 2 },
}

/** A model of the AI SDK in place of the provider's; each call answers with the next list of parts. */
function play(...replies: readonly (readonly StreamPart[])[]): MockLanguageModelV3["doStreamCalls"] {
  let call = 0
  const model = new MockLanguageModelV3({
    modelId: "gpt-5-mini",
    doStream: async () => ({ stream: simulateReadableStream({ chunks: [...(replies[call++] ?? [])] }) }),
  })
  const global = globalThis as Global
  global.AI_SDK_DEFAULT_PROVIDER = new MockProviderV3({ languageModels: { "openai/gpt-5-mini": model } })
  return model.doStreamCalls
}

afterEach(() => {
  ;(globalThis as Global).AI_SDK_DEFAULT_PROVIDER = undefined
})

const says = (text: string): StreamPart[] => [
  { type: "stream-start", warnings: [] },
  { type: "text-start", id: "t" },
  ...text.split(/(?<= )/).map((delta) => ({ type: "text-delta", id: "t", delta }) as const),
  { type: "text-end", id: "t" },
  { type: "finish", finishReason: { unified: "stop", raw: "stop" }, usage },
]

const asks = (city: string): StreamPart[] => [
  { type: "stream-start", warnings: [] },
  { type: "reasoning-start", id: "r" },
  { type: "reasoning-delta", id: "r", delta: "I have to look." },
  { type: "reasoning-end", id: "r" },
  { type: "tool-call", toolCallId: "call_1", toolName: "weather", input: JSON.stringify({ city }) },
  { type: "finish", finishReason: { unified: "tool-calls", raw: "tool_calls" }, usage },
]

test("[COD-1] an agent of the AI SDK: text streams, tool calls and reasoning are recorded, usage is counted", async () => {
  const prompts = play(asks("Oslo"), says("It is clear in Oslo."), says("Still clear."))
  const talk = await scenario(agents)
  await talk.send("How is the weather in Oslo?")
  const [, looked, said] = await talk.messages()
  expect(looked?.parts).toMatchObject([
    { type: "reasoning", text: "I have to look." },
    { type: "tool", name: "weather", state: "done", input: { city: "Oslo" }, output: { sky: "clear", celsius: 21 } },
  ])
  expect(said).toMatchObject({ state: "done", parts: [{ type: "text", text: "It is clear in Oslo." }] })
  const turn = [...(await talk.rows()).turns.values()][0]
  expect(turn).toMatchObject({ state: "done", steps: 2, usage: { inputTokens: 20, outputTokens: 10 } })

  await talk.send("And now?")
  expect(prompts.at(-1)?.prompt.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"])
  expect(await talk.transcript()).toEqual([
    "person: How is the weather in Oslo?",
    expect.stringContaining("weather"),
    "agent: It is clear in Oslo.",
    "person: And now?",
    "agent: Still clear.",
  ])
  await talk.close()
})
