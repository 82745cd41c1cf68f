/**
 * Context window, maximum output and list price of common models, as of November 2026 (MOD-6). Prices are in dollars per
 * million tokens, for standard processing. The config's `modelInfo` replaces an entry.
 */
import type { ModelPrice } from "@parlor/protocol"
import type { ModelInfo } from "./config.ts"

const million = 1_000_000

type Rates = Omit<ModelPrice, "long">

/** OpenAI: twice the price for input and 1.5 times for output above 272,000 tokens. */
function openai(input: number, output: number, cached: number, cacheWrite?: number): ModelInfo {
  const usual: Rates = { input, output, cached, ...(cacheWrite === undefined ? {} : { cacheWrite }) }
  const twice: Rates = {
    input: input * 2,
    output: output * 1.5,
    cached: cached * 2,
    ...(cacheWrite === undefined ? {} : { cacheWrite: cacheWrite * 2 }),
  }
  return { window: 1_050_000, maxOutput: 128_000, price: { ...usual, long: { above: 272_000, ...twice } } }
}

/** Cache writes for five minutes cost 1.25 times the input. */
function anthropic(input: number, output: number, cached: number, size: Partial<ModelInfo> = {}): ModelInfo {
  return { window: million, maxOutput: 128_000, price: { input, output, cached, cacheWrite: input * 1.25 }, ...size }
}

function google(input: number, output: number, cached: number): ModelInfo {
  return { window: 1_048_576, maxOutput: 65_536, price: { input, output, cached } }
}

/** Twice the price for input and 1.5 times for output above 200,000 tokens. */
function googlePro(input: number, output: number, cached: number): ModelInfo {
  const long = { above: 200_000, input: input * 2, output: output * 1.5, cached: cached * 2 }
  return { window: 1_048_576, maxOutput: 65_536, price: { input, output, cached, long } }
}

/** In the order in which they are offered. */
const table: ReadonlyMap<string, ModelInfo> = new Map(
  Object.entries({
    "openai/gpt-5.6": openai(4, 20, 0.4, 5),
    "openai/gpt-5.6-sol": openai(4, 20, 0.4, 5),
    "openai/gpt-5.6-terra": openai(2, 12, 0.2, 2.5),
    "openai/gpt-5.6-luna": openai(0.2, 1.2, 0.02, 0.25),
    "openai/gpt-6-astra": openai(10, 50, 1, 12.5),
    "openai/gpt-6-sol": openai(2, 10, 0.2, 2.5),
    "openai/gpt-6-luna": openai(0.1, 0.5, 0.01, 0.125),
    "openai/gpt-5.5": openai(5, 30, 0.5),
    "openai/gpt-5.4": openai(2.5, 15, 0.25),
    "openai/gpt-5.4-mini": { window: 400_000, maxOutput: 128_000, price: { input: 0.75, output: 4.5, cached: 0.075 } },
    "openai/gpt-5.4-nano": { window: 400_000, maxOutput: 128_000, price: { input: 0.2, output: 1.25, cached: 0.02 } },
    "openai/gpt-4.1": { window: 1_047_576, maxOutput: 32_768, price: { input: 2, output: 8, cached: 0.5 } },
    "openai/gpt-4.1-mini": { window: 1_047_576, maxOutput: 32_768, price: { input: 0.4, output: 1.6, cached: 0.1 } },
    "anthropic/claude-sonnet-5-5": anthropic(2, 10, 0.1),
    "anthropic/claude-opus-5-5": anthropic(4, 20, 0.2),
    "anthropic/claude-haiku-5-5": anthropic(0.1, 0.5, 0.01),
    "anthropic/claude-fable-5-1": anthropic(10, 50, 0.25),
    "anthropic/claude-sonnet-5": anthropic(2, 10, 0.2),
    "anthropic/claude-opus-5": anthropic(5, 25, 0.5),
    "anthropic/claude-sonnet-4-6": anthropic(3, 15, 0.3),
    "anthropic/claude-opus-4-8": anthropic(5, 25, 0.5),
    "anthropic/claude-haiku-4-5": anthropic(1, 5, 0.1, { window: 200_000, maxOutput: 64_000 }),
    "google/gemini-3.8-flash": google(0.75, 3.75, 0.075),
    "google/gemini-4-argon": google(2, 10, 0.1),
    "google/gemini-3.1-pro-preview": googlePro(2, 12, 0.2),
    "google/gemini-3.5-flash-lite": google(0.3, 2.5, 0.03),
    "google/gemini-2.5-pro": googlePro(1.25, 10, 0.125),
    "google/gemini-2.5-flash": google(0.3, 2.5, 0.03),
  } satisfies Record<string, ModelInfo>),
)

/** A dated version is the same model: `gpt-5.4-2026-03-05`, `claude-haiku-4-5-20251001`. */
const DATE = /-(?:\d{4}-\d{2}-\d{2}|\d{8})$/

export function knownInfo(spec: string): ModelInfo | undefined {
  const name = spec.replace(/^openai-chat\//, "openai/")
  return table.get(name) ?? table.get(name.replace(DATE, ""))
}

export function knownModels(provider: string): readonly string[] {
  const own = provider === "openai-chat" ? "openai" : provider
  return [...table.keys()]
    .filter((name) => name.startsWith(`${own}/`))
    .map((name) => `${provider}/${name.slice(own.length + 1)}`)
}
