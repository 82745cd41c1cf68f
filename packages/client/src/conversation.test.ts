import { afterEach, expect, test } from "vitest"
import { json, problem, startWire, type Wire } from "../test/wire.ts"
import { ParlorError } from "./error.ts"

let wire: Wire | undefined
afterEach(async () => {
  await wire?.close()
  wire = undefined
})

const sent = { message: "msg_1", outcome: "started", turn: "trn_1", offset: "0000000000000003", txid: "tx" }

test("[QUE-11] a send that meets 503 and a broken connection is repeated with the same key and body", async () => {
  let tries = 0
  wire = await startWire((_, response) => {
    tries += 1
    if (tries === 1) return problem(response, 503, "store.unavailable", { "retry-after": "0" })
    if (tries === 2) return void response.destroy()
    json(response, 202, sent)
  })
  expect(await wire.parlor.conversation("host").send("hi")).toEqual(sent)
  const keys = new Set(wire.calls.map((call) => call.headers["idempotency-key"]))
  expect(wire.calls).toHaveLength(3)
  expect(keys.size).toBe(1)
  expect([...keys][0]).toMatch(/^[0-9a-f]{32}$/)
  expect(new Set(wire.calls.map((call) => call.body))).toEqual(new Set(['{"text":"hi"}']))
})

test("[QUE-11] two sends have two keys, and a given key is used", async () => {
  wire = await startWire((_, response) => json(response, 202, sent))
  const conversation = wire.parlor.conversation("host")
  await conversation.send("hi")
  await conversation.send("hi")
  await conversation.send({ text: "hi", mode: "queued" }, { key: "mine" })
  const keys = wire.calls.map((call) => call.headers["idempotency-key"])
  expect(keys[0]).not.toBe(keys[1])
  expect(keys[2]).toBe("mine")
})

test("retry-after is honoured", async () => {
  const times: number[] = []
  wire = await startWire((_, response) => {
    times.push(performance.now())
    if (times.length === 1) return problem(response, 503, "store.unavailable", { "retry-after": "1" })
    json(response, 202, sent)
  })
  await wire.parlor.conversation("host").send("hi")
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(950)
})

test("a refusal is not repeated and carries what the problem says", async () => {
  wire = await startWire((_, response) => {
    const value = { code: "text.malformed", detail: "The text holds a NUL.", pointer: "/text", status: 422 }
    json(response, 422, value)
  })
  const error = await wire.parlor
    .conversation("host")
    .send("\u0000")
    .catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ParlorError)
  expect(error).toMatchObject({
    code: "text.malformed",
    status: 422,
    detail: "The text holds a NUL.",
    pointer: "/text",
  })
  expect(wire.calls).toHaveLength(1)
})

test("a server that is not there is a network error after a few tries", async () => {
  wire = await startWire(() => undefined)
  const parlor = wire.client({ baseUrl: "http://127.0.0.1:9" })
  await expect(parlor.conversation("host").send("hi")).rejects.toMatchObject({ code: "network", status: 0 })
})

test("a server that never answers is a timeout", async () => {
  wire = await startWire(() => undefined)
  const parlor = wire.client({ timing: { requestMs: 30 } })
  await expect(parlor.agents()).rejects.toMatchObject({ code: "timeout" })
})

test("[ADR-2] a person is named in a header, and every call has its method and path", async () => {
  wire = await startWire(({ method }, response) => {
    if (method === "DELETE") return void response.writeHead(204).end()
    json(response, 200, { agents: [], keys: [] })
  })
  const parlor = wire.client({ person: "telegram:42" })
  const conversation = parlor.conversation("crab")
  await parlor.agents()
  await parlor.conversations({ agent: "crab", limit: 2 })
  await conversation.open({ messages: 5 })
  await conversation.stop({ turn: "trn_1" })
  await conversation.mark({ pinned: true })
  await conversation.make()
  await conversation.messages({ before: "9", limit: 3 })
  await conversation.delete()
  await parlor.keys.list()
  await parlor.keys.make({ name: "bot" })
  await parlor.keys.revoke("key/1")
  expect(wire.calls.every((call) => call.headers["parlor-person"] === "telegram:42")).toBe(true)
  expect(wire.calls.map(({ method, path, query }) => `${method} ${path}?${query}`)).toEqual([
    "GET /v1/agents?",
    "GET /v1/conversations?agent=crab&limit=2",
    "GET /v1/conversations/crab/main?messages=5",
    "POST /v1/conversations/crab/main/stop?",
    "PATCH /v1/conversations/crab/main?",
    "PUT /v1/conversations/crab/main?",
    "GET /v1/conversations/crab/main/messages?before=9&limit=3",
    "DELETE /v1/conversations/crab/main?",
    "GET /v1/keys?",
    "POST /v1/keys?",
    "DELETE /v1/keys/key%2F1?",
  ])
})

test("[LOG-15] an export is read line by line and imported from text or a stream", async () => {
  const lines = ['{"a":"é"}', '{"b":"👋"}', '{"c":3}']
  wire = await startWire(async ({ method, body }, response) => {
    if (method === "POST") return json(response, 201, { agent: "host", branch: "b", messages: body.split("\n").length })
    response.writeHead(200, { "content-type": "application/jsonl" })
    for (const byte of Buffer.from(lines.join("\n"))) {
      response.write(Uint8Array.of(byte))
      await new Promise(setImmediate)
    }
    response.end()
  })
  const read: string[] = []
  for await (const line of wire.parlor.conversation("host").export()) read.push(line)
  expect(read).toEqual(lines)
  const text = lines.join("\n")
  const stream = new Blob([text]).stream()
  expect(await wire.parlor.importLines("host", "b", text)).toMatchObject({ messages: 3 })
  expect(await wire.parlor.importLines("host", "b", stream)).toMatchObject({ messages: 3 })
  expect(wire.calls[2]?.body).toBe(text)
  expect(wire.calls[2]?.headers["content-type"]).toBe("application/jsonl")
})

test("[ADR-1] all of its parts act on the same conversation", async () => {
  wire = await startWire((_, response) => json(response, 200, {}))
  const conversation = wire.parlor.conversation("critic", "bread")
  expect([conversation.agent, conversation.branch]).toEqual(["critic", "bread"])
  await conversation.archives.open("a1")
  await conversation.branches.keep()
  await conversation.rollbacks.make("m1")
  await conversation.inspect.turn("t1")
  await conversation.attachments.list()
  expect(conversation.follow().offset).toBe("-1")
  expect(conversation.follow({ offset: "7" }).offset).toBe("7")
  const [attachments, ...others] = wire.calls.map(({ path }) => path).reverse()
  expect(others).toHaveLength(4)
  for (const path of others) expect(path).toMatch(/^\/v1\/(conversations\/)?.*critic.*bread/)
  expect(attachments).toBe("/v1/attachments")
})
