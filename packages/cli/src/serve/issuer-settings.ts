/** Settings of sign-in, from the environment. docs/guides/serving.md */
import type { Scope } from "@parlor/protocol"
import { type IssuerSettings, isTrustworthy, type PageClient } from "@parlor/server"
import { countOf } from "./count.ts"
import { SettingsError } from "./settings-error.ts"

/** The issuer whose JWTs sign people in (SEC-4), and how they sign in on the page (SEC-39). */
export function issuerOf(env: NodeJS.ProcessEnv): IssuerSettings | undefined {
  const issuer = env.PARLOR_JWT_ISSUER
  if (!issuer) {
    const alone = JWT_SETTINGS.find((name) => env[name])
    if (alone) throw new SettingsError(`${alone} is set, but PARLOR_JWT_ISSUER is not: nobody could sign in.`)
    return undefined
  }
  checkIssuerAddress("PARLOR_JWT_ISSUER", issuer)
  if (new URL(issuer).search !== "" || new URL(issuer).hash !== "")
    throw new SettingsError(`PARLOR_JWT_ISSUER=${issuer} cannot have a query or a fragment.`)
  const audience = env.PARLOR_JWT_AUDIENCE
  if (!audience)
    throw new SettingsError(
      "PARLOR_JWT_ISSUER needs PARLOR_JWT_AUDIENCE too: otherwise tokens issued for other programs would be accepted.",
    )
  const jwks = env.PARLOR_JWT_JWKS || undefined
  if (jwks !== undefined) checkIssuerAddress("PARLOR_JWT_JWKS", jwks)
  const keyDays = countOf("PARLOR_JWT_KEY_DAYS", env, KEY_DAYS_MOST)
  return {
    issuer,
    audience,
    jwks,
    person: env.PARLOR_JWT_PERSON || "sub",
    scopes: scopesOf(env.PARLOR_JWT_SCOPES),
    client: clientOf(env),
    keysMs: keyDays === undefined ? undefined : keyDays * DAY_MS,
  }
}

const JWT_SETTINGS = [
  "PARLOR_JWT_AUDIENCE",
  "PARLOR_JWT_JWKS",
  "PARLOR_JWT_PERSON",
  "PARLOR_JWT_SCOPES",
  "PARLOR_JWT_KEY_DAYS",
  "PARLOR_OIDC_CLIENT_ID",
] as const
const KEY_DAYS_MOST = 3_650
const DAY_MS = 86_400_000

function clientOf(env: NodeJS.ProcessEnv): PageClient | undefined {
  const id = env.PARLOR_OIDC_CLIENT_ID
  if (!id) {
    const alone = OIDC_SETTINGS.find((name) => env[name])
    if (alone)
      throw new SettingsError(`${alone} is set, but PARLOR_OIDC_CLIENT_ID is not: nobody signs in on the page.`)
    return undefined
  }
  return { id, scopes: pageScopesOf(env.PARLOR_OIDC_SCOPES), parameters: parametersOf(env.PARLOR_OIDC_PARAMETERS) }
}

const OIDC_SETTINGS = ["PARLOR_OIDC_SCOPES", "PARLOR_OIDC_PARAMETERS"] as const

/** `offline_access` asks for a refresh token; issuers that do not know a scope ignore it. */
const PAGE_SCOPES = ["openid", "profile", "offline_access"]

function pageScopesOf(text: string | undefined): readonly string[] {
  if (!text) return PAGE_SCOPES
  const scopes = text.split(/[\s,]+/).filter(Boolean)
  if (scopes.includes("openid")) return scopes
  throw new SettingsError(`PARLOR_OIDC_SCOPES=${text} must contain openid.`)
}

/** The page sets these itself. */
const OWN_PARAMETERS =
  /^(?:client_id|redirect_uri|response_type|response_mode|scope|state|nonce|code_challenge|code_challenge_method|request|request_uri)$/

function parametersOf(text: string | undefined): Readonly<Record<string, string>> {
  const parameters = [...new URLSearchParams(text ?? "")]
  const own = parameters.find(([name]) => OWN_PARAMETERS.test(name))
  if (own !== undefined) throw new SettingsError(`PARLOR_OIDC_PARAMETERS cannot set ${own[0]}: the page sets it.`)
  return Object.fromEntries(parameters)
}

function checkIssuerAddress(name: string, address: string): void {
  if (!isTrustworthy(address))
    throw new SettingsError(`${name}=${address} is not an https URL (http is accepted for this machine only).`)
  if (new URL(address).username !== "" || new URL(address).password !== "")
    throw new SettingsError(`${name} cannot contain a username or password.`)
}

const SCOPES: readonly Scope[] = ["read", "write", "manage", "metrics"]

function scopesOf(text: string | undefined): readonly Scope[] {
  if (!text) return ["read", "write"]
  return text.split(",").map((name) => {
    const known = SCOPES.find((scope) => scope === name.trim())
    if (known !== undefined) return known
    throw new SettingsError(`PARLOR_JWT_SCOPES=${text} must be a comma-separated list of read, write, manage, metrics.`)
  })
}
