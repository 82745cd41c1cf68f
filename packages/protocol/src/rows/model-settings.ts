/** Model settings of a conversation (MOD-3). What is absent is as the agent's author set it. */
import { z } from "zod"
import { jsonValue } from "../json-value.ts"
import { limits } from "../limits.ts"
import { wellFormedText } from "../text.ts"

export const reasoningEffort = z.enum(["none", "minimal", "low", "medium", "high", "xhigh", "max"])
export type ReasoningEffort = z.infer<typeof reasoningEffort>

export const modelName = wellFormedText.min(1).max(limits.modelNameLength)
const optionName = wellFormedText.min(1).max(limits.nameLength)

export const modelSettings = z
  .strictObject({
    model: modelName.optional(),
    /** Tried in order when the model cannot answer; an empty list means none. */
    fallbacks: z.array(modelName).max(limits.fallbacks).optional(),
    temperature: z.number().min(0).max(2).optional(),
    maxOutputTokens: z.number().int().min(1).max(limits.maxOutputTokens).optional(),
    reasoning: reasoningEffort.optional(),
    /** A mode of a hosted agent, such as `plan` (HST-12). */
    mode: optionName.optional(),
    /** By the provider's name in the AI SDK, such as `openai` or `anthropic`. */
    providerOptions: z.record(optionName, z.record(optionName, jsonValue)).optional(),
  })
  .superRefine((settings, ctx) => {
    if (JSON.stringify(settings).length <= limits.modelSettingsBytes) return
    const message = `The settings may be at most ${limits.modelSettingsBytes} characters long.`
    ctx.addIssue({ code: "custom", path: ["providerOptions"], message })
  })
export type ModelSettings = z.infer<typeof modelSettings>
