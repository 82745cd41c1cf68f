/** [SEC-39] What the page needs to sign people in, and what its policy lets it connect to. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FakeClock } from "@parlor/core/testing"
import { routes } from "@parlor/protocol"
import type { IssuerSettings } from "@parlor/server"
import { afterEach, beforeEach, expect, test } from "vitest"
import { startIssuer, type TestIssuer } from "../../packages/server/test/issuer.ts"
import { ask, expectProblem, read } from "./client.ts"
import { startTestServer, type TestServer } from "./server.ts"

const METADATA = "/.well-known/openid-configuration"
let clock: FakeClock
let issuer: TestIssuer
let server: TestServer | undefined
let pages: string

beforeEach(async () => {
  clock = new FakeClock()
  pages = mkdtempSync(join(tmpdir(), "parlor-page-"))
  writeFileSync(join(pages, "index.html"), "<!doctype html><title>Parlor</title>")
  issuer = await startIssuer()
  issuer.configuration = endpoints()
})

afterEach(async () => {
  await server?.close()
  await issuer.close()
  rmSync(pages, { recursive: true })
})

const endpoints = () => ({
  authorization_endpoint: `${issuer.url}/auth`,
  token_endpoint: "https://tokens.example.com/a;b,c?d=e",
  revocation_endpoint: `${issuer.url}/revoke`,
  end_session_endpoint: `${issuer.url}/end`,
  id_token_signing_alg_values_supported: ["ES256"],
  authorization_response_iss_parameter_supported: true,
})

async function start(more: Partial<IssuerSettings> = {}): Promise<TestServer> {
  const client = { id: "page", scopes: ["openid"], parameters: { audience: "parlor" } }
  const settings = { issuer: issuer.url, audience: "parlor", person: "sub", scopes: ["read" as const], client, ...more }
  server = await startTestServer({ clock, issuer: settings, pageFolder: pages })
  return server
}

const signIn = async (from: TestServer) =>
  (await read(from, routes.readSignIn.answer.schema, "GET", "/v1/sign-in", { token: null })).signIn

async function connects(from: TestServer): Promise<string | undefined> {
  const policy = (await ask(from, "GET", "/", { token: null })).headers["content-security-policy"]
  return String(policy)
    .split("; ")
    .find((one) => one.startsWith("connect-src"))
}

test("[SEC-39] says issuer, client, audience, scopes and endpoints, to anybody; the policy names what is needed", async () => {
  const from = await start()
  expect(await signIn(from)).toEqual({
    issuer: issuer.url,
    clientId: "page",
    audience: "parlor",
    scopes: ["openid"],
    parameters: { audience: "parlor" },
    sends: "access-token",
    endpoints: {
      authorization: `${issuer.url}/auth`,
      token: "https://tokens.example.com/a;b,c?d=e",
      endSession: `${issuer.url}/end`,
      revocation: `${issuer.url}/revoke`,
    },
    algorithms: ["ES256"],
    namesItself: true,
  })
  expect(await connects(from)).toBe(`connect-src 'self' https://tokens.example.com/a%3Bb%2Cc ${issuer.url}/revoke`)
  expect(issuer.asked).toEqual([METADATA])
  await clock.advance(10 * 60_000)
  await signIn(from)
  await expect.poll(() => issuer.asked).toEqual([METADATA, METADATA])
})

test("[SEC-39] the ID token is sent where the client is the audience", async () => {
  const client = { id: "parlor", scopes: ["openid"], parameters: {} }
  expect((await signIn(await start({ client })))?.sends).toBe("id-token")
})

test("[SEC-39] is null without a client, and nobody asks the issuer then", async () => {
  const from = await start({ client: undefined })
  expect(await signIn(from)).toBeNull()
  expect(await connects(from)).toBe("connect-src 'self'")
  expect(issuer.asked).toEqual([])
})

test("[SEC-39] while the issuer is down it says so, asks at most once in ten seconds, and works again by itself", async () => {
  await issuer.goDown()
  const from = await start()
  for (let n = 0; n < 3; n++) {
    const answer = await ask(from, "GET", "/v1/sign-in", { token: null })
    expectProblem(answer, { status: 424, code: "auth.unavailable" })
    expect(answer.headers["retry-after"]).toBe("10")
    expect(await connects(from)).toBe(`connect-src 'self' ${issuer.url}`)
  }
  expect(from.logged.filter((line) => line.includes("metadata could not be fetched"))).toHaveLength(1)
  await issuer.comeBack()
  await clock.advance(10_000)
  expect((await signIn(from))?.clientId).toBe("page")
  await issuer.goDown()
  await clock.advance(20 * 60_000)
  expect((await signIn(from))?.clientId).toBe("page")
})

test.each([
  ["sends people to a script", { authorization_endpoint: "javascript:alert(1)" }],
  ["takes codes at an address anybody could answer at", { token_endpoint: "http://login.example.com/token" }],
  ["has no address for tokens", { token_endpoint: undefined }],
  ["calls itself otherwise", { issuer: "https://elsewhere.example" }],
])("[SEC-39] nobody is sent to an issuer that %s", async (_, odd) => {
  issuer.configuration = { ...endpoints(), ...odd }
  expectProblem(await ask(await start(), "GET", "/v1/sign-in", { token: null }), {
    status: 424,
    code: "auth.unavailable",
  })
})
