/** Chat Completions, of OpenAI and of servers that speak it: https://platform.openai.com/docs/api-reference/chat-streaming */
import { type Recording, unnamed } from "./replay.ts"

const base = {
  id: "chatcmpl-9x",
  object: "chat.completion.chunk",
  created: 1_790_000_000,
  model: "gpt-5.6-sol",
  service_tier: "default",
  system_fingerprint: "fp_de604bd877",
}

const chunk = (delta: object, finish: string | null = null) => ({
  ...base,
  choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  usage: null,
  obfuscation: "yhjoJbEF",
})

const usage = {
  ...base,
  choices: [],
  usage: {
    prompt_tokens: 2_400,
    completion_tokens: 96,
    total_tokens: 2_496,
    prompt_tokens_details: { cached_tokens: 2_048, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: 64,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  },
  obfuscation: "h9RiQLL",
}

const call = [
  { index: 0, id: "call_w1", type: "function", function: { name: "weather", arguments: "" } },
  { index: 0, function: { arguments: '{"city":' } },
  { index: 0, function: { arguments: '"Oslo"}' } },
]

export const THOUGHT = "The person asks about Oslo, so I need the weather tool."

/** `field`: where a compatible server puts its reasoning; OpenAI shows none. */
export function thinksAndCalls(field?: "reasoning_content" | "reasoning"): Recording {
  const thoughts =
    field === undefined ? [] : [chunk({ [field]: THOUGHT.slice(0, 20) }), chunk({ [field]: THOUGHT.slice(20) })]
  return {
    body: unnamed(
      chunk({ role: "assistant", content: field === undefined ? null : "", refusal: null }),
      ...thoughts,
      ...call.map((one) => chunk({ tool_calls: [one] })),
      chunk({}, "tool_calls"),
      usage,
      "[DONE]",
    ),
  }
}

export function says(text: string): Recording {
  return {
    body: unnamed(
      chunk({ role: "assistant", content: "", refusal: null }),
      chunk({ content: text }),
      chunk({}, "stop"),
      usage,
      "[DONE]",
    ),
  }
}

export { badKey, noQuota, rateLimit } from "./openai-responses.ts"

/** OpenRouter. */
export const noCredits: Recording = {
  status: 402,
  body: JSON.stringify({
    error: { code: 402, message: "Insufficient credits. Add more using https://openrouter.ai/settings/credits" },
  }),
}

export const refusesReasoning: Recording = {
  status: 400,
  body: JSON.stringify({
    error: { message: "property 'messages.1.reasoning_content' is unsupported", type: "invalid_request_error" },
  }),
}
