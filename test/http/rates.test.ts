/** [SEC-9] How fast one person may send, and how many wrong tokens one address may try. */
import { request } from "node:http"
import { Parlor } from "@parlor/client"
import type { Clock } from "@parlor/core"
import { limits, routes } from "@parlor/protocol"
import { systemClock } from "@parlor/server"
import { Webhook } from "standardwebhooks"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { signed, startIssuer } from "../../packages/server/test/issuer.ts"
import { type Answer, type Ask, ask, expected, expectProblem, jsonOf, read } from "./client.ts"
import { eventually, logOf, pathOf } from "./conversations.ts"
import { outage } from "./failing-store.ts"
import { startTestServer, type TestServer, type TestServerOptions } from "./server.ts"

const main = pathOf("host", "main")
const trouble = outage()
/** The tests control the clock; turns, which wait for timers, use real time. */
const clock: Clock = { now: () => now, after: systemClock.after }
let now: number
let server: TestServer

beforeEach(async () => {
  now = Date.now()
  await start({ sendsPerMinute: 3 })
})

afterEach(async () => {
  trouble.down = new Set()
  await server.close()
})

async function start(options: TestServerOptions): Promise<void> {
  server = await startTestServer({ clock, wrap: trouble.wrap, ...options })
}

function say(text: string, { headers, ...options }: Ask = {}): Promise<Answer> {
  return ask(server, "POST", `${main}/messages`, { body: { text }, headers: { ...headers }, ...options })
}

/** A signed delivery to a webhook. */
function ring({ id, secret }: { readonly id: string; readonly secret: string }, delivery: string): Promise<Answer> {
  const headers = {
    "webhook-id": delivery,
    "webhook-timestamp": String(Math.floor(now / 1_000)),
    "webhook-signature": new Webhook(secret).sign(delivery, new Date(now), "{}"),
  }
  return ask(server, "POST", `/hooks/${id}`, { token: null, headers, body: {} })
}

function expectTooMany(answer: Answer, seconds: string): void {
  expectProblem(answer, { status: 429, code: "rate.exceeded" })
  expect(answer.headers["retry-after"]).toBe(seconds)
}

describe("[SEC-9] a person's sends", () => {
  test("are so many at once and so many a minute; one too many does nothing and is told when to come back", async () => {
    const ana = { token: await server.addKey({ person: "ana" }) }
    const bob = { token: await server.addKey({ person: "bob" }) }
    for (let n = 0; n < 3; n++) expect((await say(`number ${n}`, ana)).status).toBe(202)
    expectTooMany(await say("one too many", ana), "20")
    expectTooMany(await say("by the same person's other key", { token: await server.addKey({ person: "ana" }) }), "20")
    expect(JSON.stringify(await logOf(server, main, ana))).not.toMatch(/too many|other key/)
    expect((await ask(server, "GET", main, ana)).status).toBe(200)
    expect((await say("hello", bob)).status).toBe(202)
    now += 19_999
    expectTooMany(await say("too early", ana), "1")
    now += 1
    expect((await say("in time", ana)).status).toBe(202)
    expectTooMany(await say("again", ana), "20")
  })

  test("count by whoever is sent for, and by programs that say nobody is at the keyboard", async () => {
    const token = await server.addKey({ person: "bot", actFor: "telegram:*" })
    const as = (person: string): Ask => ({ token, headers: { "parlor-person": person } })
    for (const trigger of [undefined, {}, { deliveryId: "d" }]) {
      const body = { text: "hi", ...(trigger ? { trigger } : {}) }
      expect((await ask(server, "POST", `${main}/messages`, { ...as("telegram:1"), body })).status).toBe(202)
    }
    expectTooMany(await say("more", as("telegram:1")), "20")
    expect((await say("hello", as("telegram:2"))).status).toBe(202)
  })

  test("with the local token have no such limit, whatever a key of the same person did", async () => {
    const token = await server.addKey({})
    for (let n = 0; n < 3; n++) await say(`number ${n}`, { token })
    expectTooMany(await say("too many", { token }), "20")
    const answers = await Promise.all(Array.from({ length: 2 * limits.sendsAtOnce }, (_, n) => say(`owner ${n}`)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
  })

  test("that are repeated with their key are answered as the first and take nothing", async () => {
    const ana = { token: await server.addKey({ person: "ana" }), headers: { "idempotency-key": "k" } }
    const first = await say("once", ana)
    for (let n = 0; n < 5; n++) expect(jsonOf(await say("once", ana))).toEqual(jsonOf(first))
    const { token } = ana
    expect([(await say("two", { token })).status, (await say("three", { token })).status]).toEqual([202, 202])
    expectTooMany(await say("four", { token }), "20")
  })

  test("count by sign-in too", async () => {
    const issuer = await startIssuer()
    const key = await issuer.newKey("one")
    issuer.keys = [key]
    await server.close()
    const scopes = ["read", "write"] as const
    await start({ sendsPerMinute: 1, issuer: { issuer: issuer.url, audience: "parlor", person: "sub", scopes } })
    const exp = now / 1_000 + 300
    const token = await signed(key, { iss: issuer.url, aud: "parlor", sub: "ana", exp })
    expect((await say("hi", { token })).status).toBe(202)
    expectTooMany(await say("again", { token }), "60")
    await issuer.close()
  })

  test("count by what is delivered to their webhooks; an owner's webhook has its own limit only", async () => {
    const ana = { token: await server.addKey({ person: "ana" }) }
    const body = { agent: "host", template: "It rang." }
    const hers = await read(server, routes.makeHook.answer.schema, "POST", "/v1/hooks", { ...ana, body })
    const mine = await read(server, routes.makeHook.answer.schema, "POST", "/v1/hooks", { body })
    for (const delivery of ["a", "b", "c"]) expect((await ring(hers, delivery)).status).toBe(202)
    expectTooMany(await ring(hers, "d"), "20")
    expectProblem(await ring({ ...hers, secret: mine.secret }, "e"), expected("hook.signature"))
    expectTooMany(await say("and by hand", ana), "20")
    for (const delivery of ["a", "b", "c", "d", "e"]) expect((await ring(mine, delivery)).status).toBe(202)
  })

  test("are not used up by deliveries that their webhook does not take", async () => {
    const ana = { token: await server.addKey({ person: "ana" }) }
    const body = { agent: "host", template: "It rang.", perMinute: 1 }
    const hook = await read(server, routes.makeHook.answer.schema, "POST", "/v1/hooks", { ...ana, body })
    expect((await ring(hook, "a")).status).toBe(202)
    for (const delivery of ["b", "c", "d"]) expectTooMany(await ring(hook, delivery), "60")
    await ask(server, "PATCH", `/v1/hooks/${hook.id}`, { ...ana, body: { paused: true } })
    now += 60_000
    expectProblem(await ring(hook, "e"), expected("hook.paused"))
    for (const delivery of ["f", "g", "h"]) expectTooMany(await ring(hook, delivery), "60")
    for (let n = 0; n < 3; n++) expect((await say(`number ${n}`, ana)).status).toBe(202)
  })

  test("count by webhooks and schedules of theirs, fired by hand", async () => {
    const ana = { token: await server.addKey({ person: "ana" }) }
    const hook = { ...ana, body: { agent: "host", template: "It rang." } }
    const { id } = await read(server, routes.makeHook.answer.schema, "POST", "/v1/hooks", hook)
    const at = new Date(now + 3_600_000).toISOString()
    const planned = { ...ana, body: { agent: "host", when: { at }, text: "Wake up" } }
    const schedule = await read(server, routes.makeSchedule.answer.schema, "POST", "/v1/schedules", planned)
    const fired = [
      await ask(server, "POST", `/v1/hooks/${id}/fire`, { ...ana, body: {} }),
      await ask(server, "POST", `/v1/schedules/${schedule.id}/fire`, ana),
      await ask(server, "POST", `/v1/hooks/${id}/fire`, { ...ana, body: {} }),
    ]
    expect(fired.map(({ status }) => status)).toEqual([202, 202, 202])
    expectTooMany(await ask(server, "POST", `/v1/hooks/${id}/fire`, { ...ana, body: {} }), "20")
    expectTooMany(await ask(server, "POST", `/v1/schedules/${schedule.id}/fire`, ana), "20")
    expectTooMany(await say("and by hand", ana), "20")
  })
})

test("[SEC-9] the SDK waits as long as it is told, and then what was too many is sent", async () => {
  const token = await server.addKey({ person: "ana" })
  const parlor = new Parlor({ baseUrl: `http://127.0.0.1:${server.port}`, token })
  const live = parlor.conversation("host").live()
  const before = Date.now()
  const sends = ["one", "two", "three", "four"].map((text) => live.send(text, { key: text }))
  await Promise.all(sends.slice(0, 3))
  await eventually(() => live.getState().sending[0]?.retryAt ?? 0).toBeGreaterThanOrEqual(before + 20_000)
  expect(live.getState().sending[0]).toMatchObject({ text: "four", state: "sending", failures: 1 })
  now += 20_000
  live.retrySend("four")
  expect(await sends[3]).toMatchObject({ message: expect.any(String) })
  live.close()
})

describe("[SEC-9] wrong tokens", () => {
  const AT_ONCE = limits.wrongCredentialsAtOnce
  const garbage = (n: number) => `parlor_guess-number-${n}-000000000000000000000`

  test("[SEC-17] past the limit are told to wait; right ones from there work, whether seen here before or not", async () => {
    const known = await server.addKey({ person: "ana" })
    expect((await ask(server, "GET", "/v1/agents", { token: known })).status).toBe(200)
    const tries = Array.from({ length: AT_ONCE }, (_, n) => ask(server, "GET", "/v1/agents", { token: garbage(n) }))
    for (const answer of await Promise.all(tries)) expectProblem(answer, expected("auth.invalid"))
    expectTooMany(await ask(server, "GET", "/v1/agents", { token: garbage(-1) }), "1")
    const unseen = await server.addKey({ person: "bob" })
    for (const token of [server.token, known, unseen])
      expect((await ask(server, "GET", "/v1/agents", { token })).status).toBe(200)
    expect((await fromElsewhere(garbage(-2))).code).toBe("auth.invalid")
    now += 1_000
    expectProblem(await ask(server, "GET", "/v1/agents", { token: garbage(-3) }), expected("auth.invalid"))
  })

  test("[SEC-17] are counted by the client's address behind a trusted proxy, and by the proxy's otherwise", async () => {
    await server.close()
    await start({ edge: { trustedProxies: ["127.0.0.1"] } })
    const guess = (from: string, n: number) =>
      ask(server, "GET", "/v1/agents", { token: garbage(n), headers: { "x-forwarded-for": from } })
    for (let n = 0; n < AT_ONCE; n++) await guess(`192.0.2.${n % 250}, 203.0.113.9`, n)
    expectTooMany(await guess("198.51.100.7, 203.0.113.9", -1), "1")
    expectProblem(await guess("203.0.113.10", -1), expected("auth.invalid"))
    await server.close()
    await start({})
    for (let n = 0; n < AT_ONCE; n++) await guess(`198.51.100.${n % 250}`, n)
    expectTooMany(await guess("203.0.113.9", -1), "1")
  })

  test("are not those that expired or were revoked, nor requests without any", async () => {
    const revoked = await server.addKey({ revokedAt: 1 })
    const tries = Array.from({ length: AT_ONCE + 20 }, (_, n) =>
      ask(server, "GET", "/v1/agents", { token: n % 2 === 0 ? revoked : null }),
    )
    expect(new Set((await Promise.all(tries)).map(({ status }) => status))).toEqual(new Set([401]))
    expectProblem(await ask(server, "GET", "/v1/agents", { token: garbage(0) }), expected("auth.invalid"))
  })

  /** From another address of this machine. */
  function fromElsewhere(token: string): Promise<{ readonly code: string }> {
    const headers = { host: `127.0.0.1:${server.port}`, authorization: `Bearer ${token}` }
    const options = { port: server.port, localAddress: "127.0.0.2", path: "/v1/agents", headers }
    return new Promise((resolve, reject) => {
      const asked = request({ host: "127.0.0.1", ...options }, (incoming) => {
        let text = ""
        incoming.setEncoding("utf8")
        incoming.on("data", (chunk: string) => {
          text += chunk
        })
        incoming.on("end", () => resolve(JSON.parse(text) as { readonly code: string }))
      })
      asked.on("error", reject)
      asked.end()
    })
  }
})
