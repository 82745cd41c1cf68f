/**
 * The exchanges with the issuer: OpenID Connect, authorization code flow with PKCE, as a public client (SEC-39). Loaded
 * only where people sign in.
 *
 * `oauth4webapi` builds the requests and checks the responses: `state`, `iss`, `nonce`, and the claims of the ID token. Its
 * signature is not checked again, because the token comes straight from the token endpoint over TLS (OpenID Connect
 * Core 3.1.3.7).
 */
import type { SignInView } from "@parlor/protocol"
import * as oauth from "oauth4webapi"
import type { Attempt } from "./attempt.ts"
import { SignInProblem } from "./problem.ts"
import { RenewalRefused } from "./renewal.ts"
import type { Session } from "./session.ts"

/** What the issuer gives, before the server has said who it is. */
export type Grant = Omit<Session, "person">

const TIMEOUT_MS = 15_000
const CLOCK_TOLERANCE_S = 30
/** If the issuer does not say how long a token lasts. */
const USUAL_LIFETIME_S = 300
/** A token is renewed this long before it expires, or after most of its life if that is short. */
const MARGIN_MS = 60_000
const MARGIN_SHARE = 0.25

/** The address at the issuer where the person signs in, and what to remember meanwhile. */
export async function authorizationOf(
  signIn: SignInView,
  page: { readonly address: string; readonly hash: string },
): Promise<{ readonly address: string; readonly attempt: Attempt }> {
  const attempt = {
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    verifier: oauth.generateRandomCodeVerifier(),
    hash: page.hash,
  }
  const address = new URL(signIn.endpoints.authorization)
  for (const [name, value] of Object.entries({
    ...signIn.parameters,
    client_id: signIn.clientId,
    redirect_uri: page.address,
    response_type: "code",
    response_mode: "fragment",
    scope: signIn.scopes.join(" "),
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(attempt.verifier),
    code_challenge_method: "S256",
  }))
    address.searchParams.set(name, value)
  return { address: address.href, attempt }
}

/** Redeems the code of the issuer's response. */
export async function redeem(
  signIn: SignInView,
  parameters: URLSearchParams,
  attempt: Attempt,
  page: { readonly address: string; readonly now: () => number },
): Promise<Grant> {
  const [issuer, client] = partiesOf(signIn)
  try {
    const checked = oauth.validateAuthResponse(issuer, client, parameters, attempt.state)
    const response = await oauth.authorizationCodeGrantRequest(
      issuer,
      client,
      oauth.None(),
      checked,
      page.address,
      attempt.verifier,
      optionsFor(signIn, signIn.endpoints.token),
    )
    const answer = await oauth.processAuthorizationCodeResponse(issuer, client, response, {
      expectedNonce: attempt.nonce,
      requireIdToken: true,
    })
    return grantOf(signIn, answer, page.now())
  } catch (error) {
    throw problemOf(error)
  }
}

/** Another token for the refresh token. What is not given anew stays. */
export async function refresh(signIn: SignInView, session: Session, now: () => number): Promise<Session> {
  if (session.refreshToken === undefined) throw new RenewalRefused("There is no refresh token.")
  const [issuer, client] = partiesOf(signIn)
  try {
    const response = await oauth.refreshTokenGrantRequest(
      issuer,
      client,
      oauth.None(),
      session.refreshToken,
      optionsFor(signIn, signIn.endpoints.token),
    )
    const answer = await oauth.processRefreshTokenResponse(issuer, client, response)
    const grant = grantOf(signIn, answer, now())
    return {
      ...grant,
      person: session.person,
      name: grant.name ?? session.name,
      refreshToken: grant.refreshToken ?? session.refreshToken,
      idToken: grant.idToken ?? session.idToken,
    }
  } catch (error) {
    const { kind, message } = problemOf(error)
    if (kind === "unreachable") throw error
    throw new RenewalRefused(message)
  }
}

/** Ends what the issuer allowed this browser. It is only an attempt: the session is gone from here either way. */
export async function revoke(signIn: SignInView, session: Session): Promise<void> {
  const { revocation } = signIn.endpoints
  if (revocation === null || session.refreshToken === undefined) return
  const [issuer, client] = partiesOf(signIn)
  await oauth.revocationRequest(issuer, client, oauth.None(), session.refreshToken, optionsFor(signIn, revocation))
}

/** Where the person signs out of the issuer too; undefined if it has no such address. */
export function endAddress(signIn: SignInView, session: Session, page: string): string | undefined {
  if (signIn.endpoints.endSession === null) return undefined
  const address = new URL(signIn.endpoints.endSession)
  address.searchParams.set("client_id", signIn.clientId)
  address.searchParams.set("post_logout_redirect_uri", page)
  if (session.idToken !== undefined) address.searchParams.set("id_token_hint", session.idToken)
  return address.href
}

function partiesOf(signIn: SignInView): readonly [oauth.AuthorizationServer, oauth.Client] {
  const { issuer, clientId, endpoints, algorithms, namesItself } = signIn
  return [
    {
      issuer,
      token_endpoint: endpoints.token,
      ...(endpoints.revocation === null ? {} : { revocation_endpoint: endpoints.revocation }),
      id_token_signing_alg_values_supported: [...algorithms],
      authorization_response_iss_parameter_supported: namesItself,
    },
    { client_id: clientId, [oauth.clockTolerance]: CLOCK_TOLERANCE_S },
  ]
}

/** The server checks that an address without TLS is on this machine. */
function optionsFor(signIn: SignInView, endpoint: string) {
  const { resource } = signIn.parameters
  return {
    signal: AbortSignal.timeout(TIMEOUT_MS),
    [oauth.allowInsecureRequests]: new URL(endpoint).protocol === "http:",
    ...(resource === undefined ? {} : { additionalParameters: { resource } }),
  }
}

function grantOf(signIn: SignInView, answer: oauth.TokenEndpointResponse, now: number): Grant {
  const claims = oauth.getValidatedIdTokenClaims(answer)
  const isIdToken = signIn.sends === "id-token"
  if (isIdToken && answer.id_token === undefined) throw new RenewalRefused("The issuer gave no ID token.")
  const lasts = isIdToken ? claims && claims.exp - claims.iat : answer.expires_in
  const lifetimeMs = (lasts ?? USUAL_LIFETIME_S) * 1_000
  const expiresAt = now + lifetimeMs
  return {
    token: (isIdToken ? answer.id_token : undefined) ?? answer.access_token,
    name: [claims?.name, claims?.preferred_username, claims?.email].find((one) => typeof one === "string"),
    renewAt: expiresAt - Math.min(MARGIN_MS, lifetimeMs * MARGIN_SHARE),
    expiresAt,
    refreshToken: answer.refresh_token,
    idToken: answer.id_token,
  }
}

const BUSY = /^(?:server_error|temporarily_unavailable)$/

function problemOf(error: unknown): SignInProblem {
  if (error instanceof SignInProblem) return error
  if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError) {
    const said = error.error_description ?? error.error
    if (error.error === "access_denied") return new SignInProblem("denied", said)
    if (BUSY.test(error.error)) return new SignInProblem("unreachable", said)
    return new SignInProblem(error.error === "invalid_grant" ? "expired" : "failed", said)
  }
  if (error instanceof oauth.OperationProcessingError) {
    // A proxy in front of the issuer answers with pages of its own.
    const status = error.cause instanceof Response ? error.cause.status : 0
    if (status >= 500) return new SignInProblem("unreachable", error.message)
    return new SignInProblem(error.code === oauth.JWT_TIMESTAMP_CHECK ? "clock" : "failed", error.message)
  }
  const isNetwork = error instanceof TypeError || (error instanceof DOMException && error.name === "TimeoutError")
  return new SignInProblem(isNetwork ? "unreachable" : "failed", String(error))
}
