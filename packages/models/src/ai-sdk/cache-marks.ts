/**
 * Marks how far a prompt stays the same, for Anthropic's cache (MOD-9). Pure.
 *
 * Each mark ends a prefix that is written to the cache and found there by later requests: tools and instructions, the
 * prompt as it is now, and the prompt as it was at the request before, in case many blocks were added since. Four are
 * allowed. A prefix that is too short to be cached is ignored by the provider.
 */
import type { LanguageModelV3FunctionTool, LanguageModelV3Prompt } from "@ai-sdk/provider"

const mark = { anthropic: { cacheControl: { type: "ephemeral" } } }

export function markedPrompt(prompt: LanguageModelV3Prompt): LanguageModelV3Prompt {
  const last = prompt.length - 1
  const answered = prompt.findLastIndex(({ role }) => role === "assistant")
  const ends = new Set([last, answered - 1])
  return prompt.map((message, index) =>
    message.role === "system" || (message.role !== "assistant" && ends.has(index))
      ? { ...message, providerOptions: { ...message.providerOptions, ...mark } }
      : message,
  )
}

/** Instructions come after the tools, so their mark covers both. */
export function markedTools(
  tools: readonly LanguageModelV3FunctionTool[],
  prompt: LanguageModelV3Prompt,
): LanguageModelV3FunctionTool[] {
  const isCovered = prompt[0]?.role === "system"
  return tools.map((tool, index) =>
    !isCovered && index === tools.length - 1 ? { ...tool, providerOptions: mark } : tool,
  )
}
