/** Which model a name means: `<provider>/<id>`, or `demo` (MOD-1). */
import type { Clock, Model } from "@parlor/core"
import type { AiSdkOptions } from "./ai-sdk/model.ts"
import type { AiSdkModel } from "./ai-sdk/version.ts"
import { compatibleTakes } from "./attachments.ts"
import { type Env, httpUrl, infoIn, ModelConfigError, type ModelInfo, setting, withInfo } from "./config.ts"
import { type ConnectedAccounts, type Credential, chosenAccount, credentialFor, missingFor } from "./credential.ts"
import { demoModel } from "./demo/demo.ts"
import { findLocalServers, type LocalServers } from "./local.ts"
import { keyVariable, parsedSpec, providerOf, providers } from "./provider-table.ts"
import { knownInfo } from "./table.ts"
import { unreadyModel } from "./unready.ts"

const demoWindow = 32_000
/** Most servers do not say. */
const compatibleWindow = 32_000

export type ResolveModelOptions = {
  readonly clock?: Clock
  /** Window, maximum output and price by name; they win over everything else (MOD-6). */
  readonly info?: Readonly<Record<string, ModelInfo>> | undefined
  readonly local?: LocalServers | undefined
  /**
   * Accounts that the owner connected. With it, a model without its key is no error: it says so when it is used, and the
   * owner can connect it while the server runs (MOD-17).
   */
  readonly connected?: ConnectedAccounts | undefined
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
  if (provider === "local") return localModel(spec, id, options.local ?? findLocalServers(env), info)
  const credential = credentialFor(provider, env, options.connected)
  if (credential === undefined) return withoutCredential(spec, env, info, options)
  if (provider === "compatible") return compatibleModel({ spec, id, env, info, credential })
  const { load, takes } = providerOf(provider)
  const { key = "", url: baseURL, account } = credential
  return overAiSdk(spec, await load({ apiKey: key, baseURL }, id), { ...info, takes, account, secrets: [key] })
}

function withoutCredential(spec: string, env: Env, info: Sized, { connected }: ResolveModelOptions): Model {
  const missing = missingFor(spec, env, connected)
  if (connected === undefined) throw new ModelConfigError(`The model "${spec}" needs ${missing?.variable} to be set.`)
  return unreadyModel(spec, info, missing)
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

/** The model to use when nobody names one: PARLOR_MODEL, else the first key found, else what the owner chose, else the demo. */
export function defaultModelSpec(env: Env, connected?: ConnectedAccounts): string {
  return decidingVariable(env)?.spec ?? chosenSpec(connected) ?? "demo"
}

/** The variable that decides the model of agents that name none. */
export function decidingVariable(env: Env): { readonly variable: string; readonly spec: string } | undefined {
  const named = setting(env, "PARLOR_MODEL")
  if (named !== undefined) return { variable: "PARLOR_MODEL", spec: named }
  if (setting(env, "OPENAI_BASE_URL") !== undefined)
    throw new ModelConfigError(
      "OPENAI_BASE_URL is set, but no model is named. Set PARLOR_MODEL=compatible/<id> with the id of a model that server has.",
    )
  for (const [name, known] of providers) {
    const variable = keyVariable(known)
    if (setting(env, variable) !== undefined) return { variable, spec: `${name}/${known.usual}` }
  }
  return undefined
}

function chosenSpec(connected: ConnectedAccounts | undefined): string | undefined {
  const account = connected && chosenAccount(connected)
  return account && `${account.provider}/${account.model}`
}

/** Addresses that replace a provider's own, for people to see (MOD-12). */
export function replacedUrls(env: Env): readonly string[] {
  const own = [...providers].flatMap(([name, known]) => {
    const url = setting(env, keyVariable(known)) === undefined ? undefined : httpUrl(env, known.baseUrl)
    return url === undefined ? [] : [`${name}/* uses ${withoutSecrets(url)} (${known.baseUrl})`]
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

type CompatibleModel = {
  readonly spec: string
  readonly id: string
  readonly env: Env
  readonly info: Sized
  readonly credential: Credential
}

async function compatibleModel({ spec, id, env, info, credential }: CompatibleModel): Promise<Model> {
  const { url: base, key: apiKey, account } = credential
  switch (setting(env, "PARLOR_COMPATIBLE_ADAPTER")) {
    case undefined:
    case "lean": {
      const { chatCompletionsModel } = await import("./compatible/model.ts")
      return chatCompletionsModel({ ...info, name: spec, baseUrl: base, apiKey, model: id, account })
    }
    case "ai-sdk": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible")
      const settings = { name: "compatible", baseURL: base, includeUsage: true }
      const provider = createOpenAICompatible(apiKey === undefined ? settings : { ...settings, apiKey })
      return overAiSdk(spec, provider.chatModel(id), {
        ...info,
        takes: compatibleTakes,
        account,
        secrets: [apiKey ?? ""],
      })
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
