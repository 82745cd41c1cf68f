/** The providers of the recorded suite: what each answers, and where the things a test looks for are in its requests. */
import type { Model } from "@parlor/core"
import { resolveModel } from "@parlor/models"
import * as anthropic from "./anthropic.ts"
import * as google from "./google.ts"
import * as chat from "./openai-chat.ts"
import * as responses from "./openai-responses.ts"
import type { Recording, Sent } from "./replay.ts"

export type RecordedProvider = {
  readonly name: string
  readonly spec: string
  readonly adapter?: "lean" | "ai-sdk"
  readonly path: string
  readonly thinksAndCalls: Recording
  readonly says: (text: string) => Recording
  readonly noQuota: readonly Recording[]
  readonly rateLimit: Recording
  readonly badKey: Recording
  readonly refusesReasoning: Recording
  /** What a request has of the settings temperature 0.4, 500 tokens of output and effort "low". */
  readonly settings: object
  /** The reasoning that a request returns; undefined if the provider takes none. */
  readonly returned: ((sent: Sent) => unknown) | undefined
  readonly expected?: unknown
  /** Tokens of each recorded answer: read from the cache, written to it, reasoning. */
  readonly cached: number
  readonly written?: number
  readonly reasoning: number
  /** The parts of the last message of the person. */
  readonly parts: (sent: Sent) => readonly unknown[]
  readonly image: (data: string) => object
  readonly pdf?: (data: string) => object
}

type Fields = Readonly<Record<string, unknown>>
const list = (value: unknown): readonly Fields[] => (Array.isArray(value) ? (value as Fields[]) : [])
const partsIn = (messages: unknown, role: string, field: string) =>
  list(list(messages).findLast((message) => message.role === role)?.[field])

const openaiChat: RecordedProvider = {
  name: "OpenAI, Chat Completions",
  spec: "openai-chat/gpt-4.1",
  path: "/v1/chat/completions",
  thinksAndCalls: chat.thinksAndCalls(),
  says: chat.says,
  noQuota: [chat.noQuota],
  rateLimit: chat.rateLimit,
  badKey: chat.badKey,
  refusesReasoning: chat.refusesReasoning,
  settings: { temperature: 0.4, max_tokens: 500 },
  returned: undefined,
  cached: 2_048,
  reasoning: 64,
  parts: ({ body }) => partsIn(body.messages, "user", "content"),
  image: (data) => ({ type: "image_url", image_url: { url: `data:image/png;base64,${data}` } }),
  pdf: (data) => ({ type: "file", file: { filename: "plan.pdf", file_data: `data:application/pdf;base64,${data}` } }),
}

const compatible: RecordedProvider = {
  ...openaiChat,
  name: "compatible, lean",
  spec: "compatible/some/model",
  adapter: "lean",
  thinksAndCalls: chat.thinksAndCalls("reasoning_content"),
  noQuota: [chat.noQuota, chat.noCredits],
  settings: { temperature: 0.4, max_tokens: 500, reasoning_effort: "low" },
  returned: ({ body }) => list(body.messages).find(({ role }) => role === "assistant")?.reasoning_content,
  expected: chat.THOUGHT,
}
delete (compatible as { pdf?: unknown }).pdf

export const recorded: readonly RecordedProvider[] = [
  {
    name: "OpenAI, Responses",
    spec: "openai/gpt-5.6",
    path: "/v1/responses",
    thinksAndCalls: responses.thinksAndCalls,
    says: responses.says,
    noQuota: [responses.noQuota],
    rateLimit: responses.rateLimit,
    badKey: responses.badKey,
    refusesReasoning: responses.refusesReasoning,
    // A reasoning model takes no temperature: the setting is left out.
    settings: {
      max_output_tokens: 500,
      reasoning: { effort: "low" },
      store: false,
      include: ["reasoning.encrypted_content"],
    },
    returned: ({ body }) => list(body.input).filter(({ type }) => type === "reasoning"),
    expected: [{ type: "reasoning", id: "rs_68a1f0c2", encrypted_content: responses.ENCRYPTED, summary: [] }],
    cached: 2_048,
    reasoning: 64,
    parts: ({ body }) => partsIn(body.input, "user", "content"),
    image: (data) => ({ type: "input_image", image_url: `data:image/png;base64,${data}` }),
    pdf: (data) => ({ type: "input_file", filename: "plan.pdf", file_data: `data:application/pdf;base64,${data}` }),
  },
  openaiChat,
  {
    name: "Anthropic",
    spec: "anthropic/claude-sonnet-4-6",
    path: "/v1/messages",
    thinksAndCalls: anthropic.thinksAndCalls,
    says: anthropic.says,
    noQuota: [anthropic.noQuota, anthropic.monthlyLimit, anthropic.billingError],
    rateLimit: anthropic.rateLimit,
    badKey: anthropic.badKey,
    refusesReasoning: anthropic.refusesReasoning,
    // Thinking takes no temperature: the setting is left out.
    settings: {
      max_tokens: 500,
      thinking: { type: "adaptive", display: "summarized" },
      output_config: { effort: "low" },
    },
    returned: ({ body }) =>
      list(list(body.messages).find(({ role }) => role === "assistant")?.content).filter(({ type }) =>
        String(type).includes("thinking"),
      ),
    expected: [
      { type: "thinking", thinking: anthropic.THOUGHT, signature: anthropic.SIGNATURE },
      { type: "redacted_thinking", data: anthropic.REDACTED },
    ],
    cached: 2_048,
    written: 300,
    reasoning: 64,
    parts: ({ body }) => partsIn(body.messages, "user", "content"),
    image: (data) => ({ type: "image", source: { type: "base64", media_type: "image/png", data } }),
    pdf: (data) => ({ type: "document", source: { type: "base64", media_type: "application/pdf", data } }),
  },
  {
    name: "Google",
    spec: "google/gemini-3.8-flash",
    path: "/v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse",
    thinksAndCalls: google.thinksAndCalls,
    says: google.says,
    noQuota: [google.noQuota],
    rateLimit: google.rateLimit,
    badKey: google.badKey,
    refusesReasoning: google.refusesReasoning,
    settings: {
      generationConfig: {
        temperature: 0.4,
        maxOutputTokens: 500,
        thinkingConfig: { thinkingLevel: "low", includeThoughts: true },
      },
    },
    returned: ({ body }) =>
      list(list(body.contents).find(({ role }) => role === "model")?.parts).map(
        ({ thoughtSignature }) => thoughtSignature,
      ),
    expected: [google.SIGNATURE],
    cached: 2_048,
    reasoning: 64,
    parts: ({ body }) => partsIn(body.contents, "user", "parts"),
    image: (data) => ({ inlineData: { mimeType: "image/png", data } }),
    pdf: (data) => ({ inlineData: { mimeType: "application/pdf", data } }),
  },
  compatible,
  { ...compatible, name: "compatible, AI SDK", adapter: "ai-sdk" },
]

export const KEY = "sk-test-0123456789"

export function recordedModel(
  { spec, adapter }: Pick<RecordedProvider, "spec" | "adapter">,
  url: string,
): Promise<Model> {
  return resolveModel(spec, {
    OPENAI_API_KEY: KEY,
    OPENAI_BASE_URL: `${url}/v1`,
    PARLOR_OPENAI_BASE_URL: `${url}/v1`,
    ANTHROPIC_API_KEY: KEY,
    ANTHROPIC_BASE_URL: `${url}/v1`,
    GOOGLE_GENERATIVE_AI_API_KEY: KEY,
    GOOGLE_GENERATIVE_AI_BASE_URL: `${url}/v1beta`,
    PARLOR_COMPATIBLE_ADAPTER: adapter,
  })
}
