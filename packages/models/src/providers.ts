/**
 * Which model a name means: `<provider>/<id>`, or `demo` (MOD-1).
 *
 * A provider's package is loaded with its first model; a server that only uses the demo loads none.
 */
import type { Clock, Model } from "@parlor/core"
import { accounts } from "./account.ts"
import type { AiSdkOptions } from "./ai-sdk/model.ts"
import type { AiSdkModel } from "./ai-sdk/version.ts"
import { anthropicTakes, compatibleTakes, googleTakes, openaiTakes } from "./attachments.ts"
import { type Env, httpUrl, infoIn, ModelConfigError, type ModelInfo, needed, setting, withInfo } from "./config.ts"
import { demoModel } from "./demo/demo.ts"
import { findLocalServers, type LocalServers } from "./local.ts"
import { knownInfo } from "./table.ts"

/** A provider of the AI SDK: what its models need, and how one is created. */
type Provider = {
  /** The variable with its key. With a key and no PARLOR_MODEL, `usual` is used. */
  readonly key: string
  /** The variable that replaces its address (MOD-12). */
  readonly baseUrl: string
  readonly url: string
  readonly usual: string
  readonly window: number
  readonly takes: NonNullable<AiSdkOptions["takes"]>
  readonly load: (settings: ProviderSettings, id: string) => Promise<AiSdkModel>
}
type ProviderSettings = { readonly apiKey: string; readonly baseURL: string }

const openai = {
  key: accounts.openai.key,
  baseUrl: "PARLOR_OPENAI_BASE_URL",
  url: "https://api.openai.com/v1",
  usual: "gpt-5.6",
  window: 128_000,
  takes: openaiTakes,
}

/** In the order in which keys are looked for. */
const providers: ReadonlyMap<string, Provider> = new Map(
  Object.entries({
    openai: {
      ...openai,
      load: async (settings, id) => (await import("@ai-sdk/openai")).createOpenAI(settings).responses(id),
    },
    "openai-chat": {
      ...openai,
      load: async (settings, id) => (await import("@ai-sdk/openai")).createOpenAI(settings).chat(id),
    },
    anthropic: {
      key: accounts.anthropic.key,
      baseUrl: "ANTHROPIC_BASE_URL",
      url: "https://api.anthropic.com/v1",
      usual: "claude-sonnet-5-5",
      window: 200_000,
      takes: anthropicTakes,
      load: async (settings, id) => (await import("@ai-sdk/anthropic")).createAnthropic(settings)(id),
    },
    google: {
      key: accounts.google.key,
      baseUrl: "GOOGLE_GENERATIVE_AI_BASE_URL",
      url: "https://generativelanguage.googleapis.com/v1beta",
      usual: "gemini-flash-latest",
      window: 1_000_000,
      takes: googleTakes,
      load: async (settings, id) => (await import("@ai-sdk/google")).createGoogleGenerativeAI(settings)(id),
    },
  } satisfies Record<string, Provider>),
)

const knownSpecs = `${[...providers.keys(), "compatible", "local"].map((name) => `${name}/<id>`).join(", ")} or demo`
const demoWindow = 32_000
/** Most servers do not say. */
const compatibleWindow = 32_000

export type ResolveModelOptions = {
  readonly clock?: Clock
  /** Window, maximum output and price by name; they win over everything else (MOD-6). */
  readonly info?: Readonly<Record<string, ModelInfo>> | undefined
  readonly local?: LocalServers | undefined
}

const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms)
    return () => clearTimeout(timer)
  },
}

export async function resolveModel(spec: string, env: Env, options: ResolveModelOptions = {}): Promise<Model> {
  const info = modelInfo(spec, env, options.info)
  if (spec === "demo") return withInfo(demoModel({ clock: options.clock ?? systemClock }), info)
  const { provider, id } = parsedSpec(spec)
  if (provider === "compatible") return compatibleModel(spec, id, env, info)
  if (provider === "local") return localModel(spec, id, options.local ?? findLocalServers(env), info)
  const known = providerOf(provider)
  const settings = { apiKey: needed(env, known.key, spec), baseURL: httpUrl(env, known.baseUrl) ?? known.url }
  return overAiSdk(spec, await known.load(settings, id), { ...info, takes: known.takes })
}

/** A model object of the AI SDK that an author passed (MOD-1). */
export async function resolveAiSdkModel(
  model: AiSdkModel,
  env: Env,
  options: ResolveModelOptions = {},
): Promise<Model> {
  const provider = model.provider.split(".")[0] ?? ""
  const name = `${provider}/${model.modelId}`
  const takes = providers.get(provider)?.takes
  const info = modelInfo(name, env, options.info)
  return overAiSdk(name, model, takes === undefined ? info : { ...info, takes })
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

/** The variable that a model needs and that is not set. Throws if the name is not a valid one. */
export function missingVariable(spec: string, env: Env): string | undefined {
  if (spec === "demo") return undefined
  const { provider } = parsedSpec(spec)
  if (provider === "local") return undefined
  const variable = provider === "compatible" ? "OPENAI_BASE_URL" : providerOf(provider).key
  return setting(env, variable) === undefined ? variable : undefined
}

/** Providers with a key: those whose models can be offered. */
export function providersWithKey(env: Env): readonly string[] {
  return [...providers].flatMap(([name, { key }]) =>
    name !== "openai-chat" && setting(env, key) !== undefined ? [name] : [],
  )
}

/** Addresses that replace a provider's own, for people to see (MOD-12). */
export function replacedUrls(env: Env): readonly string[] {
  const own = [...providers].flatMap(([name, { baseUrl, key }]) => {
    const url = setting(env, key) === undefined ? undefined : httpUrl(env, baseUrl)
    return url === undefined ? [] : [`${name}/* uses ${withoutSecrets(url)} (${baseUrl})`]
  })
  const compatible = httpUrl(env, "OPENAI_BASE_URL")
  const others = compatible === undefined ? [] : [`compatible/* uses ${withoutSecrets(compatible)} (OPENAI_BASE_URL)`]
  return [...own, ...others]
}

/** The config's word, then the environment's, then what is built in. */
export function modelInfo(
  spec: string,
  env: Env,
  given: ResolveModelOptions["info"],
): ModelInfo & { readonly window: number } {
  const provider = spec.split("/")[0] ?? ""
  const window = spec === "demo" ? demoWindow : (providers.get(provider)?.window ?? compatibleWindow)
  return { window, ...knownInfo(spec), ...infoIn(env), ...given?.[spec] }
}

function parsedSpec(spec: string): { readonly provider: string; readonly id: string } {
  const slash = spec.indexOf("/")
  const [provider, id] = [spec.slice(0, slash), spec.slice(slash + 1)]
  if (slash === -1 || id === "") throw new ModelConfigError(`"${spec}" is not the name of a model. Use ${knownSpecs}.`)
  return { provider, id }
}

function providerOf(name: string): Provider {
  const known = providers.get(name)
  if (known === undefined) throw new ModelConfigError(`"${name}" is not a known model provider. Use ${knownSpecs}.`)
  return known
}

async function compatibleModel(spec: string, id: string, env: Env, info: Sized): Promise<Model> {
  const base = httpUrl(env, "OPENAI_BASE_URL") ?? needed(env, "OPENAI_BASE_URL", spec)
  const apiKey = setting(env, "OPENAI_API_KEY")
  switch (setting(env, "PARLOR_COMPATIBLE_ADAPTER")) {
    case undefined:
    case "lean": {
      const { chatCompletionsModel } = await import("./compatible/model.ts")
      return chatCompletionsModel({ ...info, name: spec, baseUrl: base, apiKey, model: id })
    }
    case "ai-sdk": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible")
      const settings = { name: "compatible", baseURL: base, includeUsage: true }
      const provider = createOpenAICompatible(apiKey === undefined ? settings : { ...settings, apiKey })
      return overAiSdk(spec, provider.chatModel(id), { ...info, takes: compatibleTakes })
    }
    default:
      throw new ModelConfigError("PARLOR_COMPATIBLE_ADAPTER must be lean or ai-sdk.")
  }
}

type Sized = ModelInfo & { readonly window: number }

async function localModel(spec: string, id: string, servers: LocalServers, info: Sized): Promise<Model> {
  const { localChatModel } = await import("./local-model.ts")
  return localChatModel({ spec, id, servers, info })
}

async function overAiSdk(spec: string, model: AiSdkModel, options: AiSdkOptions): Promise<Model> {
  const { aiSdkModel } = await import("./ai-sdk/model.ts")
  return aiSdkModel(spec, model, options)
}

function withoutSecrets(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}
