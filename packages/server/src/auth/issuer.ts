/**
 * Fetches an issuer's OpenID configuration and keys, over HTTPS.
 *
 * No URL here comes from a caller: they all come from the server's settings.
 */
import type { Scope } from "@parlor/protocol"
import type { JSONWebKeySet } from "jose"
import { z } from "zod"
import { isLoopback } from "../http/gate.ts"

export type IssuerSettings = {
  /** The value of `iss` in its tokens. */
  readonly issuer: string
  /** The required `aud` of its tokens. */
  readonly audience: string
  /** URL of its keys. Default: from its OpenID configuration. */
  readonly jwks?: string | undefined
  /** The claim that names the person. */
  readonly person: string
  /** Scopes of everyone who signs in. */
  readonly scopes: readonly Scope[]
  /** The client as which the page signs people in (SEC-39). Default: the page asks for a token. */
  readonly client?: PageClient | undefined
  /** How long keys that signed-in people create may last. Default: as long as their JWT. */
  readonly keysMs?: number | undefined
}

export type PageClient = {
  /** A public client: the page has no secret. */
  readonly id: string
  readonly scopes: readonly string[]
  /** More parameters of the authorization request, such as the `audience` that Auth0 needs. */
  readonly parameters: Readonly<Record<string, string>>
}

const TIMEOUT_MS = 5_000
const MAX_BYTES = 512 * 1024

const configuration = z.object({
  issuer: z.string(),
  jwks_uri: z.string().optional(),
  authorization_endpoint: z.string().optional(),
  token_endpoint: z.string().optional(),
  end_session_endpoint: z.string().optional(),
  revocation_endpoint: z.string().optional(),
  id_token_signing_alg_values_supported: z.array(z.string()).optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
})
export type Configuration = z.infer<typeof configuration>
const keySet = z.object({ keys: z.array(z.record(z.string(), z.unknown())).max(1_000) })

export async function fetchKeys({ issuer, jwks }: IssuerSettings): Promise<JSONWebKeySet> {
  const from = jwks ?? (await discover(issuer))
  return keySet.parse(await fetchJson(from)) as JSONWebKeySet
}

/** HTTPS, or this machine. Keys fetched any other way could be forged. */
export function isTrustworthy(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname.replace(/^\[|\]$/g, "")))
}

export async function fetchConfiguration(issuer: string): Promise<Configuration> {
  const found = configuration.parse(
    await fetchJson(`${issuer.replace(/(?<!\/)\/+$/, "")}/.well-known/openid-configuration`),
  )
  if (found.issuer !== issuer) throw new Error(`the issuer calls itself ${found.issuer}, not ${issuer}`)
  return found
}

async function discover(issuer: string): Promise<string> {
  const { jwks_uri: keys } = await fetchConfiguration(issuer)
  if (keys === undefined) throw new Error("the issuer has no jwks_uri")
  if (!isTrustworthy(keys)) throw new Error(`the issuer's jwks_uri is not an https URL: ${keys}`)
  return keys
}

async function fetchJson(address: string): Promise<unknown> {
  const response = await fetch(address, {
    redirect: "error",
    headers: { accept: "application/json" },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`${address} answered ${response.status}`)
  }
  return JSON.parse(await textOf(response))
}

async function textOf(response: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength
    if (bytes > MAX_BYTES) throw new Error(`${response.url} answered with more than ${MAX_BYTES} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString("utf8")
}
