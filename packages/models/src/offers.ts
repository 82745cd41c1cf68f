/** The models that an agent offers, from the names its author listed (MOD-4, MOD-5). */
import type { Model, ModelOffer } from "@parlor/core"
import { type AiSdkModel, isAiSdkModel } from "./ai-sdk/version.ts"
import { type Env, ModelConfigError, type ModelInfo } from "./config.ts"
import { type ConnectedAccounts, isInEnvironment, missingFor, readyProviders, storedFor } from "./credential.ts"
import { modelInfo, type ResolveModelOptions, resolveAiSdkModel, resolveModel } from "./providers.ts"
import { knownModels } from "./table.ts"
import { adviceOn } from "./unready.ts"

/** `<provider>/*` stands for the known models of a provider, `local/*` for those found on this machine. */
export type Offered = string | Model | AiSdkModel

/** Throws for a name that is not a valid one; a missing key is no error. */
export function offersFor(
  listed: readonly Offered[],
  env: Env,
  options: ResolveModelOptions,
): () => readonly ModelOffer[] {
  const loaded = new Map<string, Promise<Model>>()
  const offer = (spec: string): ModelOffer => {
    const missing = missingFor(spec, env, options.connected)
    const { window, maxOutput, price } = modelInfo(spec, env, options.info)
    return {
      name: spec,
      window,
      ...defined({ maxOutput, price }),
      ...(missing === undefined ? {} : { missing: adviceOn(missing) }),
      load() {
        const model = loaded.get(spec) ?? resolveModel(spec, env, options)
        loaded.set(spec, model)
        return model
      },
    }
  }
  const fixed = listed.map((one) =>
    typeof one === "string" ? namesOf(one, env, options) : objectOffer(one, env, options),
  )
  for (const names of fixed) if (typeof names === "function") for (const name of names()) offer(name)
  return () => fixed.flatMap((one): readonly ModelOffer[] => (typeof one === "function" ? one().map(offer) : [one]))
}

/** What a server without a config offers: everything its accounts have, and what runs on this machine. */
export function usualOffers(env: Env, connected?: ConnectedAccounts): readonly string[] {
  const compatible = connected !== undefined && storedFor("compatible", connected) !== undefined ? ["compatible/*"] : []
  return [...readyProviders(env, connected).map((name) => `${name}/*`), ...compatible, "local/*", "demo"]
}

function namesOf(spec: string, env: Env, { local, connected }: ResolveModelOptions): () => readonly string[] {
  if (!spec.endsWith("/*")) return () => [spec]
  const provider = spec.slice(0, -2)
  if (provider === "local")
    return () => (local?.found() ?? []).flatMap(({ models }) => models.map((id) => `local/${id}`))
  const names = knownModels(provider)
  if (names.length === 0 && !(provider === "compatible" && connected !== undefined))
    throw new ModelConfigError(`"${spec}": there is no list of models for "${provider}".`)
  return () => {
    const account = connected && !isInEnvironment(provider, env) ? storedFor(provider, connected) : undefined
    const listed = account?.models.map((id) => `${provider}/${id}`)
    return listed === undefined || listed.length === 0 ? names : ordered(names, listed)
  }
}

/** Those that the account has: the well-known first, in their order. */
function ordered(known: readonly string[], listed: readonly string[]): readonly string[] {
  const has = new Set(listed)
  return [...new Set([...known.filter((name) => has.has(name)), ...listed])]
}

function objectOffer(given: Model | AiSdkModel, env: Env, options: ResolveModelOptions): ModelOffer {
  if (!isAiSdkModel(given)) {
    const { name, window, maxOutput, price } = given
    return { name, window, ...defined({ maxOutput, price }), load: async () => given }
  }
  const name = `${given.provider.split(".")[0]}/${given.modelId}`
  const { window, maxOutput, price } = modelInfo(name, env, options.info)
  return {
    name,
    window,
    ...defined({ maxOutput, price }),
    load: () => resolveAiSdkModel(given, env, options),
  }
}

function defined({
  maxOutput,
  price,
}: {
  readonly maxOutput: ModelInfo["maxOutput"] | undefined
  readonly price: ModelInfo["price"] | undefined
}): Pick<ModelInfo, "maxOutput" | "price"> {
  return { ...(maxOutput === undefined ? {} : { maxOutput }), ...(price === undefined ? {} : { price }) }
}
