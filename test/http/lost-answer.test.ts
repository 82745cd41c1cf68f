/** [LOG-30] Commands whose response is lost after they were executed: repeating them with the same key takes effect once. */
import { createServer, request as httpRequest, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Parlor } from "@parlor/client"
import { gate } from "@parlor/core/testing"
import { limits } from "@parlor/protocol"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type Ask, ask, expectProblem, jsonOf } from "./client.ts"
import { converse, eventually, headOf, historyOf, open, pathOf, send } from "./conversations.ts"
import { STORES, startTestServer, type TestServer } from "./server.ts"

/** Forwards every request, and drops the response to the first attempt of each command. */
async function losingProxy(port: number) {
  const keys: string[] = []
  const pass = (incoming: IncomingMessage, out: ServerResponse) => {
    const key = incoming.headers["idempotency-key"]?.toString()
    const isLost = incoming.method !== "GET" && !keys.includes(key ?? "")
    if (incoming.method !== "GET") keys.push(key ?? "none")
    const { method, url: path } = incoming
    const headers = { ...incoming.headers, host: `127.0.0.1:${port}` }
    const asked = httpRequest({ host: "127.0.0.1", port, method, path, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = []
      answer.on("data", (chunk: Buffer) => chunks.push(chunk))
      answer.on("end", () => {
        if (isLost) return out.destroy()
        out.writeHead(answer.statusCode ?? 500, answer.headers).end(Buffer.concat(chunks))
      })
    })
    asked.on("error", () => out.destroy())
    incoming.pipe(asked)
  }
  const proxy: Server = createServer(pass)
  await new Promise<void>((resolve) => void proxy.listen(0, "127.0.0.1", resolve))
  const close = () => {
    proxy.closeAllConnections()
    return new Promise((resolve) => void proxy.close(resolve))
  }
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, keys, close }
}

describe.each(STORES)("[LOG-30] an answer that is lost, on %s", (kind) => {
  let server: TestServer
  let proxy: Awaited<ReturnType<typeof losingProxy>>
  let parlor: Parlor
  let topics = 0

  beforeAll(async () => {
    server = await startTestServer({ kind, agent: { workspace: true } })
    proxy = await losingProxy(server.port)
    const timing = { backoffMs: 5, backoffMaxMs: 20 }
    parlor = new Parlor({ baseUrl: proxy.url, token: server.token, timing })
  })
  afterAll(async () => {
    await proxy.close()
    await server.close()
  })

  async function topic() {
    topics += 1
    const branch = `lost-${topics}`
    const path = pathOf("host", branch)
    await ask(server, "PUT", path)
    return { path, conversation: parlor.conversation("host", branch) }
  }

  /** Every command was tried twice, with one key. */
  function expectTwice(): void {
    expect(proxy.keys.length).toBeGreaterThan(1)
    expect(proxy.keys).not.toContain("none")
    for (const key of proxy.keys) expect(proxy.keys.filter((one) => one === key)).toHaveLength(2)
    proxy.keys.length = 0
  }

  test("what is queued, edited, removed and cleared is so once, and its answer is the first one", async () => {
    const { path, conversation } = await topic()
    const held = gate()
    server.script([held])
    await send(server, path, "Go")
    const queued = await conversation.send("second", { mode: "queued" })
    await conversation.send("third", { mode: "queued" })
    const { queue } = await open(server, path)
    expect(queue).toHaveLength(2)
    const [row] = queue
    const edited = await conversation.edit(queued.message, { text: "edited", version: row?.version ?? 1 })
    expect(edited.version).toBe((row?.version ?? 1) + 1)
    await conversation.remove(queued.message)
    expect(await conversation.clearQueue()).toMatchObject({ removed: 1 })
    await conversation.stop()
    held.open()
    expect((await open(server, path)).queue).toHaveLength(0)
    expectTwice()
  })

  test("rollbacks, their canceling and deletions are carried out once", async () => {
    const { path, conversation } = await topic()
    await converse(server, path, "one")
    await converse(server, path, "two")
    const [first] = (await open(server, path)).messages
    const { rollback } = await conversation.rollbacks.make(first?.id ?? "")
    expect((await open(server, path)).rollbacks).toHaveLength(1)
    await conversation.rollbacks.cancel(rollback.id)
    await conversation.files.write("a.txt", "a")
    await conversation.files.delete("a.txt")
    const head = await headOf(server, path)
    await conversation.mark({ title: "Once" })
    expect(await headOf(server, path)).not.toBe(head)
    await conversation.delete()
    expectProblem(await ask(server, "GET", path), { status: 404, code: "conversation.unknown" })
    expectTwice()
  })

  test("schedules, branches and imports are made once", async () => {
    const { path, conversation } = await topic()
    const sent = await converse(server, path, "one")
    const place = { agent: "host", branch: `lost-${topics}` }
    const made = await parlor.schedules.make({ ...place, when: { at: Date.now() + 3_600_000 }, text: "later" })
    expect((await parlor.schedules.list()).filter(({ id }) => id === made.id)).toHaveLength(1)
    expect(await parlor.schedules.list()).toHaveLength(1)
    await parlor.schedules.delete(made.id)
    await conversation.branches.make({ from: sent.message })
    expect((await conversation.branches.list()).length).toBe(1)
    const line = JSON.stringify({ role: "person", text: "imported" })
    expect(await parlor.importLines("host", `imported-${topics}`, line)).toMatchObject({ messages: 1 })
    expect(await historyOf(server, pathOf("host", `imported-${topics}`), 10)).toHaveLength(1)
    expectTwice()
  })

  test("a key that is made is not repeated: its secret is shown once", async () => {
    const before = (await parlor.keys.list()).length
    const body = { name: "lost", scopes: ["read" as const], actFor: null, expiresAt: null }
    await expect(parlor.keys.make(body)).rejects.toMatchObject({ code: "network" })
    expect(await parlor.keys.list()).toHaveLength(before + 1)
    expect(proxy.keys).toHaveLength(1)
    proxy.keys.length = 0
  })
})

describe.each(STORES)("[LOG-30] keys of commands on %s", (kind) => {
  let server: TestServer
  const path = pathOf("host", "keys")
  const keyed = (key: string, body: unknown): Ask => ({ body, headers: { "idempotency-key": key } })

  beforeAll(async () => {
    server = await startTestServer({ kind })
    await ask(server, "PUT", path)
    await converse(server, path, "one")
  })
  afterAll(() => server.close())

  const schedule = { agent: "host", branch: "keys", when: { at: Date.now() + 3_600_000 }, text: "later" }
  const make = (key: string, body: object = schedule, options: Ask = {}) =>
    ask(server, "POST", "/v1/schedules", { ...options, ...keyed(key, body) })
  const count = async () => {
    const { schedules } = jsonOf(await ask(server, "GET", "/v1/schedules")) as { schedules: readonly unknown[] }
    return schedules.length
  }

  test("twenty at once have one effect and one answer", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => make("storm")))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]?.headers["parlor-txid"]).toBe(answers[19]?.headers["parlor-txid"])
    expect(await count()).toBe(1)
  })

  test("another request under the same key is refused, another person's key is another", async () => {
    expect((await make("reused")).status).toBe(201)
    expectProblem(await make("reused", { ...schedule, text: "other" }), { status: 422, code: "idempotency.reused" })
    expectProblem(await ask(server, "POST", `${path}/stop`, keyed("reused", {})), {
      status: 422,
      code: "idempotency.reused",
    })
    const ana = await server.addKey({ person: "ana" })
    expect((await make("reused", { ...schedule, branch: "main" }, { token: ana })).status).toBe(201)
    expectProblem(await make("x".repeat(limits.idempotencyKeyLength + 1)), { status: 422, code: "request.invalid" })
  })

  test("a refused command is decided anew", async () => {
    const later = { ...schedule, branch: "not-there-yet" }
    expect((await make("early", later)).status).toBe(404)
    await ask(server, "PUT", pathOf("host", "not-there-yet"))
    expect((await make("early", later)).status).toBe(201)
  })

  test("what was deleted once is answered as deleted again, and a later one is not touched", async () => {
    const name = pathOf("host", "gone")
    await ask(server, "PUT", name)
    expect((await ask(server, "DELETE", name, keyed("delete", undefined))).status).toBe(204)
    await ask(server, "PUT", name)
    expect((await ask(server, "DELETE", name, keyed("delete", undefined))).status).toBe(204)
    await eventually(async () => (await ask(server, "GET", name)).status).toBe(200)
  })
})
