/**
 * Where the key of a provider comes from: the environment, or else what the owner connected (MOD-17).
 *
 * A key goes only to its own provider (MOD-12): the stored key of OpenAI never to a compatible server, nor the other way
 * round.
 */
import type { ProviderAccount } from "@parlor/core"
import { type Account, accounts } from "./account.ts"
import { type Env, httpUrl, setting } from "./config.ts"
import { keyVariable, parsedSpec, providerOf, providers } from "./provider-table.ts"

/** What the owner connected, as of now. */
export type ConnectedAccounts = () => readonly ProviderAccount[]

export type Credential = { readonly key: string | undefined; readonly url: string; readonly account: Account }

export function credentialFor(
  provider: string,
  env: Env,
  connected: ConnectedAccounts = nothingConnected,
): Credential | undefined {
  const stored = storedFor(provider, connected)
  if (provider === "compatible") {
    const url = httpUrl(env, "OPENAI_BASE_URL")
    if (url !== undefined) return { url, key: setting(env, "OPENAI_API_KEY"), account: accounts.compatible }
    if (stored?.url === undefined || stored.url === null) return undefined
    return { url: stored.url, key: stored.key ?? undefined, account: connectedAccount(provider) }
  }
  const known = providerOf(provider)
  const url = httpUrl(env, known.baseUrl) ?? known.url
  const given = setting(env, keyVariable(known))
  if (given !== undefined) return { url, key: given, account: accounts[known.account] }
  if (stored?.key === undefined || stored.key === null) return undefined
  return { url, key: stored.key, account: connectedAccount(known.account) }
}

/** Whether the environment has the key or the address, so that what is stored is not used. */
export function isInEnvironment(provider: string, env: Env): boolean {
  return provider !== "local" && credentialFor(provider, env) !== undefined
}

/** What a model needs before it can be used. Throws if the name is not a valid one. */
export function missingFor(spec: string, env: Env, connected?: ConnectedAccounts): Missing | undefined {
  if (spec === "demo") return undefined
  const { provider } = parsedSpec(spec)
  if (provider === "local" || credentialFor(provider, env, connected) !== undefined) return undefined
  if (provider === "compatible") return { variable: "OPENAI_BASE_URL", title: "a compatible server" }
  const known = providerOf(provider)
  return { variable: keyVariable(known), title: accounts[known.account].name }
}
export type Missing = { readonly variable: string; readonly title: string }

/** Providers whose models can be offered, in the order of preference. */
export function readyProviders(env: Env, connected?: ConnectedAccounts): readonly string[] {
  const names = [...providers.keys()].filter((name) => name !== "openai-chat")
  return names.filter((name) => credentialFor(name, env, connected) !== undefined)
}

/** The account that decides the model of agents that name none: the one chosen last. */
export function chosenAccount(connected: ConnectedAccounts): ProviderAccount | undefined {
  const chosen = connected().filter(({ chosenAt }) => chosenAt !== null)
  return chosen.sort((a, b) => (b.chosenAt ?? 0) - (a.chosenAt ?? 0))[0]
}

export function storedFor(provider: string, connected: ConnectedAccounts): ProviderAccount | undefined {
  const own = provider === "openai-chat" ? "openai" : provider
  return connected().find((account) => account.provider === own)
}

/** For errors: where to replace the key. */
function connectedAccount(name: keyof typeof accounts): Account {
  const { name: title } = accounts[name]
  return name === "compatible"
    ? { name: "the connected server", key: "its API key under Settings › Models" }
    : { ...accounts[name], key: `your ${title} API key under Settings › Models` }
}

const nothingConnected: ConnectedAccounts = () => []
