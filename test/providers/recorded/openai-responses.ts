/** OpenAI's Responses API: https://platform.openai.com/docs/api-reference/responses-streaming, in the shapes of recorded streams. */
import { named, type Recording } from "./replay.ts"

const response = (status: string, more: object = {}) => ({
  id: "resp_0a1b2c",
  object: "response",
  created_at: 1_790_000_000,
  status,
  model: "gpt-5.6-sol",
  ...more,
})

const usage = {
  input_tokens: 2_400,
  input_tokens_details: { cached_tokens: 2_048 },
  output_tokens: 96,
  output_tokens_details: { reasoning_tokens: 64 },
  total_tokens: 2_496,
}

export const ENCRYPTED = "gAAAAABpVq0xNkEncryptedReasoningOf64Tokens=="

const reasoning = (encrypted: string | null, summary: readonly object[]) => ({
  id: "rs_68a1f0c2",
  type: "reasoning",
  encrypted_content: encrypted,
  summary,
})

/** Reasons without a summary, then calls a tool. */
export const thinksAndCalls: Recording = {
  body: named(
    { type: "response.created", sequence_number: 0, response: response("in_progress") },
    { type: "response.in_progress", sequence_number: 1, response: response("in_progress") },
    { type: "response.output_item.added", sequence_number: 2, output_index: 0, item: reasoning("gAAAAABpVq0x", []) },
    { type: "response.output_item.done", sequence_number: 3, output_index: 0, item: reasoning(ENCRYPTED, []) },
    {
      type: "response.output_item.added",
      sequence_number: 4,
      output_index: 1,
      item: {
        id: "fc_77",
        type: "function_call",
        status: "in_progress",
        arguments: "",
        call_id: "call_w1",
        name: "weather",
      },
    },
    {
      type: "response.function_call_arguments.delta",
      sequence_number: 5,
      item_id: "fc_77",
      output_index: 1,
      delta: '{"city":',
      obfuscation: "2ajSAGID",
    },
    {
      type: "response.function_call_arguments.delta",
      sequence_number: 6,
      item_id: "fc_77",
      output_index: 1,
      delta: '"Oslo"}',
    },
    {
      type: "response.function_call_arguments.done",
      sequence_number: 7,
      item_id: "fc_77",
      output_index: 1,
      arguments: '{"city":"Oslo"}',
    },
    {
      type: "response.output_item.done",
      sequence_number: 8,
      output_index: 1,
      item: {
        id: "fc_77",
        type: "function_call",
        status: "completed",
        arguments: '{"city":"Oslo"}',
        call_id: "call_w1",
        name: "weather",
      },
    },
    { type: "response.completed", sequence_number: 9, response: response("completed", { usage }) },
  ),
}

const message = (text: string) => ({
  id: "msg_68a1f0d4",
  type: "message",
  status: "completed",
  role: "assistant",
  content: [{ type: "output_text", text, annotations: [] }],
})

export function says(text: string): Recording {
  const place = { item_id: "msg_68a1f0d4", output_index: 0, content_index: 0 }
  const part = { type: "output_text", annotations: [], logprobs: [] }
  return {
    body: named(
      { type: "response.created", sequence_number: 0, response: response("in_progress") },
      {
        type: "response.output_item.added",
        sequence_number: 1,
        output_index: 0,
        item: { ...message(""), status: "in_progress", content: [] },
      },
      { type: "response.content_part.added", sequence_number: 2, ...place, part: { ...part, text: "" } },
      {
        type: "response.output_text.delta",
        sequence_number: 3,
        ...place,
        delta: text,
        logprobs: [],
        obfuscation: "xX",
      },
      { type: "response.output_text.done", sequence_number: 4, ...place, text, logprobs: [] },
      { type: "response.content_part.done", sequence_number: 5, ...place, part: { ...part, text } },
      { type: "response.output_item.done", sequence_number: 6, output_index: 0, item: message(text) },
      { type: "response.completed", sequence_number: 7, response: response("completed", { usage }) },
    ),
  }
}

export const noQuota: Recording = {
  status: 429,
  body: JSON.stringify({
    error: {
      message:
        "You exceeded your current quota, please check your plan and billing details. For more information on this error, read the docs: https://platform.openai.com/docs/guides/error-codes/api-errors.",
      type: "insufficient_quota",
      param: null,
      code: "insufficient_quota",
    },
  }),
}

export const rateLimit: Recording = {
  status: 429,
  headers: { "retry-after-ms": "20", "x-ratelimit-remaining-requests": "0" },
  body: JSON.stringify({
    error: {
      message: "Rate limit reached for gpt-5.6 in organization org-x on tokens per min (TPM): Limit 30000, Used 29800.",
      type: "tokens",
      param: null,
      code: "rate_limit_exceeded",
    },
  }),
}

export const badKey: Recording = {
  status: 401,
  body: JSON.stringify({
    error: {
      message:
        "Incorrect API key provided: sk-test-****6789. You can find your API key at https://platform.openai.com.",
      type: "invalid_request_error",
      param: null,
      code: "invalid_api_key",
    },
  }),
}

export const refusesReasoning: Recording = {
  status: 400,
  body: JSON.stringify({
    error: {
      message: "The encrypted content for item rs_68a1f0c2 could not be verified.",
      type: "invalid_request_error",
      param: null,
      code: "invalid_encrypted_content",
    },
  }),
}
