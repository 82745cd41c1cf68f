/** Anthropic's Messages API: https://platform.claude.com/docs/en/build-with-claude/streaming */
import { named, type Recording } from "./replay.ts"

export const THOUGHT = "The person asks about Oslo, so I need the weather tool."
export const SIGNATURE = "EqoBCkgIBxABGAIiQL1h0u9XkSignatureOfTheThinkingAbove=="
export const REDACTED = "EmwKAhgBEgy3va3pzix/LafPsn4aDFIT2Xlxh0L5L8rLVyIwxtE3rAFBa8cr3qpPkNRj"

const start = {
  type: "message_start",
  message: {
    id: "msg_01X",
    type: "message",
    role: "assistant",
    model: "claude-sonnet-5-5",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: 52,
      cache_creation_input_tokens: 300,
      cache_read_input_tokens: 2_048,
      cache_creation: { ephemeral_5m_input_tokens: 300, ephemeral_1h_input_tokens: 0 },
      output_tokens: 1,
      service_tier: "standard",
      inference_geo: "not_available",
    },
  },
}

const end = (reason: string) => [
  {
    type: "message_delta",
    delta: { stop_reason: reason, stop_sequence: null },
    usage: {
      input_tokens: 52,
      cache_creation_input_tokens: 300,
      cache_read_input_tokens: 2_048,
      output_tokens: 96,
      output_tokens_details: { thinking_tokens: 64 },
    },
  },
  { type: "message_stop" },
]

const delta = (index: number, change: object) => ({ type: "content_block_delta", index, delta: change })
const stop = (index: number) => ({ type: "content_block_stop", index })

/** Thinks, partly redacted, then calls a tool. */
export const thinksAndCalls: Recording = {
  body: named(
    start,
    { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "", signature: "" } },
    { type: "ping" },
    delta(0, { type: "thinking_delta", thinking: THOUGHT.slice(0, 30) }),
    delta(0, { type: "thinking_delta", thinking: THOUGHT.slice(30) }),
    delta(0, { type: "signature_delta", signature: SIGNATURE }),
    stop(0),
    { type: "content_block_start", index: 1, content_block: { type: "redacted_thinking", data: REDACTED } },
    stop(1),
    { type: "content_block_start", index: 2, content_block: { type: "text", text: "" } },
    delta(2, { type: "text_delta", text: "Let me look." }),
    stop(2),
    {
      type: "content_block_start",
      index: 3,
      content_block: { type: "tool_use", id: "toolu_01A", name: "weather", input: {} },
    },
    delta(3, { type: "input_json_delta", partial_json: "" }),
    delta(3, { type: "input_json_delta", partial_json: '{"city": "Oslo"}' }),
    stop(3),
    ...end("tool_use"),
  ),
}

export function says(text: string): Recording {
  return {
    body: named(
      start,
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "ping" },
      delta(0, { type: "text_delta", text }),
      stop(0),
      ...end("end_turn"),
    ),
  }
}

const error = (status: number, type: string, message: string): Recording => ({
  status,
  body: JSON.stringify({ type: "error", error: { type, message }, request_id: "req_011" }),
})

export const noQuota = error(
  400,
  "invalid_request_error",
  "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.",
)
export const monthlyLimit = error(
  400,
  "invalid_request_error",
  "You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.",
)
export const billingError = error(402, "billing_error", "There is a problem with your billing or payment information.")
export const rateLimit: Recording = {
  ...error(
    429,
    "rate_limit_error",
    "This request would exceed your organization's rate limit of 50 requests per minute.",
  ),
  headers: { "retry-after": "0.02" },
}
export const badKey = error(401, "authentication_error", "invalid x-api-key")
export const refusesReasoning = error(
  400,
  "invalid_request_error",
  "messages.1.content.0: Invalid `signature` in `thinking` block",
)
