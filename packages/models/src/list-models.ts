/** The models of an account, as its provider lists them (MOD-15). */
import type { ProviderName } from "@parlor/protocol"
import { complaintIn } from "./complaint.ts"
import type { Credential } from "./credential.ts"
import { connectionFault, statusFault } from "./faults.ts"
import { knownModels } from "./table.ts"

const maxBytes = 2 * 1024 * 1024
const maxIdChars = 190
/** These say that the key may not list models, or that the server has no list. */
const withoutList: ReadonlySet<number> = new Set([403, 404, 405, 501])
/** Names of models at OpenAI that answer in text; the others make or read sound, pictures and numbers. */
const textModel = /^(?:gpt-|o\d|chatgpt-|codex-)/
const otherModel = /audio|realtime|transcribe|tts|image|search|instruct|embedding|moderation|whisper|dall-e/

/** Ids, the well-known first. Undefined if the provider gives no list. Rejects with `ModelFault`. */
export async function listModels(
  provider: ProviderName,
  credential: Credential,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const response = await asked(provider, credential, signal)
  const body = parsed(await textOf(response))
  if (response.ok) return sorted(provider, idsIn(provider, body))
  if (withoutList.has(response.status) && complaintIn(body)?.code !== "invalid_api_key") return undefined
  const { account, key = "" } = credential
  throw statusFault(response.status, { complaint: complaintIn(body), now: Date.now(), account, secrets: [key] })
}

async function asked(provider: ProviderName, { url, key }: Credential, signal: AbortSignal): Promise<Response> {
  const page = provider === "google" ? "?pageSize=1000" : provider === "anthropic" ? "?limit=1000" : ""
  const headers = { accept: "application/json", ...authorization(provider, key) }
  try {
    return await fetch(`${url}/models${page}`, { headers, signal, redirect: "error" })
  } catch (error) {
    throw connectionFault(error)
  }
}

/** In headers only: no key is part of an address. */
function authorization(provider: ProviderName, key: string | undefined): Readonly<Record<string, string>> {
  if (key === undefined) return {}
  if (provider === "anthropic") return { "x-api-key": key, "anthropic-version": "2023-06-01" }
  return provider === "google" ? { "x-goog-api-key": key } : { authorization: `Bearer ${key}` }
}

async function textOf(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ""
  try {
    for await (const piece of response.body ?? []) {
      text += decoder.decode(piece as Uint8Array, { stream: true })
      if (text.length > maxBytes) break
    }
  } catch (error) {
    throw connectionFault(error)
  }
  return text
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Listed = { readonly id?: unknown; readonly name?: unknown; readonly supportedGenerationMethods?: unknown } | null

function idsIn(provider: ProviderName, body: unknown): readonly string[] {
  const { data, models } = (body ?? {}) as { readonly data?: unknown; readonly models?: unknown }
  const list = (provider === "google" ? models : data) as readonly Listed[] | undefined
  if (!Array.isArray(list)) return []
  const ids = (list as readonly Listed[]).map((one) => (provider === "google" ? googleId(one) : one?.id))
  const names = ids.filter(isName)
  return provider === "openai" ? names.filter((id) => textModel.test(id) && !otherModel.test(id)) : names
}

function googleId(one: Listed): string | undefined {
  const methods = one?.supportedGenerationMethods
  const isText = Array.isArray(methods) && methods.includes("generateContent")
  return isText && typeof one?.name === "string" ? one.name.replace(/^models\//, "") : undefined
}

function isName(id: unknown): id is string {
  return typeof id === "string" && id !== "" && id.length <= maxIdChars && !/\p{Cc}/u.test(id) && id.isWellFormed()
}

function sorted(provider: ProviderName, ids: readonly string[]): readonly string[] {
  const known = knownModels(provider).map((name) => name.slice(provider.length + 1))
  const has = new Set(ids)
  return [...new Set([...known.filter((id) => has.has(id)), ...ids])]
}
