/**
 * A real OpenID provider (`oidc-provider`) on its own port: people sign in with any name, refresh tokens are used once,
 * and using one twice ends everything that was granted.
 */
import { generateKeyPairSync } from "node:crypto"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import Provider, { type Configuration } from "oidc-provider"

export type TestIssuer = {
  readonly url: string
  /** Starts to serve, for people who come back to this page. */
  open(page: string): void
  /** How often each kind of grant was redeemed, and how often a refresh token was refused. */
  readonly counts: { code: number; refresh: number; refused: number }
  /** The audience of tokens from now on. */
  audience: string
  /** Ends what was granted to everybody: no refresh token works any more. */
  endGrants(): Promise<void>
  goDown(): Promise<void>
  comeBack(): Promise<void>
  close(): Promise<void>
}

export type IssuerOptions = {
  readonly clientId: string
  readonly audience: string
  /** How long access tokens last. */
  readonly seconds?: number
}

export async function startIssuer({ clientId, audience, seconds = 300 }: IssuerOptions): Promise<TestIssuer> {
  let provider: Provider | undefined
  let port = 0
  let server: Server | undefined
  const listen = async () => {
    const opened = createServer((incoming, out) => void serve(provider, incoming, out))
    await new Promise<void>((resolve) => opened.listen(port, "127.0.0.1", resolve))
    server = opened
    return (opened.address() as AddressInfo).port
  }
  const goDown = async () => {
    const closed = new Promise<unknown>((resolve) => (server ? server.close(resolve) : resolve(undefined)))
    server?.closeAllConnections()
    server = undefined
    await closed
  }
  port = await listen()
  const url = `http://127.0.0.1:${port}`
  const counts = { code: 0, refresh: 0, refused: 0 }
  const grants = new Set<string>()
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 })
  const key = { ...privateKey.export({ format: "jwk" }), kid: "first", alg: "RS256", use: "sig" }
  const configuration = (page: string): Configuration => ({
    clients: [
      {
        client_id: clientId,
        token_endpoint_auth_method: "none",
        grant_types: ["authorization_code", "refresh_token"],
        redirect_uris: [page],
        post_logout_redirect_uris: [page],
      },
    ],
    clientBasedCORS: (_, origin) => `${origin}/` === page,
    jwks: { keys: [key] },
    cookies: { keys: ["a key of the test"] },
    findAccount: (_, id) => ({ accountId: id, claims: async () => ({ sub: id, name: `${id} of Example` }) }),
    claims: { profile: ["name"] },
    // Claims of the profile are in the ID token itself.
    conformIdTokenClaims: false,
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    ttl: { AccessToken: seconds, IdToken: seconds, RefreshToken: 86_400, Session: 86_400, Grant: 86_400 },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    loadExistingGrant: async (ctx) => {
      const grant = new ctx.oidc.provider.Grant({
        accountId: ctx.oidc.session?.accountId ?? "",
        clientId: ctx.oidc.client?.clientId ?? "",
      })
      grant.addOIDCScope("openid profile offline_access")
      grant.addResourceScope(issuer.audience, "talk")
      grants.add(await grant.save())
      return grant
    },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => {
          ctx.body = `${HEAD}${form}<button form="op.logoutForm" name="logout" value="yes">Yes, sign me out</button>`
        },
      },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => issuer.audience,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({ scope: "talk", audience: issuer.audience, accessTokenFormat: "jwt" }),
      },
    },
  })
  const issuer: TestIssuer = {
    url,
    counts,
    audience,
    open(page) {
      provider = new Provider(url, configuration(page))
      provider.on("grant.success", ({ oidc }) => {
        if (oidc.params?.grant_type === "refresh_token") counts.refresh += 1
        else counts.code += 1
      })
      provider.on("grant.error", () => {
        counts.refused += 1
      })
    },
    async endGrants() {
      for (const id of grants) await (await provider?.Grant.find(id))?.destroy()
    },
    goDown,
    comeBack: async () => void (await listen()),
    close: goDown,
  }
  return issuer
}

async function serve(provider: Provider | undefined, incoming: IncomingMessage, out: ServerResponse): Promise<void> {
  if (provider === undefined) out.writeHead(503).end()
  else if (incoming.url?.startsWith("/interaction/")) await interact(provider, incoming, out)
  else await provider.callback()(incoming, out)
}

/** The page of the issuer on which a person gives a name, or turns back. */
async function interact(provider: Provider, incoming: IncomingMessage, out: ServerResponse): Promise<void> {
  if (incoming.method !== "POST") {
    out.writeHead(200, { "content-type": "text/html" }).end(LOGIN)
    return
  }
  const given = new URLSearchParams(await bodyOf(incoming))
  const result = given.has("deny")
    ? { error: "access_denied", error_description: "The person turned back." }
    : { login: { accountId: given.get("name") ?? "" } }
  await provider.interactionFinished(incoming, out, result, { mergeWithLastSubmission: false })
}

const HEAD = `<!doctype html><html lang="en"><title>Example login</title><link rel="icon" href="data:,">`
const LOGIN = `${HEAD}<form method="post"><label>Name <input name="name" autofocus></label><button>Continue</button><button name="deny" value="1">Turn back</button></form>`

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of incoming) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString("utf8")
}
