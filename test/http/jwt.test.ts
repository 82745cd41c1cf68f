/** [SEC-4] Sign-in by the JWTs of an issuer, which is a server on a real socket with real keys. */
import { createHmac } from "node:crypto"
import { FakeClock } from "@parlor/core/testing"
import { routes } from "@parlor/protocol"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { assembled, type SigningKey, signed, startIssuer, type TestIssuer } from "../../packages/server/test/issuer.ts"
import { type Answer, ask, expected, expectProblem, follow, read } from "./client.ts"
import { open, pathOf } from "./conversations.ts"
import { startTestServer, type TestServer } from "./server.ts"

const main = pathOf("host", "main")
const MINUTE = 60_000
let clock: FakeClock
let issuer: TestIssuer
let key: SigningKey
let server: TestServer

beforeEach(async () => {
  clock = new FakeClock()
  issuer = await startIssuer()
  key = await issuer.newKey("first")
  issuer.keys = [key]
  server = await start()
})

afterEach(async () => {
  await server.close()
  await issuer.close()
})

function start(more: Readonly<Record<string, unknown>> = {}): Promise<TestServer> {
  const settings = {
    issuer: issuer.url,
    audience: "parlor",
    person: "sub",
    scopes: ["read", "write"],
    ...more,
  } as const
  return startTestServer({ clock, issuer: settings })
}

const now = () => Math.floor(clock.now() / 1_000)
const good = () => ({ iss: issuer.url, aud: "parlor", sub: "ana", exp: now() + 300 })
const knock = (token: string, more = {}): Promise<Answer> => ask(server, "GET", "/v1/agents", { token, ...more })

describe("[SEC-4] a token of the issuer", () => {
  test.each(["ES256", "RS256", "PS256", "EdDSA"])("signed with %s lets its person in", async (alg) => {
    const other = await issuer.newKey("other", alg)
    issuer.keys = [key, other]
    const token = await signed(other, { ...good(), aud: ["elsewhere", "parlor"] })
    expect((await open(server, main, { token })).person).toBe("jwt:ana")
  })

  test("is good a little past its end and a little before its beginning, for clocks that differ", async () => {
    expect((await knock(await signed(key, { ...good(), exp: now() - 20 }))).status).toBe(200)
    expect((await knock(await signed(key, { ...good(), nbf: now() + 20 }))).status).toBe(200)
  })

  const wrong: readonly (readonly [string, "auth.invalid" | "auth.expired", () => string | Promise<string>])[] = [
    ["expired", "auth.expired", () => signed(key, { ...good(), exp: now() - 31 })],
    ["for another audience", "auth.invalid", () => signed(key, { ...good(), aud: "elsewhere" })],
    ["for nobody in particular", "auth.invalid", () => signed(key, { iss: issuer.url, sub: "ana", exp: now() + 9 })],
    ["of another issuer", "auth.invalid", () => signed(key, { ...good(), iss: `${issuer.url}/` })],
    ["not valid yet", "auth.invalid", () => signed(key, { ...good(), nbf: now() + 31 })],
    ["without an end", "auth.invalid", () => signed(key, { iss: issuer.url, aud: "parlor", sub: "ana" })],
    ["with a key that is not the issuer's", "auth.invalid", async () => signed(await issuer.newKey("first"), good())],
    ["with a key nobody knows", "auth.invalid", async () => signed(await issuer.newKey("other"), good())],
    ["without a signature", "auth.invalid", () => assembled({ alg: "none" }, good(), "")],
    ["none, with a signature", "auth.invalid", () => assembled({ alg: "None", kid: "first" }, good(), "AAAA")],
    ["signed by the public key as a secret", "auth.invalid", () => byPublicKey(JSON.stringify(key.jwk))],
    ["signed by the public point as a secret", "auth.invalid", () => byPublicKey(`${key.jwk.x}`)],
    ["whose claims were changed", "auth.invalid", async () => changed(await signed(key, good()))],
    ["that nobody can read", "auth.invalid", () => "eyJhbGciOiJFUzI1NiJ9.bm90IGpzb24.AAAA"],
    ["that is three words", "auth.invalid", () => "a.b.c"],
    ["without a person", "auth.invalid", () => signed(key, { iss: issuer.url, aud: "parlor", exp: now() + 9 })],
    ["with an empty person", "auth.invalid", () => signed(key, { ...good(), sub: "" })],
    ["with a person on two lines", "auth.invalid", () => signed(key, { ...good(), sub: "ana\nbob" })],
    ["with a person of a lone surrogate", "auth.invalid", () => signed(key, { ...good(), sub: "\ud800" })],
    ["with too long a person", "auth.invalid", () => signed(key, { ...good(), sub: "x".repeat(253) })],
    ["with a rule nobody here knows", "auth.invalid", () => signed(key, good(), { crit: ["urn:odd"], "urn:odd": 1 })],
  ]

  test.each(wrong)("%s is refused", async (_, code, make) => {
    const token = await make()
    const answer = await knock(token)
    expectProblem(answer, expected(code))
    expect(answer.headers["www-authenticate"]).toBe("Bearer")
    expect(JSON.stringify([answer, server.logged])).not.toContain(token)
  })

  const byPublicKey = (secret: string): string => {
    const text = assembled({ alg: "HS256", kid: "first" }, good(), "")
    return text + createHmac("sha256", secret).update(text.slice(0, -1)).digest("base64url")
  }
  const changed = (token: string): string => {
    const [header, , signature] = token.split(".")
    return `${header}.${Buffer.from(JSON.stringify({ ...good(), sub: "bob" })).toString("base64url")}.${signature}`
  }

  test("[ADR-2] names one person, who is nobody known by other means and acts for nobody", async () => {
    const token = await signed(key, { ...good(), sub: "me" })
    await ask(server, "PATCH", main, { body: { title: "the owner's" } })
    expect(await open(server, main, { token })).toMatchObject({
      person: "jwt:me",
      title: expect.not.stringMatching(/own/),
    })
    for (const person of ["me", "jwt:ana", "telegram:42"])
      expectProblem(await knock(token, { headers: { "parlor-person": person } }), expected("person.not-allowed"))
    expect((await knock(token, { headers: { "parlor-person": "jwt:me" } })).status).toBe(200)
  })

  test("[ADR-2] reads and writes, and manages only where it was said", async () => {
    const asking = { token: await signed(key, good()), body: { name: "mine" } }
    expectProblem(await ask(server, "POST", "/v1/keys", asking), expected("auth.forbidden"))
    await server.close()
    server = await start({ scopes: ["read", "manage"], person: "email" })
    const token = await signed(key, { ...good(), email: "ana@example.com" })
    const made = routes.makeKey.answer.schema
    const body = { name: "mine", scopes: ["read"], expiresAt: clock.now() + MINUTE }
    const { secret } = await read(server, made, "POST", "/v1/keys", { token, body })
    expect((await open(server, main, { token: secret })).person).toBe("jwt:ana@example.com")
    for (const [more, pointer] of [
      [{ scopes: ["read", "write"] }, "/scopes"],
      [{ actFor: "*" }, "/actFor"],
      [{ expiresAt: null }, "/expiresAt"],
    ] as const) {
      const answer = await ask(server, "POST", "/v1/keys", { token, body: { ...body, ...more } })
      expectProblem(answer, expected("auth.forbidden", pointer))
    }
    expectProblem(await knock(await signed(key, good())), expected("auth.invalid"))
  })

  test("[ADR-4] whose name is linked to the owner is the owner by name, with no right more than before", async () => {
    const token = await signed(key, good())
    await ask(server, "POST", "/v1/links", { body: { name: "jwt:ana", person: "me" } })
    expect((await open(server, main, { token })).person).toBe("me")
    for (const path of ["/v1/links", "/v1/keys"])
      expectProblem(await ask(server, "GET", path, { token }), expected("auth.forbidden"))
    expectProblem(await knock(token, { headers: { "parlor-person": "me" } }), expected("person.not-allowed"))
    await ask(server, "DELETE", "/v1/links?name=jwt:ana")
    expect((await open(server, main, { token })).person).toBe("jwt:ana")
  })

  test("cuts its open streams when it expires, and nobody else's", { timeout: 60_000 }, async () => {
    const stream = `${main}/events?offset=now&live=`
    const soon = { token: await signed(key, { ...good(), exp: now() + 60 }) }
    const later = { token: await signed(key, { ...good(), exp: now() + 6_000 }) }
    const [cut, kept] = [await follow(server, `${stream}sse`, soon), await follow(server, `${stream}sse`, later)]
    await clock.advance(85_000)
    expect((await knock(soon.token)).status).toBe(200)
    const poll = ask(server, "GET", `${stream}long-poll`, soon).catch((error: NodeJS.ErrnoException) => error.code)
    // A poll whose token is still being checked when the clock moves would be refused.
    await expect.poll(openStreams, { timeout: 20_000 }).toBe(3)
    // Only time that passes bit by bit lets the server look at its readers again.
    const ticking = setInterval(() => void clock.advance(1_000), 10)
    const polled = await Promise.all([poll, cut.ended])
      .then(([end]) => end)
      .finally(() => clearInterval(ticking))
    expect(polled).toSatisfy((end) => end === "ECONNRESET" || (end as Answer).status === 204)
    expectProblem(await knock(soon.token), expected("auth.expired"))
    await ask(server, "PATCH", main, { body: { title: "still heard" }, ...later })
    await kept.until((text) => text.includes("still heard"))
    kept.leave()
  })
})

async function openStreams(): Promise<number> {
  const { text } = await ask(server, "GET", "/metrics")
  return Number(/^parlor_streams (\d+)$/m.exec(text)?.[1])
}

describe("[SEC-4] the issuer's keys", () => {
  const KEYS = "/jwks"
  const fetches = () => issuer.asked.filter((path) => path === KEYS).length

  test("are fetched once for many tokens, and anew when a token names one that is not known", async () => {
    const tokens = await Promise.all(Array.from({ length: 20 }, () => signed(key, good())))
    expect((await Promise.all(tokens.map((token) => knock(token)))).map(({ status }) => status)).toEqual(
      Array(20).fill(200),
    )
    expect(issuer.asked).toEqual(["/.well-known/openid-configuration", KEYS])
    const next = await issuer.newKey("next")
    issuer.keys = [key, next]
    await clock.advance(10_000)
    expect((await knock(await signed(next, good()))).status).toBe(200)
    expect(fetches()).toBe(2)
    expect((await knock(await signed(key, good()))).status).toBe(200)
  })

  test("are not fetched for each token that names one nobody knows", async () => {
    for (let n = 0; n < 30; n++) {
      const stranger = { ...key, kid: `stranger ${n}` }
      expectProblem(await knock(await signed(stranger, good())), expected("auth.invalid"))
    }
    expect(fetches()).toBe(1)
    await clock.advance(10_000)
    for (let n = 0; n < 5; n++) await knock(await signed({ ...key, kid: `another ${n}` }, good()))
    expect(fetches()).toBe(2)
  })

  test("that were withdrawn are good for ten minutes at most", async () => {
    const token = await signed(key, { ...good(), exp: now() + 6_000 })
    expect((await knock(token)).status).toBe(200)
    issuer.keys = [await issuer.newKey("next")]
    await clock.advance(10 * MINUTE)
    expectProblem(await knock(token), expected("auth.invalid"))
  })

  test("go on working while it is down; what cannot be checked is told to come back, and works then", async () => {
    const token = await signed(key, { ...good(), exp: now() + 6_000 })
    expect((await knock(token)).status).toBe(200)
    const next = await issuer.newKey("next")
    const unseen = await signed(next, { ...good(), exp: now() + 6_000 })
    issuer.keys = [key, next]
    await issuer.goDown()
    await clock.advance(20 * MINUTE)
    for (let n = 0; n < 3; n++) {
      expect((await knock(token)).status).toBe(200)
      const answer = await knock(unseen)
      expectProblem(answer, { status: 424, code: "auth.unavailable" })
      expect(answer.headers["retry-after"]).toBe("10")
    }
    expect(server.logged.filter((line) => line.includes("keys could not be fetched"))).toHaveLength(1)
    expect(server.logged.join("\n")).not.toContain(unseen)
    await issuer.comeBack()
    await clock.advance(10_000)
    expect((await knock(unseen)).status).toBe(200)
  })

  test("are nobody's while it never answered; everything else is let in as ever", async () => {
    await issuer.goDown()
    const token = await signed(key, good())
    for (let n = 0; n < 3; n++) expectProblem(await knock(token), expected("auth.unavailable"))
    expect(server.logged).toHaveLength(1)
    expect((await knock(server.token)).status).toBe(200)
    expect((await knock(await server.addKey({}))).status).toBe(200)
    expectProblem(await knock("parlor_nobody-ever-made-this-key"), expected("auth.invalid"))
    await issuer.comeBack()
    await clock.advance(10_000)
    expect((await knock(token)).status).toBe(200)
  })

  test.each([
    ["calls itself otherwise", { issuer: "https://elsewhere.example" }],
    ["has its keys at an address anybody could answer at", { jwks_uri: "http://keys.example/jwks" }],
    ["does not say where its keys are", { jwks_uri: undefined }],
    ["has its keys in a file", { jwks_uri: "file:///etc/passwd" }],
  ])("are not taken from an issuer that %s", async (_, configuration) => {
    issuer.configuration = configuration
    expectProblem(await knock(await signed(key, good())), expected("auth.unavailable"))
    expect(fetches()).toBe(0)
  })

  test("are where it was said", async () => {
    await server.close()
    server = await start({ jwks: `${issuer.url}/jwks`, issuer: "https://issuer.example/realm/" })
    const token = await signed(key, { ...good(), iss: "https://issuer.example/realm/" })
    expect((await knock(token)).status).toBe(200)
    expect(issuer.asked).toEqual([KEYS])
  })

  test("that cannot be used refuse their tokens and nothing else", async () => {
    issuer.keys = [key, { ...key, kid: "broken", jwk: { ...key.jwk, kid: "broken", x: "AAAA" } }]
    expectProblem(await knock(await signed({ ...key, kid: "broken" }, good())), expected("auth.invalid"))
    expect((await knock(await signed(key, good()))).status).toBe(200)
  })
})

test("[SEC-4] without an issuer a JWT is a token like any other: not known", async () => {
  const plain = await startTestServer()
  const answer = await ask(plain, "GET", "/v1/agents", { token: await signed(key, good()) })
  expectProblem(answer, expected("auth.invalid"))
  await plain.close()
})
