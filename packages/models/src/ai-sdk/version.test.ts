import { describe, expect, test } from "vitest"
import { asking, joined, ran } from "../../test/requests.ts"
import { aiSdkModel } from "./model.ts"
import { type AiSdkModel, isAiSdkModel } from "./version.ts"

const usage = {
  v2: { inputTokens: 9, outputTokens: 7, totalTokens: 16, reasoningTokens: 2, cachedInputTokens: 4 },
  v3: {
    inputTokens: { total: 9, noCache: 5, cacheRead: 4, cacheWrite: undefined },
    outputTokens: { total: 7, text: 5, reasoning: 2 },
  },
}

type Version = AiSdkModel["specificationVersion"]

/** `asked` gets the options of each call. */
function modelOf(version: Version, asked: unknown[], reason = "stop"): AiSdkModel {
  const end = version === "v2" ? reason : { unified: reason, raw: reason }
  return {
    specificationVersion: version,
    provider: "acme.chat",
    modelId: "one",
    async doStream(options: unknown) {
      asked.push(options)
      const parts = [
        { type: "stream-start", warnings: [] },
        { type: "reasoning-start", id: "r" },
        { type: "reasoning-delta", id: "r", delta: "Hm." },
        { type: "reasoning-end", id: "r", providerMetadata: { acme: { seal: "x" } } },
        { type: "text-start", id: "t" },
        { type: "text-delta", id: "t", delta: "Hello." },
        { type: "text-end", id: "t" },
        { type: "finish", finishReason: end, usage: version === "v2" ? usage.v2 : usage.v3 },
      ]
      const stream = new ReadableStream<unknown>({
        start(controller) {
          for (const part of parts) controller.enqueue(part)
          controller.close()
        },
      })
      return { stream }
    },
  } as AiSdkModel
}

describe.each<Version>(["v2", "v3", "v4"])("an AI SDK model with specification %s", (version) => {
  test("[MOD-1] answers, with its usage and what it needs back", async () => {
    const asked: unknown[] = []
    const given = modelOf(version, asked)
    expect(isAiSdkModel(given)).toBe(true)
    const model = aiSdkModel("acme/one", given, { window: 1_000 })
    const { events, error } = await ran(model, asking("hi"))
    expect(error).toBeUndefined()
    expect(joined(events)).toEqual([
      { type: "reasoning", text: "Hm." },
      { type: "text", text: "Hello." },
      {
        type: "finish",
        reason: "stop",
        usage: { inputTokens: 9, outputTokens: 7, reasoningTokens: 2, cachedTokens: 4 },
      },
    ])
    expect(events).toContainEqual({ type: "block", of: "reasoning", meta: { acme: { seal: "x" } } })
  })

  test("[MOD-1, MOD-2] gets files and reasoning effort in its own form", async () => {
    const asked: unknown[] = []
    const model = aiSdkModel("acme/one", modelOf(version, asked), { window: 1_000 })
    const attachments = [{ name: "a.png", mediaType: "image/png", data: new Uint8Array([1, 2, 3]) }]
    await ran(model, {
      ...asking("hi", { messages: [{ role: "person", text: "hi", attachments }] }),
      settings: { reasoning: "max", temperature: 0.2, providerOptions: { acme: { tone: "dry" } } },
    })
    const [options] = asked as { prompt: { content: { data?: unknown }[] }[]; reasoning?: string }[]
    expect(options?.prompt[1]?.content[0]?.data).toEqual(version === "v4" ? { type: "data", data: "AQID" } : "AQID")
    expect(options?.reasoning).toBe(version === "v4" ? "xhigh" : undefined)
    expect(options).toMatchObject({
      temperature: 0.2,
      providerOptions: { acme: { reasoningEffort: "max", tone: "dry" } },
    })
  })
})

test("[MOD-1, TRN-10] an interrupted or unknown end is a broken stream", async () => {
  for (const [version, reason] of [
    ["v4", "interrupted"],
    ["v2", "unknown"],
  ] as const) {
    const model = aiSdkModel("acme/one", modelOf(version, [], reason), { window: 1_000 })
    expect((await ran(model, asking("hi"))).error).toMatchObject({ name: "ModelFault", transient: true })
  }
})
