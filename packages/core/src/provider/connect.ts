/**
 * Connecting model providers: the owner's verbs (MOD-15 to MOD-18).
 *
 * An account is stored only after its provider accepted it. A key leaves this file sealed, to the store, or to its own
 * provider; no view contains it.
 */
import {
  limits,
  type ProviderBody,
  type ProviderName,
  type ProvidersView,
  type ProviderView,
  Refusal,
  type RefusalCode,
  type TestedProvider,
  unreachable,
} from "@parlor/protocol"
import type {
  ModelProviders,
  ProviderCandidate,
  ProviderCheck,
  ProviderOutline,
  ProviderRecord,
} from "../ports/providers.ts"
import type { Seal } from "../ports/seal.ts"
import { keepUpWithProviders, openAccount, placeOf } from "./accounts.ts"
import type { ProviderAccess } from "./provider-access.ts"

/** Characters of a key that are shown. */
const ENDING = 4

export async function listProviders(node: ProviderAccess): Promise<ProvidersView> {
  const { providers } = node
  if (providers === undefined) return { providers: [], local: [], model: "", variable: null }
  await keepUpWithProviders(node)
  const [stored, local] = await Promise.all([node.store.providers.all(), providers.local()])
  const views = providers.known().map((outline) => viewOf(node, outline, stored))
  const servers = local.map(({ name, url, models }) => ({ name, url, models: [...models] }))
  return { providers: views, local: servers, ...providers.inUse() }
}

export async function connectProvider(
  node: ProviderAccess,
  name: ProviderName,
  given: ProviderBody,
  person: string,
): Promise<ProviderView> {
  const { providers, seal } = partsOf(node)
  const all = await node.store.providers.all()
  const before = all.find(({ provider }) => provider === name)
  const candidate = candidateOf(node, name, given, before)
  const { models, model } = await checked(providers, candidate)
  const now = node.clock.now()
  const { key, url } = candidate
  const isChosen = given.model !== undefined || (before?.chosenAt ?? null) !== null || !all.some(isChosenOne)
  const record: ProviderRecord = {
    provider: name,
    secret: key === null ? null : seal.seal(key, placeOf({ provider: name, url })),
    ending: key === null ? null : key.slice(-ENDING),
    url,
    models: models.slice(0, limits.providerModels),
    model,
    chosenAt: isChosen ? (given.model === undefined ? (before?.chosenAt ?? now) : now) : null,
    addedAt: given.key === undefined && before !== undefined ? before.addedAt : now,
  }
  await node.store.providers.put(record, { at: now, person, act: "provider.connected", subject: name })
  await keepUpWithProviders(node)
  return viewOf(node, outlineOf(providers, name), [record])
}

/** As given; what is absent is as stored. */
export async function testProvider(
  node: ProviderAccess,
  name: ProviderName,
  given: ProviderBody,
): Promise<TestedProvider> {
  const { providers } = partsOf(node)
  const before = (await node.store.providers.all()).find(({ provider }) => provider === name)
  const { models, model } = await checked(providers, candidateOf(node, name, given, before))
  return { models: models.slice(0, limits.providerModels), model }
}

export async function disconnectProvider(node: ProviderAccess, name: ProviderName, person: string): Promise<void> {
  const audit = { at: node.clock.now(), person, act: "provider.disconnected", subject: name }
  if (!(await node.store.providers.remove(name, audit))) throw notConnected(name)
  await keepUpWithProviders(node)
}

function candidateOf(
  node: ProviderAccess,
  name: ProviderName,
  given: ProviderBody,
  before: ProviderRecord | undefined,
): ProviderCandidate {
  const { providers, seal } = partsOf(node)
  const { needs, title } = outlineOf(providers, name)
  const url = given.url ?? before?.url ?? null
  // A stored key goes to no other address than the one it was stored for.
  const isSamePlace = before !== undefined && url === before.url
  const stored = isSamePlace ? openAccount(seal, before)?.key : undefined
  const key = given.key ?? stored ?? null
  if (needs !== "url" && given.url !== undefined)
    throw new Refusal("request.invalid", `${title} has its own address.`, "/url")
  if (needs === "url" && url === null)
    throw new Refusal(
      "request.invalid",
      "Enter the address of the server, such as https://openrouter.ai/api/v1.",
      "/url",
    )
  if (needs === "nothing" && given.key !== undefined)
    throw new Refusal("request.invalid", "Models on this machine need no API key.", "/key")
  if (needs === "key" && key === null)
    throw before === undefined
      ? new Refusal("request.invalid", `Enter your ${title} API key.`, "/key")
      : new Refusal("provider.key", `The stored ${title} key cannot be read any more. Enter it again.`, "/key")
  return { provider: name, key, url, model: given.model ?? before?.model }
}

async function checked(
  providers: ModelProviders,
  candidate: ProviderCandidate,
): Promise<Extract<ProviderCheck, { ok: true }>> {
  const check = await providers.check(candidate)
  if (check.ok) return check
  const [code, pointer] = refusalOf(check.why, candidate)
  throw new Refusal(code, check.detail, pointer)
}

function refusalOf(
  why: Extract<ProviderCheck, { ok: false }>["why"],
  { url }: ProviderCandidate,
): readonly [RefusalCode, string | undefined] {
  switch (why) {
    case "key":
      return ["provider.key", "/key"]
    case "quota":
      return ["provider.quota", undefined]
    case "model":
      return ["provider.model", "/model"]
    case "unreachable":
      return ["provider.unreachable", url === null ? undefined : "/url"]
    case "failed":
      return ["provider.failed", undefined]
    default:
      return unreachable(why)
  }
}

function viewOf(node: ProviderAccess, outline: ProviderOutline, records: readonly ProviderRecord[]): ProviderView {
  const { seal } = partsOf(node)
  const record = records.find(({ provider }) => provider === outline.provider)
  return { ...outline, stored: record === undefined ? null : storedView(seal, record) }
}

function storedView(seal: Seal, record: ProviderRecord): NonNullable<ProviderView["stored"]> {
  const { ending, url, models, model, addedAt } = record
  const isReadable = openAccount(seal, record) !== undefined
  return { ending, url, models: [...models], model, addedAt, isReadable }
}

function isChosenOne({ chosenAt }: ProviderRecord): boolean {
  return chosenAt !== null
}

function outlineOf(providers: ModelProviders, name: ProviderName): ProviderOutline {
  const outline = providers.known().find(({ provider }) => provider === name)
  if (outline === undefined) throw notConnected(name)
  return outline
}

function partsOf({ providers, seal }: ProviderAccess): { readonly providers: ModelProviders; readonly seal: Seal } {
  if (providers === undefined || seal === undefined)
    throw new Refusal("provider.unknown", "This server cannot connect model providers.")
  return { providers, seal }
}

function notConnected(name: string): Refusal {
  return new Refusal("provider.unknown", `The model provider "${name}" is not connected.`)
}
