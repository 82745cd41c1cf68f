/** [SEC-38] Who the caller is, and how long the keys they create may last. */
import { FakeClock } from "@parlor/core/testing"
import { routes } from "@parlor/protocol"
import { afterEach, beforeEach, expect, test } from "vitest"
import { type SigningKey, signed, startIssuer, type TestIssuer } from "../../packages/server/test/issuer.ts"
import { ask, expected, expectProblem, read } from "./client.ts"
import { startTestServer, type TestServer } from "./server.ts"

const DAY = 86_400_000
const HOUR = DAY / 24
const LEEWAY = 30_000
const clock = new FakeClock()
let issuer: TestIssuer
let signing: SigningKey
let server: TestServer

beforeEach(async () => {
  issuer = await startIssuer()
  signing = await issuer.newKey("first")
  issuer.keys = [signing]
})

afterEach(async () => {
  await server.close()
  await issuer.close()
})

const account = (token: string) => read(server, routes.readAccount.answer.schema, "GET", "/v1/account", { token })

async function start(keysMs?: number): Promise<{ readonly token: string; readonly expiresAt: number }> {
  const settings = { issuer: issuer.url, audience: "parlor", person: "sub", keysMs }
  server = await startTestServer({ clock, issuer: { ...settings, scopes: ["read", "write", "manage"] } })
  const exp = Math.floor(clock.now() / 1_000) + 300
  const token = await signed(signing, { iss: issuer.url, aud: "parlor", sub: "ana", exp })
  return { token, expiresAt: exp * 1_000 + LEEWAY }
}

test("[SEC-38] every kind of credential is told who it is and what it may do", async () => {
  const { token, expiresAt } = await start()
  expect(await account(server.token)).toEqual({
    person: "me",
    credential: "token",
    scopes: ["read", "write", "manage", "metrics"],
    expiresAt: null,
    keysUntil: null,
    isOwner: true,
  })
  const ends = clock.now() + DAY
  expect(await account(await server.addKey({ person: "bob", scopes: ["read"], expiresAt: ends }))).toEqual({
    person: "bob",
    credential: "key",
    scopes: ["read"],
    expiresAt: ends,
    keysUntil: ends,
    isOwner: false,
  })
  expect(await account(token)).toEqual({
    person: "jwt:ana",
    credential: "sign-in",
    scopes: ["read", "write", "manage"],
    expiresAt,
    keysUntil: expiresAt,
    isOwner: false,
  })
})

test("[SEC-38] a signed-in person creates keys for as long as the owner allows; their keys do not", async () => {
  const { token } = await start(30 * DAY)
  const until = clock.now() + 30 * DAY
  expect((await account(token)).keysUntil).toBe(until)
  const body = { name: "ci", scopes: ["read", "manage"], expiresAt: until }
  const made = await read(server, routes.makeKey.answer.schema, "POST", "/v1/keys", { token, body })
  for (const expiresAt of [until + 1, null]) {
    const tooLong = { token, body: { ...body, expiresAt } }
    expectProblem(await ask(server, "POST", "/v1/keys", tooLong), expected("auth.forbidden", "/expiresAt"))
  }
  // The sign-in that made it has expired.
  await clock.advance(HOUR)
  expect(await account(made.secret)).toMatchObject({ person: "jwt:ana", credential: "key", keysUntil: until })
  const longer = { token: made.secret, body: { ...body, expiresAt: until + 1 } }
  expectProblem(await ask(server, "POST", "/v1/keys", longer), expected("auth.forbidden", "/expiresAt"))
})
