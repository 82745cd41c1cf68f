/**
 * How the page signs people in (SEC-39): the client it uses, and the issuer's endpoints.
 *
 *   unknown ──fetched──▶ known ──MAX_AGE_MS passed──▶ fetched again, known meanwhile
 *
 * The server fetches the issuer's metadata, not the page: the content security policy of the page names the endpoints,
 * so they must be known before it loads. The issuer is asked at most once per COOLDOWN_MS.
 */
import type { Clock, Log } from "@parlor/core"
import { Fault, type SignInView } from "@parlor/protocol"
import { type Configuration, fetchConfiguration, type IssuerSettings, isTrustworthy } from "./issuer.ts"

export type PageSignIn = {
  readonly view: () => Promise<SignInView>
  /** What the page may connect to besides this server, for its content security policy. */
  readonly connects: () => Promise<readonly string[]>
}

type Endpoints = Pick<SignInView, "endpoints" | "algorithms" | "namesItself">

const COOLDOWN_MS = 10_000
const MAX_AGE_MS = 10 * 60_000

export function createPageSignIn(
  settings: IssuerSettings,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): PageSignIn | undefined {
  const { issuer, audience, client } = settings
  if (client === undefined) return undefined
  let known: Endpoints | undefined
  let triedAt = Number.NEGATIVE_INFINITY
  let pending: Promise<void> | undefined

  const fetchAgain = async () => {
    triedAt = clock.now()
    try {
      known = endpointsOf(await fetchConfiguration(issuer))
    } catch (error) {
      log.warn("the issuer's metadata could not be fetched", { reason: String(error) })
    } finally {
      pending = undefined
    }
  }
  const isDue = (ms: number) => clock.now() - triedAt >= ms || clock.now() < triedAt
  const current = async (): Promise<Endpoints | undefined> => {
    if (pending === undefined && isDue(known === undefined ? COOLDOWN_MS : MAX_AGE_MS)) pending = fetchAgain()
    if (known === undefined) await pending
    return known
  }

  return {
    async view() {
      const found = await current()
      if (found === undefined)
        throw new Fault("the issuer's metadata is not available", {
          code: "auth.unavailable",
          retryAfterMs: COOLDOWN_MS,
        })
      return {
        issuer,
        clientId: client.id,
        audience,
        scopes: [...client.scopes],
        parameters: { ...client.parameters },
        sends: audience === client.id ? "id-token" : "access-token",
        ...found,
      }
    },
    async connects() {
      const found = await current()
      if (found === undefined) return [new URL(issuer).origin]
      const { token, revocation } = found.endpoints
      return [...new Set([token, ...(revocation === null ? [] : [revocation])].map(sourceOf))]
    },
  }
}

function endpointsOf(found: Configuration): Endpoints {
  return {
    endpoints: {
      authorization: checked(found, "authorization_endpoint"),
      token: checked(found, "token_endpoint"),
      endSession: found.end_session_endpoint === undefined ? null : checked(found, "end_session_endpoint"),
      revocation: found.revocation_endpoint === undefined ? null : checked(found, "revocation_endpoint"),
    },
    algorithms: found.id_token_signing_alg_values_supported ?? ["RS256"],
    namesItself: found.authorization_response_iss_parameter_supported === true,
  }
}

function checked(
  found: Configuration,
  name: "authorization_endpoint" | "token_endpoint" | "end_session_endpoint" | "revocation_endpoint",
): string {
  const address = found[name]
  if (address === undefined) throw new Error(`the issuer has no ${name}`)
  if (!isTrustworthy(address)) throw new Error(`the issuer's ${name} is not an https URL: ${address}`)
  return address
}

/** As a source of a content security policy: without a query, and without what would end the source. */
function sourceOf(endpoint: string): string {
  const { origin, pathname } = new URL(endpoint)
  return origin + pathname.replaceAll(";", "%3B").replaceAll(",", "%2C")
}
