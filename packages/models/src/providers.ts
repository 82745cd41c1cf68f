/**
 * Which model a name means: `<provider>/<id>`, `compatible/<id>` or `demo` (TRN-16).
 *
 * A provider's package is loaded when a model of it is first asked for; a server that only runs the demo loads none.
 */
import type { LanguageModelV3 } from "@ai-sdk/provider"
import type { Clock, Model } from "@parlor/core"
import type { AiSdkOptions } from "./ai-sdk/model.ts"
import { anthropicTakes, compatibleTakes, googleTakes, openaiTakes } from "./attachments.ts"
import { demoModel } from "./demo/demo.ts"

export type Env = Readonly<Record<string, string | undefined>>

/** The configuration names no usable model. The message says what to set. */
export class ModelConfigError extends Error {
  constructor(message: string) {
    super(message)
    this.name = "ModelConfigError"
  }
}

/** A provider of the AI SDK: what its models need, and how one is made. */
type Provider = {
  /** The variable its key is in. With a key and no PARLOR_MODEL, `usual` is used. */
  readonly key: string
  readonly baseUrl: string
  readonly usual: string
  readonly window: number
  readonly takes: NonNullable<AiSdkOptions["takes"]>
  readonly load: (settings: ProviderSettings, id: string) => Promise<LanguageModelV3>
}
type ProviderSettings = { readonly apiKey: string; readonly baseURL?: string }

/** In the order in which keys are looked for. */
const providers: ReadonlyMap<string, Provider> = new Map(
  Object.entries({
    openai: {
      key: "OPENAI_API_KEY",
      baseUrl: "OPENAI_BASE_URL",
      usual: "gpt-5.6",
      window: 128_000,
      takes: openaiTakes,
      load: async (settings, id) => (await import("@ai-sdk/openai")).createOpenAI(settings)(id),
    },
    anthropic: {
      key: "ANTHROPIC_API_KEY",
      baseUrl: "ANTHROPIC_BASE_URL",
      usual: "claude-sonnet-5-5",
      window: 200_000,
      takes: anthropicTakes,
      load: async (settings, id) => (await import("@ai-sdk/anthropic")).createAnthropic(settings)(id),
    },
    google: {
      key: "GOOGLE_GENERATIVE_AI_API_KEY",
      baseUrl: "GOOGLE_GENERATIVE_AI_BASE_URL",
      usual: "gemini-flash-latest",
      window: 1_000_000,
      takes: googleTakes,
      load: async (settings, id) => (await import("@ai-sdk/google")).createGoogleGenerativeAI(settings)(id),
    },
  } satisfies Record<string, Provider>),
)

const knownSpecs = `${[...providers.keys(), "compatible"].map((name) => `${name}/<id>`).join(", ")} or demo`

const priceForm =
  'It looks like "2.50,10" or "2.50,10,1.25": dollars per million tokens of input, output and cached input.'

const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms)
    return () => clearTimeout(timer)
  },
}

export async function resolveModel(spec: string, env: Env, options: { readonly clock?: Clock } = {}): Promise<Model> {
  const price = priceOf(env)
  const model = await unpricedModel(spec, env, options.clock ?? systemClock)
  return price === undefined ? model : { ...model, price }
}

async function unpricedModel(spec: string, env: Env, clock: Clock): Promise<Model> {
  if (spec === "demo") return demoModel({ clock })
  const slash = spec.indexOf("/")
  const provider = spec.slice(0, slash)
  const id = spec.slice(slash + 1)
  if (slash === -1 || id === "") throw new ModelConfigError(`"${spec}" names no model. Use ${knownSpecs}.`)
  if (provider === "compatible") return compatibleModel(spec, id, env)
  const known = providers.get(provider)
  if (known === undefined) throw new ModelConfigError(`"${provider}" is no known model provider. Use ${knownSpecs}.`)
  const settings = { apiKey: needed(env, known.key, spec), ...baseUrl(env, known.baseUrl) }
  return overAiSdk(spec, await known.load(settings, id), { window: windowOf(env, known.window), takes: known.takes })
}

/** The model to use when nobody names one: PARLOR_MODEL, else the first provider with a key, else the demo. */
export function defaultModelSpec(env: Env): string {
  const named = setting(env, "PARLOR_MODEL")
  if (named !== undefined) return named
  if (setting(env, "OPENAI_BASE_URL") !== undefined)
    throw new ModelConfigError(
      "OPENAI_BASE_URL is set, but no model is named. Set PARLOR_MODEL=compatible/<id> with the id of a model that server has.",
    )
  for (const [name, { key, usual }] of providers) if (setting(env, key) !== undefined) return `${name}/${usual}`
  return "demo"
}

async function compatibleModel(spec: string, id: string, env: Env): Promise<Model> {
  const base = needed(env, "OPENAI_BASE_URL", spec)
  if (!URL.canParse(base) || !/^https?:$/.test(new URL(base).protocol))
    throw new ModelConfigError("OPENAI_BASE_URL is no http address. It looks like http://127.0.0.1:11434/v1.")
  const apiKey = setting(env, "OPENAI_API_KEY")
  const window = windowOf(env, 32_000)
  switch (setting(env, "PARLOR_COMPATIBLE_ADAPTER")) {
    case undefined:
    case "lean": {
      const { chatCompletionsModel } = await import("./compatible/model.ts")
      return chatCompletionsModel({ name: spec, baseUrl: base, apiKey, model: id, window })
    }
    case "ai-sdk": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible")
      const settings = { name: "compatible", baseURL: base, includeUsage: true }
      const provider = createOpenAICompatible(apiKey === undefined ? settings : { ...settings, apiKey })
      return overAiSdk(spec, provider.chatModel(id), { window, takes: compatibleTakes })
    }
    default:
      throw new ModelConfigError("PARLOR_COMPATIBLE_ADAPTER is neither lean nor ai-sdk.")
  }
}

async function overAiSdk(spec: string, model: LanguageModelV3, options: AiSdkOptions): Promise<Model> {
  const { aiSdkModel } = await import("./ai-sdk/model.ts")
  return aiSdkModel(spec, model, options)
}

function windowOf(env: Env, usual: number): number {
  const given = setting(env, "PARLOR_MODEL_WINDOW")
  if (given === undefined) return usual
  const tokens = Number(given)
  if (Number.isSafeInteger(tokens) && tokens > 0) return tokens
  throw new ModelConfigError("PARLOR_MODEL_WINDOW is no number of tokens. It looks like 32000.")
}

/** What a model costs is set, not known: prices change, and a name does not tell what a contract says (TRN-14). */
function priceOf(env: Env): Model["price"] {
  const given = setting(env, "PARLOR_MODEL_PRICE")
  if (given === undefined) return undefined
  const [input, output, cached, ...more] = given.split(",").map(dollars)
  if (input === undefined || output === undefined || more.length > 0)
    throw new ModelConfigError(`PARLOR_MODEL_PRICE is no price. ${priceForm}`)
  return cached === undefined ? { input, output } : { input, output, cached }
}

function dollars(text: string): number {
  const value = text.trim() === "" ? Number.NaN : Number(text)
  if (Number.isFinite(value) && value >= 0) return value
  throw new ModelConfigError(`PARLOR_MODEL_PRICE is no price: "${text.trim()}". ${priceForm}`)
}

function needed(env: Env, name: string, spec: string): string {
  const value = setting(env, name)
  if (value === undefined) throw new ModelConfigError(`The model "${spec}" needs ${name} to be set.`)
  return value
}

function baseUrl(env: Env, name: string): { readonly baseURL?: string } {
  const value = setting(env, name)
  return value === undefined ? {} : { baseURL: value }
}

/** A variable that is set to nothing is not set. */
function setting(env: Env, name: string): string | undefined {
  const value = env[name]?.trim()
  return value === "" ? undefined : value
}
