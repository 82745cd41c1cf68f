/** OpenAI's API over agents and conversations: models, chat completions and responses. */
import { z } from "zod"
import { limits } from "../limits.ts"
import { type DescribedRoute, ok } from "./route.ts"

const model = z.object({
  id: z.string(),
  object: z.literal("model"),
  created: z.number().int(),
  owned_by: z.string(),
  name: z.string(),
  description: z.string(),
})

const part = z.looseObject({ type: z.string() })
const content = z.union([z.string(), z.array(part)]).nullish()
const message = z.looseObject({
  role: z.enum(["system", "developer", "user", "assistant", "tool", "function"]),
  content,
  tool_calls: z.array(z.looseObject({ id: z.string() })).nullish(),
  tool_call_id: z.string().nullish(),
})
export type OpenaiMessage = z.infer<typeof message>

const item = z.looseObject({
  type: z.string().nullish(),
  role: z.string().nullish(),
  content,
  call_id: z.string().nullish(),
})
export type OpenaiItem = z.infer<typeof item>

/** Tools of the client are ignored, but a reply that must call one is impossible. */
const toolChoice = z.union([z.string(), z.looseObject({ type: z.string() })]).nullish()
const format = z.looseObject({ type: z.string() })
const modelName = z.string().min(1, "`model` is the name of an agent.")

const chatRequest = z.looseObject({
  /** `agent`, or `agent/branch`. */
  model: modelName,
  messages: z.array(message).min(1, "There is no message to send."),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  store: z.boolean().nullish(),
  n: z.number().nullish(),
  tool_choice: toolChoice,
  response_format: format.nullish(),
})
export type OpenaiChatRequest = z.infer<typeof chatRequest>

const responseRequest = z.looseObject({
  /** Not needed with a previous response. */
  model: modelName.nullish(),
  input: z.union([z.string(), z.array(item).min(1, "There is no message to send.")]),
  /** The name of a branch. */
  conversation: z.union([z.string(), z.looseObject({ id: z.string() })]).nullish(),
  previous_response_id: z.string().nullish(),
  background: z.boolean().nullish(),
  store: z.boolean().nullish(),
  stream: z.boolean().nullish(),
  tool_choice: toolChoice,
  text: z.looseObject({ format: format.nullish() }).nullish(),
})
export type OpenaiResponseRequest = z.infer<typeof responseRequest>

const chatCompletion = z.looseObject({
  id: z.string(),
  object: z.literal("chat.completion"),
  created: z.number().int(),
  model: z.string(),
  choices: z.array(
    z.looseObject({
      index: z.number().int(),
      message: z.looseObject({ role: z.literal("assistant"), content: z.string() }),
      finish_reason: z.string(),
    }),
  ),
  usage: z.looseObject({
    prompt_tokens: z.number(),
    completion_tokens: z.number(),
    total_tokens: z.number(),
  }),
})

const response = z.looseObject({
  id: z.string(),
  object: z.literal("response"),
  created_at: z.number().int(),
  status: z.enum(["queued", "in_progress", "completed", "failed", "cancelled"]),
  model: z.string(),
  conversation: z.object({ id: z.string() }),
  output: z.array(z.looseObject({ id: z.string(), type: z.string(), status: z.string() })),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
})

const params = z.object({ id: z.string().min(1).max(limits.urlLength) })
const errors = "openai"

export const openaiRoutes = {
  openaiModels: {
    needs: "read",
    summary: "OpenAI: the agents as models",
    answer: ok(z.object({ object: z.literal("list"), data: z.array(model) })),
    errors,
  },
  openaiModel: {
    needs: "read",
    summary: "OpenAI: one agent as a model",
    params: z.object({ model: modelName }),
    answer: ok(model),
    errors,
  },
  openaiChat: {
    needs: "write",
    repeats: "own",
    summary: "OpenAI: sends the last message of a chat and returns or streams the reply",
    heavy: true,
    body: chatRequest,
    bodyBytes: limits.openaiBodyBytes,
    answer: ok(chatCompletion),
    mayStream: true,
    errors,
  },
  openaiRespond: {
    needs: "write",
    repeats: "own",
    summary: "OpenAI: sends a message and returns or streams the response, or lets it run in the background",
    heavy: true,
    body: responseRequest,
    bodyBytes: limits.openaiBodyBytes,
    answer: ok(response),
    mayStream: true,
    errors,
  },
  openaiResponse: {
    needs: "read",
    summary: "OpenAI: a response as it is now, or its events after a number",
    heavy: true,
    params,
    query: z.object({
      stream: z
        .enum(["true", "false"])
        .default("false")
        .transform((text) => text === "true"),
      starting_after: z.coerce.number().int().nonnegative().optional(),
    }),
    answer: ok(response),
    mayStream: true,
    errors,
  },
  openaiCancel: {
    needs: "write",
    repeats: "harmless",
    summary: "OpenAI: stops a response, or removes its message from the queue",
    heavy: true,
    params,
    answer: ok(response),
    errors,
  },
  openaiDelete: {
    needs: "write",
    summary: "OpenAI: deletes a response that is the only one of its conversation",
    params,
    answer: ok(z.object({ id: z.string(), object: z.literal("response"), deleted: z.literal(true) })),
    errors,
  },
} as const satisfies Record<string, DescribedRoute>
