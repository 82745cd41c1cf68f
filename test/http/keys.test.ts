/** API keys: create, list, revoke; what a key may do and which scopes it may pass on. */
import { type KeyView, routes } from "@parlor/protocol"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { ask, expectProblem, follow, read } from "./client.ts"
import { pathOf } from "./conversations.ts"
import { STORES, startTestServer, type TestServer } from "./server.ts"

const main = pathOf("host", "main")
const made = routes.makeKey.answer.schema

describe.each(STORES)("keys on %s", (kind) => {
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer({ kind })
  })

  afterAll(() => server.close())

  const list = async (token = server.token): Promise<readonly KeyView[]> =>
    (await read(server, routes.listKeys.answer.schema, "GET", "/v1/keys", { token })).keys

  test("[SEC-4] a key works until it is revoked, its secret is shown once and stored as a hash", async () => {
    const key = await read(server, made, "POST", "/v1/keys", { body: { name: "laptop" } })
    expect(key).toMatchObject({ name: "laptop", scopes: ["read", "write"], actFor: null, revokedAt: null })
    expect(Buffer.from(key.secret.replace("parlor_", ""), "base64url")).toHaveLength(32)
    expect((await ask(server, "GET", "/v1/agents", { token: key.secret })).status).toBe(200)
    expect(await list()).toEqual([expect.objectContaining({ id: key.id, name: "laptop" })])
    expect(JSON.stringify(await list())).not.toContain(key.secret)
    expect(JSON.stringify(await server.dump())).not.toContain(key.secret)
    expect((await ask(server, "DELETE", `/v1/keys/${key.id}`)).status).toBe(204)
    expectProblem(await ask(server, "GET", "/v1/agents", { token: key.secret }), { status: 401, code: "auth.revoked" })
    expect((await list())[0]?.revokedAt).toEqual(expect.any(Number))
  })

  test("[SEC-4] revoking cuts the key's open streams, and nobody else's", async () => {
    const one = await read(server, made, "POST", "/v1/keys", { body: { name: "one" } })
    const two = await read(server, made, "POST", "/v1/keys", { body: { name: "two" } })
    const stream = `${main}/events?offset=-1&live=sse`
    const [cut, kept] = [
      await follow(server, stream, { token: one.secret }),
      await follow(server, stream, { token: two.secret }),
    ]
    await ask(server, "DELETE", `/v1/keys/${one.id}`)
    await cut.ended
    await ask(server, "PATCH", main, { body: { title: "still heard" } })
    await kept.until((text) => text.includes("still heard"))
    kept.leave()
  })

  test("[SEC-4] a key made in the past of its end is good until then", async () => {
    const soon = Date.now() + 60_000
    const { secret } = await read(server, made, "POST", "/v1/keys", { body: { name: "soon", expiresAt: soon } })
    expect((await ask(server, "GET", "/v1/agents", { token: secret })).status).toBe(200)
  })

  test("[ADR-2] a key gives on what it has and never more", async () => {
    const token = await server.addKey({
      scopes: ["read", "manage"],
      actFor: "telegram:*",
      expiresAt: Date.now() + 60_000,
    })
    const tries = [
      [{ scopes: ["read", "write"] }, "/scopes"],
      [{ scopes: ["read"], actFor: "*" }, "/actFor"],
      [{ scopes: ["read"], actFor: "slack:*" }, "/actFor"],
      [{ scopes: ["read"], actFor: "telegram:4*" }, "/expiresAt"],
      [{ scopes: ["read"], expiresAt: Date.now() + 120_000 }, "/expiresAt"],
    ] as const
    const before = await list()
    for (const [body, pointer] of tries) {
      const answer = await ask(server, "POST", "/v1/keys", { token, body: { name: "more", ...body } })
      expectProblem(answer, { status: 403, code: "auth.forbidden", pointer }, JSON.stringify(body))
    }
    expect(await list()).toEqual(before)
    const within = { name: "less", scopes: ["read"], actFor: "telegram:4*", expiresAt: Date.now() + 30_000 }
    expect((await ask(server, "POST", "/v1/keys", { token, body: within })).status).toBe(201)
    const plain = await server.addKey({ scopes: ["manage"] })
    const acting = await ask(server, "POST", "/v1/keys", {
      token: plain,
      body: { name: "x", scopes: ["manage"], actFor: "*" },
    })
    expectProblem(acting, { status: 403, code: "auth.forbidden", pointer: "/actFor" })
  })

  const make = (body: object, token = server.token) => read(server, made, "POST", "/v1/keys", { token, body })
  const knock = (token: string, person?: string) =>
    ask(server, "GET", main, { token, headers: person === undefined ? {} : { "parlor-person": person } })

  test("[SEC-30] keys made by a key end with it, and so do theirs; what they have open is cut", async () => {
    const scopes = ["read", "manage"]
    const maker = await make({ name: "maker", scopes })
    const child = await make({ name: "child", scopes }, maker.secret)
    const grandchild = await make({ name: "grandchild", scopes: ["read"] }, child.secret)
    const bystander = await make({ name: "bystander", scopes })
    expect([maker, child, grandchild, bystander].map(({ madeBy }) => madeBy)).toEqual([null, maker.id, child.id, null])
    const open = await follow(server, `${main}/events?offset=-1&live=sse`, { token: grandchild.secret })
    expect((await ask(server, "DELETE", `/v1/keys/${maker.id}`)).status).toBe(204)
    await open.ended
    for (const { secret } of [maker, child, grandchild])
      expectProblem(await knock(secret), { status: 401, code: "auth.revoked" })
    expect((await knock(bystander.secret)).status).toBe(200)
  })

  test("[SEC-30] a key that revokes itself takes its own with it and makes no more", async () => {
    const maker = await make({ name: "maker", scopes: ["manage"] })
    const child = await make({ name: "child", scopes: ["manage"] }, maker.secret)
    expect((await ask(server, "DELETE", `/v1/keys/${maker.id}`, { token: maker.secret })).status).toBe(204)
    for (const token of [maker.secret, child.secret])
      expectProblem(await ask(server, "POST", "/v1/keys", { token, body: { name: "x", scopes: ["manage"] } }), {
        status: 401,
        code: "auth.revoked",
      })
  })

  test("[SEC-31] a key that acts for others does not act as its maker unless that was said", async () => {
    const bridge = await make({ name: "bridge", actFor: "telegram:*", scopes: ["read", "write", "manage"] })
    expect(bridge.asMaker).toBe(false)
    for (const person of [undefined, "me"])
      expectProblem(await knock(bridge.secret, person), { status: 403, code: "person.not-allowed" })
    const keys = await ask(server, "GET", "/v1/keys", { token: bridge.secret })
    expectProblem(keys, { status: 403, code: "person.not-allowed" })
    expect((await knock(bridge.secret, "telegram:42")).status).toBe(200)
    const anyone = await make({ name: "anyone", actFor: "*" })
    expectProblem(await knock(anyone.secret, "me"), { status: 403, code: "person.not-allowed" })
    const both = await make({ name: "both", actFor: "telegram:*", asMaker: true })
    expect(both.asMaker).toBe(true)
    for (const person of [undefined, "me", "telegram:42"]) expect((await knock(both.secret, person)).status).toBe(200)
    expect((await make({ name: "plain" })).asMaker).toBe(true)
  })

  test("[SEC-32] refused sign-ins are counted, and logged without the credential", async () => {
    const key = await make({ name: "for the log", scopes: ["read"] })
    await ask(server, "DELETE", `/v1/keys/${key.id}`)
    const reader = await make({ name: "reader", scopes: ["read"] })
    const before = server.refusedCallers()
    const wrong = "a-wrong-token-that-nobody-gave-out"
    await knock(key.secret)
    for (let n = 0; n < 20; n++) await knock(wrong)
    await ask(server, "GET", "/v1/keys", { token: reader.secret })
    await knock(reader.secret, "somebody")
    await ask(server, "GET", main, { token: null })
    const after = server.refusedCallers()
    expect(after).toEqual({
      ...before,
      "auth.revoked": before["auth.revoked"] + 1,
      "auth.invalid": before["auth.invalid"] + 20,
      "auth.forbidden": before["auth.forbidden"] + 1,
      "person.not-allowed": before["person.not-allowed"] + 1,
    })
    await vi.waitFor(() => expect(lines().at(-1)).toMatchObject({ code: "person.not-allowed" }), { timeout: 10_000 })
    expect(lines().at(-1)).toMatchObject({ address: expect.stringMatching(/127\.0\.0\.1$/), route: "openConversation" })
    expect(lines().length).toBeLessThan(20)
    const all = server.logged.join("\n")
    for (const secret of [wrong, key.secret, reader.secret]) expect(all).not.toContain(secret)
  })

  const lines = () =>
    server.logged
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ line }) => line === "sign-in refused")

  test.each([
    [{}, "/name"],
    [{ name: "" }, "/name"],
    [{ name: "x".repeat(129) }, "/name"],
    [{ name: "x", scopes: [] }, "/scopes"],
    [{ name: "x", scopes: ["admin"] }, "/scopes/0"],
    [{ name: "x", actFor: "telegram:" }, "/actFor"],
    [{ name: "x", actFor: "" }, "/actFor"],
    [{ name: "x", expiresAt: -1 }, "/expiresAt"],
    [{ name: "x", expiresAt: 1.5 }, "/expiresAt"],
    [{ name: "x", expiresAt: "soon" }, "/expiresAt"],
    [{ name: "x", hash: "0" }, ""],
    [{ name: "x", person: "ana" }, ""],
  ])("[SEC-5] a key that cannot be is refused: %j", async (body, pointer) => {
    const before = await list()
    expectProblem(await ask(server, "POST", "/v1/keys", { body }), { status: 422, code: "request.invalid", pointer })
    expect(await list()).toEqual(before)
  })

  test.each(["key_absent", "%00", "%ED%A0%80", "x".repeat(65), "'%20OR%201=1--"])(
    "no such key to revoke: %s",
    async (id) => {
      expect([404, 422]).toContain((await ask(server, "DELETE", `/v1/keys/${id}`)).status)
    },
  )
})
