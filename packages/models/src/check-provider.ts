/**
 * Tests an account with its provider before it is stored (MOD-15): first the list of its models, then one small request
 * to one of them. Only a request shows that the account may also be used, not only read.
 */
import { ModelFault, type ProviderCandidate, type ProviderCheck } from "@parlor/core"
import { accounts } from "./account.ts"
import { type Env, ModelConfigError } from "./config.ts"
import { type ConnectedAccounts, type Credential, credentialFor } from "./credential.ts"
import { listModels } from "./list-models.ts"
import type { LocalServers } from "./local.ts"
import { keyVariable, providers } from "./provider-table.ts"
import { resolveModel } from "./providers.ts"

const checkMs = 20_000
/** The fewest that every provider accepts. */
const outputTokens = 16

export type CheckParts = { readonly env: Env; readonly local: LocalServers; readonly limitMs?: number | undefined }

export async function checkProvider(candidate: ProviderCandidate, parts: CheckParts): Promise<ProviderCheck> {
  const limit = AbortSignal.timeout(parts.limitMs ?? checkMs)
  const title = titleOf(candidate)
  try {
    return candidate.provider === "local"
      ? await checkLocal(candidate, parts, limit)
      : await checkAccount(candidate, parts, limit)
  } catch (error) {
    if (limit.aborted)
      return failed("unreachable", `${title} did not answer within ${(parts.limitMs ?? checkMs) / 1000} seconds.`)
    if (error instanceof ModelConfigError) return failed("failed", error.message)
    if (error instanceof ModelFault) return faultCheck(error, title)
    throw error
  }
}

async function checkAccount(
  candidate: ProviderCandidate,
  parts: CheckParts,
  limit: AbortSignal,
): Promise<ProviderCheck> {
  const env = withoutAccount(parts.env)
  const connected = onlyThis(candidate)
  const credential = credentialFor(candidate.provider, env, connected) as Credential
  const listed = await listModels(candidate.provider, credential, limit)
  const model = candidate.model ?? usualOf(candidate, listed)
  if (model === undefined)
    return failed("model", "The server does not list its models. Enter the name of the model to use.")
  if (candidate.model !== undefined && listed !== undefined && listed.length > 0 && !listed.includes(model))
    return failed("model", `The account has no model "${model}". Choose one of its ${listed.length} models.`)
  await speak(`${candidate.provider}/${model}`, { ...parts, env }, connected, limit)
  return { ok: true, models: listed ?? [model], model }
}

async function checkLocal(candidate: ProviderCandidate, parts: CheckParts, limit: AbortSignal): Promise<ProviderCheck> {
  const models = (await parts.local.search()).flatMap((server) => server.models)
  const model = candidate.model ?? models[0]
  if (model === undefined)
    return failed("unreachable", "No model server runs on this machine. Start Ollama, LM Studio or llama.cpp.")
  if (!models.includes(model)) return failed("model", `No server on this machine has the model "${model}".`)
  await speak(`local/${model}`, parts, onlyThis(candidate), limit)
  return { ok: true, models, model }
}

async function speak(
  spec: string,
  { env, local }: CheckParts,
  connected: ConnectedAccounts,
  signal: AbortSignal,
): Promise<void> {
  const model = await resolveModel(spec, env, { local, connected })
  await model.run(
    {
      instructions: "Answer with one word.",
      messages: [{ role: "person", text: "Say ok." }],
      tools: [],
      settings: { maxOutputTokens: outputTokens },
    },
    { signal, onEvent: () => undefined },
  )
}

function faultCheck(fault: ModelFault, title: string): ProviderCheck {
  if (fault.kind !== undefined) return failed(fault.kind, fault.message)
  const isConnection = fault.message.startsWith("The connection to the model provider failed")
  if (isConnection) return failed("unreachable", fault.message.replace("the model provider", title))
  return failed("failed", fault.message)
}

function failed(why: Extract<ProviderCheck, { ok: false }>["why"], detail: string): ProviderCheck {
  return { ok: false, why, detail }
}

/** The well-known model of a provider if the account has it, else the first that it lists. */
function usualOf({ provider }: ProviderCandidate, listed: readonly string[] | undefined): string | undefined {
  const usual = providers.get(provider)?.usual
  return usual !== undefined && (listed === undefined || listed.includes(usual)) ? usual : (listed?.[0] ?? usual)
}

function onlyThis({ provider, key, url, model = "" }: ProviderCandidate): ConnectedAccounts {
  return () => [{ provider, key, url, model, models: [], chosenAt: null }]
}

/** The environment without keys, so that the one to test is used. Addresses stay. */
function withoutAccount(env: Env): Env {
  const variables = [...[...providers.values()].map(keyVariable), "OPENAI_BASE_URL"]
  return { ...env, ...Object.fromEntries(variables.map((name) => [name, undefined])) }
}

function titleOf({ provider, url }: ProviderCandidate): string {
  if (provider === "compatible") return url === null ? "The server" : new URL(url).host
  return provider === "local" ? "The model server" : accounts[provider].name
}
