/** Web push over HTTP, on both stores, with a push service that decrypts what it gets (APP-6 to APP-10). */
import { Parlor } from "@parlor/client"
import { defineTool } from "@parlor/core"
import { calls, gate, says } from "@parlor/core/testing"
import { limits } from "@parlor/protocol"
import { createPushSender } from "@parlor/server"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { z } from "zod"
import { type PushService, startPushService, type TestDevice } from "../support/push-service.ts"
import { BROWSER_KEYS } from "./cells.ts"
import { ask, digest, expected, expectProblem, follow } from "./client.ts"
import { eventually, open, pathOf } from "./conversations.ts"
import { STORES, startTestServer, type TestServer } from "./server.ts"

const askPerson = defineTool({
  name: "ask_person",
  description: "",
  input: z.object({ question: z.string() }),
  repeatable: true,
  run: async ({ question }, context) => (await context.ask({ kind: "question", title: question })) ?? "no answer",
})

describe.each(STORES)("web push on %s", (kind) => {
  let service: PushService
  let server: TestServer
  let token: string
  let person: string
  let parlor: Parlor
  let count = 0

  beforeAll(async () => {
    service = await startPushService()
    server = await startTestServer({ kind, agent: { tools: [askPerson] }, ...sending() })
  })
  afterAll(async () => {
    await server.close()
    service.close()
  })
  beforeEach(async () => {
    count += 1
    person = `person-${count}`
    token = await server.addKey({ person, scopes: ["read", "write", "manage"] })
    parlor = new Parlor({ baseUrl: `http://127.0.0.1:${server.port}`, token })
  })

  const sending = () => ({ pushSender: createPushSender({ allowed: [service.host] }) })

  async function subscribed(options: { readonly showsText?: boolean; readonly device?: string } = {}) {
    const device = service.device()
    const view = await parlor.pushes.subscribe({ ...device.subscription, ...options })
    return Object.assign(device, { id: view.id })
  }

  async function say(client: Parlor, branch: string, text: string): Promise<void> {
    await client.conversation("host", branch).make()
    await client.conversation("host", branch).send(text)
  }

  const notes = (device: TestDevice) => device.received.map(({ note }) => note)
  const kinds = (device: TestDevice) => notes(device).map(({ kind, branch }) => `${kind} ${branch}`)

  test("[APP-6] a browser is subscribed, listed without its address, tested and unsubscribed", async () => {
    const device = await subscribed({ device: "Phone", showsText: true })
    const { publicKey, subscriptions } = await parlor.pushes.read()
    expect(subscriptions).toEqual([
      { id: device.id, device: "Phone", service: service.host, showsText: true, seenAt: expect.any(Number) },
    ])
    expect(await parlor.pushes.test(device.id)).toEqual({ delivered: true, error: null })
    expect(device.received).toMatchObject([{ note: { kind: "test" }, serverKey: publicKey, urgency: "high" }])
    const again = await parlor.pushes.subscribe({ ...device.subscription, device: "My phone" })
    expect(again).toMatchObject({ id: device.id, device: "My phone", showsText: false })
    expect((await parlor.pushes.read()).subscriptions).toHaveLength(1)
    await parlor.pushes.unsubscribe(device.id)
    expect((await parlor.pushes.read()).subscriptions).toEqual([])
    await expect(parlor.pushes.test(device.id)).rejects.toMatchObject({ code: "push.unknown" })
    await expect(parlor.pushes.unsubscribe(device.id)).rejects.toMatchObject({ code: "push.unknown" })
  })

  test("[APP-6] one more than allowed replaces the one in use the longest ago", async () => {
    const first = await subscribed()
    for (let more = 0; more < limits.pushes; more++) await subscribed()
    const { subscriptions } = await parlor.pushes.read()
    expect(subscriptions).toHaveLength(limits.pushes)
    expect(subscriptions.map(({ id }) => id)).not.toContain(first.id)
  })

  test.each([
    [{ endpoint: "http://127.0.0.1:1/x" }, "push.endpoint", "/endpoint"],
    [{ endpoint: "https://10.0.0.1/x" }, "push.endpoint", "/endpoint"],
    [{ keys: { ...BROWSER_KEYS, p256dh: "AAAA" } }, "push.endpoint", "/keys/p256dh"],
    [{ keys: { ...BROWSER_KEYS, auth: "AAAA" } }, "push.endpoint", "/keys/auth"],
    [{ keys: { ...BROWSER_KEYS, auth: "not base64!" } }, "request.invalid", "/keys/auth"],
  ] as const)("[APP-10, SEC-7] %j is rejected, with its place", async (change, code, pointer) => {
    const body = { endpoint: "https://push.example.com/1", keys: BROWSER_KEYS, ...change }
    expectProblem(await ask(server, "POST", "/v1/push", { token, body }), expected(code, pointer))
  })

  test("[APP-8, APP-9] a finished turn is told without a word of it, except where the person wants it", async () => {
    const [plain, wordy] = [await subscribed(), await subscribed({ showsText: true })]
    server.script(says("The heron is gray."))
    await say(parlor, "birds", "What color is the heron?")
    await eventually(() => [plain.received.length, wordy.received.length]).toEqual([1, 1])
    const told = { kind: "done", agent: "host", branch: "birds", key: expect.stringMatching(/ done$/), needing: 0 }
    expect(notes(plain)).toEqual([told])
    expect(notes(wordy)).toEqual([{ ...told, text: "The heron is gray." }])
    expect(plain.received[0]).toMatchObject({ urgency: "normal", topic: wordy.received[0]?.topic })
  })

  test("[APP-8] an ask is told even while somebody follows; a turn that is followed, or was stopped, is not", async () => {
    const device = await subscribed()
    const path = pathOf("host", "watched")
    await parlor.conversation("host", "watched").make()
    const following = await follow(server, `${path}/events?offset=-1&live=sse`, { token })
    await following.until((text) => text.includes("event: control"))
    server.script(calls("ask_person", { question: "Red or blue?" }), says("Red it is."))
    await say(parlor, "watched", "Ask me")
    await eventually(() => device.received.length).toBe(1)
    expect(device.received[0]).toMatchObject({
      note: { kind: "asks", ask: "question", branch: "watched", needing: 1 },
      urgency: "high",
    })
    await parlor.conversation("host", "watched").answerOpen("red")
    await eventually(async () => (await open(server, path, { token })).status.state).toBe("idle")
    following.leave()
    const held = gate()
    server.script([held])
    await say(parlor, "stopped", "Take your time")
    await eventually(() => server.requests.at(-1)?.messages.length).toBe(1)
    await parlor.conversation("host", "stopped").stop()
    held.open()
    await say(parlor, "last", "And now?")
    await eventually(() => kinds(device)).toEqual(["asks watched", "done last"])
  })

  test("[APP-6] a browser that is gone is forgotten, and another person's notifications never reach this one", async () => {
    const [gone, failing, other] = [await subscribed(), await subscribed(), service.device()]
    const theirs = new Parlor({
      baseUrl: `http://127.0.0.1:${server.port}`,
      token: await server.addKey({ person: `other-${count}`, scopes: ["read", "write"] }),
    })
    await theirs.pushes.subscribe(other.subscription)
    gone.answer = 410
    failing.answer = 503
    await say(parlor, "one", "hello")
    await eventually(async () => (await parlor.pushes.read()).subscriptions.map(({ id }) => id)).toEqual([failing.id])
    await eventually(() => failing.asked).toBe(1)
    expect(await parlor.pushes.test(failing.id)).toEqual({
      delivered: false,
      error: { code: "push.failed", detail: "The push service responded 503." },
    })
    await theirs.pushes.subscribe(failing.subscription)
    failing.answer = 201
    await say(parlor, "two", "hello again")
    await say(theirs, "theirs", "hello")
    await eventually(() => kinds(failing)).toEqual(["done theirs"])
    await eventually(() => kinds(other)).toEqual(["done theirs"])
    expect((await parlor.pushes.read()).subscriptions).toEqual([])
  })

  test("[APP-10] a push service that never responds delays no turn, and nobody else", async () => {
    const silent = await subscribed()
    silent.answer = "never"
    await say(parlor, "silent", "one")
    await eventually(() => silent.asked).toBe(1)
    await say(parlor, "silent", "two")
    await eventually(async () => (await parlor.usage()).calls).toBe(2)
    const neighbor = new Parlor({
      baseUrl: `http://127.0.0.1:${server.port}`,
      token: await server.addKey({ person: `neighbor-${count}`, scopes: ["read", "write"] }),
    })
    const device = service.device()
    await neighbor.pushes.subscribe(device.subscription)
    await say(neighbor, "quick", "hello")
    await eventually(() => kinds(device)).toEqual(["done quick"])
    expect(silent.asked).toBe(1)
  })

  test("[APP-6, SEC-4] a subscription ends with the API key that made it", async () => {
    const revoked = await server.addKey({ person, scopes: ["read", "write"] })
    const device = service.device()
    await new Parlor({ baseUrl: `http://127.0.0.1:${server.port}`, token: revoked }).pushes.subscribe(
      device.subscription,
    )
    const own = await subscribed()
    const { id } = (await server.store.keys.find(digest(revoked))) ?? { id: "" }
    await server.store.keys.revoke(person, id, { at: 1, person, act: "key.revoked", subject: id })
    await say(parlor, "after", "hello")
    await eventually(() => kinds(own)).toEqual(["done after"])
    expect(device.asked).toBe(0)
    expect((await parlor.pushes.read()).subscriptions.map((one) => one.id)).toEqual([own.id])
  })

  test("[APP-6, SEC-25] subscriptions are deleted with the person", async () => {
    await subscribed()
    await ask(server, "DELETE", `/v1/people/${person}?confirm=${person}`, { token })
    await eventually(() => server.store.pushes.of(person)).toEqual([])
  })

  test("[APP-7] the key pair is stored sealed, and a lost one is replaced together with its subscriptions", async () => {
    const device = await subscribed()
    const { publicKey } = await parlor.pushes.read()
    const stored = await server.store.pushes.keys()
    expect(stored).toEqual({ publicKey, secret: expect.stringMatching(/^sealed:/) })
    await server.store.pushes.setKeys({ publicKey: "lost", secret: stored?.secret ?? "" }, publicKey ?? "")
    const next = (await parlor.pushes.read()).publicKey
    expect(next).not.toBe(publicKey)
    const fresh = await subscribed()
    await say(parlor, "after", "hello")
    await eventually(() => fresh.received.map(({ serverKey }) => serverKey)).toEqual([next])
    expect(device.asked).toBe(0)
    expect((await parlor.pushes.read()).subscriptions.map(({ id }) => id)).toEqual([fresh.id])
  })

  test.runIf(kind === "PostgreSQL")("[APP-10] of several servers, one tells of each event", async () => {
    const second = await startTestServer({ kind, beside: server, ...sending() })
    try {
      const device = await subscribed()
      const there = new Parlor({ baseUrl: `http://127.0.0.1:${second.port}`, token })
      for (const [at, client] of [parlor, there, parlor, there].entries()) await say(client, `turn-${at}`, "hello")
      await eventually(() => kinds(device).sort()).toEqual(["done turn-0", "done turn-1", "done turn-2", "done turn-3"])
      await say(there, "last", "hello")
      await eventually(() => kinds(device).at(-1)).toBe("done last")
      expect(device.asked).toBe(5)
      expect(new Set(device.received.map(({ serverKey }) => serverKey)).size).toBe(1)
    } finally {
      await second.close()
    }
  })
})
