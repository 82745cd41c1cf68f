/**
 * What differs between providers beyond their wire formats: how reasoning effort is asked for (MOD-2), what has to be
 * returned with reasoning (MOD-7), and whether a prompt is marked for the provider's cache (MOD-9).
 */
import type { CallSettings, Json } from "@parlor/core"
import type { ReasoningEffort } from "@parlor/protocol"

export type Options = { readonly [name: string]: Json }
export type Block = "text" | "reasoning" | "tool"

export type Dialect = {
  /** The name of its options in the AI SDK. */
  readonly name: string
  /** Options that every call has, unless the settings say otherwise. */
  readonly options: (id: string, settings: CallSettings) => Options
  /** What of a block's metadata goes back with it; undefined if the block is not returned, or nothing with it. */
  readonly keep: (block: Block, meta: Options | undefined) => Options | undefined
  readonly marksCache: boolean
}

/** `provider`: as the AI SDK names it, such as `openai.responses`. */
export function dialectOf(provider: string): Dialect {
  if (provider === "openai.responses") return openaiResponses
  if (provider === "openai.chat") return openaiChat
  const name = provider.split(".")[0] ?? ""
  if (name === "anthropic") return anthropic
  return name === "google" ? google : { ...other, name }
}

const openaiResponses: Dialect = {
  name: "openai",
  // Parlor stores the conversation itself. Then OpenAI hands out its reasoning encrypted, to be sent back.
  options: (_, { reasoning }) => ({ store: false, ...effort(reasoning) }),
  keep(block, meta) {
    if (block === "reasoning") return picked(meta, ["itemId", "reasoningEncryptedContent"])
    return block === "text" ? picked(meta, ["phase"]) : undefined
  },
  marksCache: false,
}

/** Chat Completions neither shows reasoning nor takes it back. */
const openaiChat: Dialect = {
  name: "openai",
  options: (_, { reasoning }) => effort(reasoning),
  keep: () => undefined,
  marksCache: false,
}

const anthropic: Dialect = {
  name: "anthropic",
  options: (id, { reasoning }) => anthropicThinking(id, reasoning),
  keep: (block, meta) => (block === "reasoning" ? picked(meta, ["signature", "redactedData"]) : undefined),
  marksCache: true,
}

const google: Dialect = {
  name: "google",
  options: (id, { reasoning }) => googleThinking(id, reasoning),
  keep: (_, meta) => picked(meta, ["thoughtSignature"]),
  marksCache: false,
}

const other: Omit<Dialect, "name"> = {
  options: (_, { reasoning }) => effort(reasoning),
  keep: (block, meta) => (block === "reasoning" ? (meta ?? {}) : meta),
  marksCache: false,
}

function effort(reasoning: ReasoningEffort | undefined): Options {
  return reasoning === undefined ? {} : { reasoningEffort: reasoning }
}

/** Up to 4.5, thinking has a budget of tokens; later models decide by themselves, guided by an effort. */
const BUDGETED = /claude-(?:3|(?:opus|sonnet|haiku)-4(?:-[015](?!\d)|-\d{8}|$))/
/** These think by default, and show it only when asked to. */
const THINKING = /claude-(?:opus|sonnet|haiku|fable)-[5-9]/
const budgets = { minimal: 1_024, low: 2_048, medium: 8_192, high: 16_384, xhigh: 24_576, max: 32_768 } as const

function anthropicThinking(id: string, reasoning: ReasoningEffort | undefined): Options {
  const shown = { thinking: { type: "adaptive", display: "summarized" } }
  if (reasoning === undefined) return THINKING.test(id) ? shown : {}
  if (reasoning === "none") return { thinking: { type: "disabled" } }
  if (BUDGETED.test(id)) return { thinking: { type: "enabled", budgetTokens: budgets[reasoning] } }
  if (reasoning === "minimal") return { ...shown, effort: "low" }
  return { ...shown, effort: reasoning === "xhigh" && id.includes("-4-6") ? "high" : reasoning }
}

const MOST_THINKING = 24_576
const LEAST_PRO_THINKING = 128

/** Gemini 2.5 has a budget of tokens, later ones a level, earlier ones neither. */
function googleThinking(id: string, reasoning: ReasoningEffort | undefined): Options {
  if (reasoning === undefined || /gemini-(?:1|2\.0)|gemma/.test(id)) return {}
  const includeThoughts = reasoning !== "none"
  const isPro = id.includes("pro")
  if (id.includes("gemini-2.5")) {
    const budget = reasoning === "none" ? 0 : Math.min(budgets[reasoning], MOST_THINKING)
    return {
      thinkingConfig: { thinkingBudget: isPro ? Math.max(budget, LEAST_PRO_THINKING) : budget, includeThoughts },
    }
  }
  const least = isPro ? "low" : "minimal"
  const levels = { none: least, minimal: least, low: "low", medium: "medium", high: "high", xhigh: "high", max: "high" }
  return { thinkingConfig: { thinkingLevel: levels[reasoning], includeThoughts } }
}

function picked(meta: Options | undefined, names: readonly string[]): Options | undefined {
  const found = names.flatMap((name) => {
    const value = meta?.[name]
    return value === undefined || value === null ? [] : [[name, value] as const]
  })
  return found.length === 0 ? undefined : Object.fromEntries(found)
}
