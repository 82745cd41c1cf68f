/** An issuer on a real socket: its OpenID configuration, its keys, and any tokens that a test wants signed with them. */
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from "jose"

export type SigningKey = { readonly kid: string; readonly alg: string; readonly secret: CryptoKey; readonly jwk: JWK }

export type TestIssuer = {
  readonly url: string
  /** The paths requested so far. */
  readonly asked: readonly string[]
  /** The published keys. */
  keys: readonly SigningKey[]
  /** A false configuration to publish. */
  configuration: Readonly<Record<string, unknown>>
  /** A new key, published if it is in `keys`. */
  newKey(kid: string, alg?: string): Promise<SigningKey>
  goDown(): Promise<void>
  comeBack(): Promise<void>
  close(): Promise<void>
}

export async function startIssuer(): Promise<TestIssuer> {
  const asked: string[] = []
  let port = 0
  let server: Server | undefined
  const listen = async () => {
    const opened = createServer((incoming, out) => {
      asked.push(incoming.url ?? "")
      const body = incoming.url === "/jwks" ? { keys: issuer.keys.map(({ jwk }) => jwk) } : configurationOf(issuer)
      out.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body))
    })
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
  const issuer: TestIssuer = {
    url: `http://127.0.0.1:${port}`,
    asked,
    keys: [],
    configuration: {},
    newKey,
    goDown,
    comeBack: async () => void (await listen()),
    close: goDown,
  }
  return issuer
}

type Header = { readonly crit?: string[]; readonly [name: string]: unknown }

/** A token signed with that key. Names in `crit` must be in the header too. */
export function signed(key: SigningKey, claims: JWTPayload, header: Header = {}) {
  const crit = Object.fromEntries((header.crit ?? []).map((name) => [name, true]))
  return new SignJWT(claims).setProtectedHeader({ alg: key.alg, kid: key.kid, ...header }).sign(key.secret, { crit })
}

/** Raw parts, which no library would produce. */
export function assembled(header: unknown, claims: unknown, signature: string): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")
  return `${part(header)}.${part(claims)}.${signature}`
}

async function newKey(kid: string, alg = "ES256"): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { kid, alg, secret: privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: "sig" } }
}

function configurationOf({ url, configuration }: TestIssuer): Readonly<Record<string, unknown>> {
  return { issuer: url, jwks_uri: `${url}/jwks`, ...configuration }
}
