/** Webhooks over HTTP: URL, signature, outcome of a delivery (TRG-2, TRG-5, TRG-7), on both stores. */
import { createHmac } from "node:crypto"
import { request } from "node:http"
import { limits, routes } from "@parlor/protocol"
import { Webhook } from "standardwebhooks"
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest"
import type { z } from "zod"
import { type Answer, type Ask, ask, expected, expectProblem, jsonOf, read } from "./client.ts"
import { eventually, open, pathOf } from "./conversations.ts"
import { STORES, startTestServer, type TestServer } from "./server.ts"

/** Generous for a busy machine. */
const PATIENCE = { timeout: 20_000, interval: 50 }

type Made = z.output<typeof routes.makeHook.answer.schema>

describe.each(STORES)("webhooks on %s", (kind) => {
  let server: TestServer
  let branches = 0
  let branch: string
  let path: string

  beforeAll(async () => {
    server = await startTestServer({ kind })
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    branches += 1
    branch = `hook-${branches}`
    path = pathOf("host", branch)
    await ask(server, "PUT", path)
  })

  const make = (body: object = {}): Promise<Made> =>
    read(server, routes.makeHook.answer.schema, "POST", "/v1/hooks", {
      body: { agent: "host", branch, ...("type" in body ? {} : { template: "{{body.text}}" }), ...body },
    })
  const deliver = (hook: Made, body: string, options: Ask = {}): Promise<Answer> =>
    ask(server, "POST", new URL(hook.url).pathname, { token: null, ...options, body })
  const headersOf = (hook: Pick<Made, "secret">, id: string, body: string, at = new Date()) => ({
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": new Webhook(hook.secret).sign(id, at, body),
  })
  const signed = (hook: Made, id: string, value: unknown, at?: Date) => {
    const body = JSON.stringify(value)
    return deliver(hook, body, { headers: headersOf(hook, id, body, at) })
  }
  const firings = async ({ id }: Made) =>
    (await read(server, routes.openHook.answer.schema, "GET", `/v1/hooks/${id}`)).firings
  const said = async () => (await open(server, path)).messages.filter(({ role }) => role === "person")

  test("[TRG-5] a delivery signed by the published library becomes a message; a repeat is answered as the first", async () => {
    const hook = await make({ template: "{{headers.webhook-id}}: {{body.text}}" })
    expect(hook.url).toBe(`http://127.0.0.1:${server.port}/hooks/${hook.id}`)
    const first = await signed(hook, "msg_1", { text: "Hello" })
    expect(first.status).toBe(202)
    expect(jsonOf(first)).toMatchObject({ delivery: "msg_1", outcome: "started" })
    const again = await signed(hook, "msg_1", { text: "Hello" }, new Date(Date.now() - 60_000))
    expect([again.status, again.text]).toEqual([202, first.text])
    await eventually(async () => (await open(server, path)).status.state).toBe("idle")
    const messages = await said()
    expect(messages).toHaveLength(1)
    expect(messages[0]).toMatchObject({
      parts: [{ type: "text", text: "msg_1: Hello" }],
      trigger: { source: "webhook", deliveryId: "msg_1", scheduleId: null },
    })
    expect(Object.keys(messages[0]?.trigger?.headers ?? {}).sort()).toEqual([
      "content-type",
      "webhook-id",
      "webhook-timestamp",
    ])
    await eventually(() => firings(hook)).toMatchObject([{ id: "msg_1", outcome: "started", became: "done" }])
  })

  test("[SEC-15] an unknown address is answered before anything of the body was sent", async () => {
    const { status, text } = await begin(server, "/hooks/hook_nobody", 1_000_000).answered
    expect([status, text]).toEqual([404, expect.stringContaining("hook.unknown")])
  })

  test("[SEC-15] unsigned bytes under way are bounded for a webhook, and are given back", async () => {
    const hook = await make()
    const bytes = limits.hookBytes - 1
    const hold = () => begin(server, `/hooks/${hook.id}`, bytes + 1, "x".repeat(bytes))
    const held = Array.from({ length: limits.hookUnreadBytes / limits.hookBytes }, hold)
    try {
      const refused = await vi.waitFor(async () => {
        const answer = await deliver(hook, "x".repeat(1_000))
        // This delivery may have used the slot of a held one; another one fills it again.
        if (answer.status !== 503) held.push(hold())
        expect(answer.status).toBe(503)
        return answer
      }, PATIENCE)
      expectProblem(refused, expected("server.busy"))
      expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0)
      const other = await make()
      expect((await signed(other, "msg_other", { text: "Hello" })).status).toBe(202)
    } finally {
      for (const { leave } of held) leave()
    }
    await vi.waitFor(async () => expect((await signed(hook, "msg_late", { text: "Hello" })).status).toBe(202), PATIENCE)
  })

  test("[TRG-2] what is not signed as it should be is queued by nobody, and listed for the owner", async () => {
    const hook = await make()
    const body = JSON.stringify({ text: "Hello" })
    const good = headersOf(hook, "msg_1", body)
    const wrong: readonly Ask[] = [
      { headers: { "content-type": "application/json" } },
      { headers: { ...good, "webhook-signature": "v1,AAAA" } },
      { headers: { ...good, "webhook-id": "msg_2" } },
      { headers: headersOf(hook, "msg_1", body, new Date(Date.now() - 6 * 60_000)) },
      { headers: headersOf(hook, "msg_1", body, new Date(Date.now() + 6 * 60_000)) },
      { headers: headersOf({ secret: `whsec_${Buffer.alloc(32).toString("base64")}` }, "msg_1", body) },
      { token: server.token, headers: { "content-type": "application/json" } },
    ]
    for (const options of wrong) expectProblem(await deliver(hook, body, options), expected("hook.signature"))
    // The same JSON with a space in it, and one byte more at its end.
    for (const other of ['{"text": "Hello"}', `${body} `])
      expectProblem(await deliver(hook, other, { headers: good }), expected("hook.signature"))
    expect(await said()).toEqual([])
    const listed = await firings(hook)
    expect(listed.length).toBeGreaterThan(0)
    for (const { outcome, message, error } of listed)
      expect([outcome, message, error?.code]).toEqual(["refused", null, "hook.signature"])
    expectProblem(await ask(server, "POST", "/hooks/hook_none", { token: null, body }), expected("hook.unknown"))
  })

  test("[TRG-5] bytes are checked as they came: white space, escapes and order are the sender's", async () => {
    const hook = await make({ template: "{{body.text}} {{body.n}}" })
    for (const [index, body] of [
      '{ "n" : 1.0,\r\n\t"text":"\\u0048i" }',
      '{"text":"é😀","n":null}',
      '{"text":"<b>","n":[1,{"a":2}]}',
    ].entries()) {
      const id = `msg_${index}`
      expect((await deliver(hook, body, { headers: headersOf(hook, id, body) })).status, body).toBe(202)
    }
    await eventually(async () => (await open(server, path)).queue.length).toBe(0)
    expect((await said()).map(({ parts }) => (parts[0]?.type === "text" ? parts[0].text : ""))).toEqual([
      "Hi 1",
      "é😀 ",
      '<b> [1,{"a":2}]',
    ])
  })

  test("[TRG-10] a signed body that comes again under another id is the same delivery", async () => {
    const hook = await make({ style: "github", template: "{{body.zen}}" })
    const github = (body: string, id: string, to: Made = hook) =>
      deliver(to, body, {
        headers: {
          "content-type": "application/json",
          "x-github-delivery": id,
          "x-hub-signature-256": `sha256=${createHmac("sha256", to.secret).update(body).digest("hex")}`,
        },
      })
    const body = '{"zen":"Once."}'
    const replays = await Promise.all(Array.from({ length: 20 }, (_, n) => github(body, `other-${n}`)))
    expect(new Set(replays.map(({ status }) => status))).toEqual(new Set([202]))
    expect(new Set(replays.map(({ text }) => text)).size, "all are answered as the first").toBe(1)
    expect((await github('{"zen":"Twice."}', "g-2")).text).not.toBe(replays[0]?.text)
    await eventually(async () => (await open(server, path)).status.state).toBe("idle")
    expect((await said()).map(({ parts }) => JSON.stringify(parts).includes("Once"))).toEqual([true, false])
    expect(await firings(hook)).toHaveLength(2)
    const second = await make({ style: "github", template: "{{body.zen}}" })
    expect(jsonOf(await github(body, "g-3", second)), "another webhook is another matter").toMatchObject({
      delivery: "g-3",
    })
  })

  test("[TRG-5] GitHub's way, and a plain text", async () => {
    const hook = await make({ style: "github", template: "{{headers.x-github-event}} {{body.zen}} {{body}}" })
    const github = (body: string, headers: Record<string, string>) =>
      deliver(hook, body, {
        headers: {
          "x-hub-signature-256": `sha256=${createHmac("sha256", hook.secret).update(body).digest("hex")}`,
          ...headers,
        },
      })
    const event = { "content-type": "application/json", "x-github-event": "ping", "x-github-delivery": "g-1" }
    const first = await github('{"zen":"Keep it simple."}', event)
    expect(jsonOf(first)).toMatchObject({ delivery: "g-1" })
    expect((await github('{"zen":"Keep it simple."}', event)).text).toBe(first.text)
    expect((await github("just words", { "content-type": "text/plain" })).status).toBe(202)
    const form = `payload=${encodeURIComponent('{"zen":"x"}')}`
    expect((await github(form, { "content-type": "application/x-www-form-urlencoded" })).status).toBe(202)
    expectProblem(
      await deliver(hook, "{}", { headers: { "x-hub-signature-256": `sha256=${"0".repeat(64)}` } }),
      expected("hook.signature"),
    )
    await eventually(async () => (await open(server, path)).queue.length).toBe(0)
    expect((await said()).map(({ parts }) => (parts[0]?.type === "text" ? parts[0].text : ""))).toEqual([
      'ping Keep it simple. {"zen":"Keep it simple."}',
      "  just words",
      '  {"payload":{"zen":"x"}}',
    ])
  })

  test("[TRG-5] a new secret works at once, the one before for a while, those before it not", async () => {
    const hook = await make()
    const secrets = [hook.secret]
    for (let i = 0; i < 2; i++) {
      const rotated = await read(server, routes.rotateHook.answer.schema, "POST", `/v1/hooks/${hook.id}/rotate`)
      secrets.unshift(rotated.secret)
    }
    const body = '{"text":"x"}'
    const tried = await Promise.all(
      secrets.map(
        async (secret, n) => (await deliver(hook, body, { headers: headersOf({ secret }, `m${n}`, body) })).status,
      ),
    )
    expect(tried).toEqual([202, 202, 401])
  })

  test("[TRG-2] many at once, each several times: each is one message, and the answers agree", async () => {
    const hook = await make({ perMinute: limits.hookPerMinuteMost })
    await ask(server, "POST", `${path}/queue/hold`)
    const ids = Array.from({ length: 40 }, (_, i) => `msg_${i}`)
    const all = [...ids, ...ids, ...ids.toReversed()]
    const answers = await Promise.all(all.map(async (id) => [id, await signed(hook, id, { text: id })] as const))
    for (const [id, answer] of answers) {
      expect(answer.status, answer.text).toBe(202)
      expect(answer.text).toBe(answers.find(([other]) => other === id)?.[1].text)
    }
    const { queue } = await open(server, path)
    expect(queue.map(({ source, trigger }) => [source, trigger?.deliveryId]).sort()).toEqual(
      ids.map((id) => ["webhook", id]).sort(),
    )
    expect((await firings(hook)).every(({ outcome, became }) => outcome === "queued" && became === "waiting")).toBe(
      true,
    )
  })

  test("[TRG-2] too many in a minute are refused with 429", async () => {
    const hook = await make({ perMinute: 2 })
    await signed(hook, "a", {})
    await signed(hook, "b", {})
    const refused = await signed(hook, "c", {})
    expectProblem(refused, expected("rate.exceeded"))
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0)
  })

  test("[TRG-7] people list, pause, edit, fire and delete them; no list shows a secret", async () => {
    const hook = await make({ name: "CI" })
    const one = `/v1/hooks/${hook.id}`
    expect((await ask(server, "PATCH", one, { body: { paused: true } })).status).toBe(200)
    expectProblem(await signed(hook, "m1", { text: "x" }), expected("hook.paused"))
    await ask(server, "PATCH", one, { body: { paused: false, template: "New: {{body.text}}" } })
    const fired = await ask(server, "POST", `${one}/fire`, { body: { text: "by hand" } })
    expect(fired.status, fired.text).toBe(202)
    await eventually(async () => (await said()).at(-1)?.parts).toEqual([{ type: "text", text: "New: by hand" }])
    for (const path of ["/v1/hooks", one]) {
      const { text } = await ask(server, "GET", path)
      expect(text).toContain('"name":"CI"')
      expect(text).not.toContain(hook.secret)
      expect(text).not.toContain("whsec_")
    }
    expect((await ask(server, "DELETE", one)).status).toBe(204)
    expectProblem(await signed(hook, "m2", { text: "x" }), expected("hook.unknown"))
  })

  test("[SEC-5] a bad body of someone who may is refused, whatever it is; nothing of it is an error of ours", async () => {
    const hook = await make()
    const bad = [
      ["{", "request.json"],
      ["[".repeat(100) + "]".repeat(100), "request.too-deep"],
      ['{"a":"\\u0000"}', "text.malformed"],
    ] as const
    for (const [index, [body, code]] of bad.entries())
      expectProblem(await deliver(hook, body, { headers: headersOf(hook, `b${index}`, body) }), expected(code), body)
    const large = JSON.stringify({ text: "x".repeat(limits.hookBytes) })
    expectProblem(await deliver(hook, large, { headers: headersOf(hook, "l", large) }), expected("request.too-large"))
    expectProblem(
      await deliver(hook, "{}", { headers: { ...headersOf(hook, "z", "{}"), "content-encoding": "gzip" } }),
      expected("request.encoding"),
    )
    expect(await said()).toEqual([])
  })

  test("[SEC-8] the secret and the address are in no log, no conversation and no export", async () => {
    const hook = await make()
    await signed(hook, "m1", { text: "x" })
    await signed(hook, "m1", { text: "x" }, new Date(0))
    const seen = [
      ...server.logged,
      (await ask(server, "GET", `${path}/export`)).text,
      (await ask(server, "GET", `${path}/events?offset=-1`)).text,
      (await ask(server, "GET", "/v1/feed?offset=-1")).text,
    ].join("\n")
    expect(seen).toContain("m1")
    expect(seen).not.toContain(hook.secret)
    expect(seen).not.toContain(hook.secret.slice("whsec_".length))
    expect(seen).not.toContain(hook.id)
  })

  test.each([
    [{ template: "" }, "/template"],
    [{ template: "x".repeat(limits.hookTemplateLength + 1) }, "/template"],
    [{ template: "a", perMinute: 0 }, "/perMinute"],
    [{ template: "a", style: "none" }, "/style"],
    [{ template: "a", agent: "A B" }, "/agent"],
    [{ template: "a", secret: "mine" }, ""],
  ])("[SEC-5] %# refuses what is no webhook", async (body, pointer) => {
    const answer = await ask(server, "POST", "/v1/hooks", { body: { agent: "host", branch, ...body } })
    expectProblem(answer, { ...expected("request.invalid"), pointer })
  })
})

/** A delivery of which only part of the body is sent. */
function begin(target: TestServer, path: string, length: number, sent = "") {
  const asked = request({ method: "POST", path, host: "127.0.0.1", port: target.port, agent: false })
  asked.setHeader("content-length", length)
  asked.flushHeaders()
  if (sent !== "") asked.write(sent)
  const answered = new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
    asked.on("error", reject)
    asked.on("response", (incoming) => {
      let text = ""
      incoming.on("data", (chunk: Buffer) => {
        text += chunk.toString()
      })
      incoming.on("end", () => resolve({ status: incoming.statusCode ?? 0, text }))
      incoming.on("error", reject)
    })
  })
  answered.catch(() => {})
  return { answered, leave: () => void asked.destroy() }
}
