/** [LOG-28] Imports that are too long for one append: all or nothing, while they arrive and when they are interrupted. */
import { type ClientRequest, request } from "node:http"
import { Parlor } from "@parlor/client"
import type { ChangeEvent } from "@parlor/protocol"
import { limits } from "@parlor/protocol"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type Ask, ask, expectProblem, jsonOf } from "./client.ts"
import { converse, eventually, historyOf, logOf, open, pathOf, visible } from "./conversations.ts"
import { STORES, startTestServer, type TestServer } from "./server.ts"

const LINES = 3 * limits.importBatchLines + 7

const plain = (n: number) => JSON.stringify({ role: n % 2 === 0 ? "agent" : "person", text: `line ${n} zebra` })
const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `${plain(from + i)}\n`)
const whole = lines(1, LINES).join("")

describe.each(STORES)("[LOG-28] long imports on %s", (kind) => {
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer({ kind })
  })
  afterAll(() => server.close())

  const target = (branch: string) => `/v1/import?agent=host&branch=${branch}`
  const put = (branch: string, body: string, headers: Ask["headers"] = {}) =>
    ask(server, "POST", target(branch), { body, headers: { "content-type": "application/jsonl", ...headers } })

  /** A request whose body continues on demand. */
  function opened(branch: string): { asked: ClientRequest; status: Promise<number> } {
    const headers = { authorization: `Bearer ${server.token}`, "content-type": "application/jsonl" }
    const place = { host: "127.0.0.1", port: server.port, method: "POST", path: target(branch), agent: false, headers }
    let asked: ClientRequest | undefined
    const status = new Promise<number>((resolve, reject) => {
      asked = request(place, (incoming) => {
        incoming.resume()
        resolve(incoming.statusCode ?? 0)
      })
      asked.on("error", reject)
    })
    status.catch(() => undefined)
    if (asked === undefined) throw new Error("not asked")
    return { asked, status }
  }

  const staged = async () => {
    const { streams = [] } = await server.dump()
    return streams.filter((line) => (JSON.parse(line) as { kind: string }).kind === "import").length
  }
  const found = async () => {
    const { hits } = jsonOf(await ask(server, "GET", "/v1/search?q=zebra")) as { hits: readonly unknown[] }
    return hits.length
  }
  const listed = async () => {
    const { conversations } = jsonOf(await ask(server, "GET", "/v1/conversations?limit=500")) as {
      conversations: readonly { branch: string }[]
    }
    return conversations.map(({ branch }) => branch)
  }

  test("nothing of it is at its address, in a list or in a search before its last line", async () => {
    const { asked, status } = opened("slow")
    asked.write(lines(1, LINES - 1).join(""))
    await eventually(staged).toBe(1)
    expectProblem(await ask(server, "GET", pathOf("host", "slow")), { status: 404, code: "conversation.unknown" })
    expect(await listed()).not.toContain("slow")
    expect(await found()).toBe(0)
    asked.end(lines(LINES, LINES).join(""))
    expect(await status).toBe(201)
    const messages = await historyOf(server, pathOf("host", "slow"), 500)
    expect(messages.map(({ ord }) => ord)).toEqual(Array.from({ length: LINES }, (_, i) => LINES - i))
    expect(await listed()).toContain("slow")
    expect(await found()).toBeGreaterThan(0)
    expect(await staged()).toBe(0)
    const snapshot = await open(server, pathOf("host", "slow"))
    expect(snapshot).toMatchObject({ title: "line 1 zebra", status: { state: "idle", preview: `line ${LINES} zebra` } })
    const log = await logOf(server, pathOf("host", "slow"))
    expect(new Set(log.map((change) => change.headers.txid)).size).toBe(1)
    await converse(server, pathOf("host", "slow"), "And it continues")
    expect(visible((await open(server, pathOf("host", "slow"))).messages).slice(-2)[0]).toBe("person: And it continues")
    await ask(server, "DELETE", pathOf("host", "slow"))
  })

  test("a bad line in the middle is refused with its number, and nothing of it is left", async () => {
    const bad = [...lines(1, LINES - 20), "{\n", ...lines(LINES - 18, LINES)].join("")
    const answer = await put("bad", bad)
    const problem = expectProblem(answer, { status: 422, code: "import.invalid", pointer: `/${LINES - 20}` })
    expect(problem.detail).toContain(`Line ${LINES - 19} `)
    expectProblem(await ask(server, "GET", pathOf("host", "bad")), { status: 404, code: "conversation.unknown" })
    expect(await found()).toBe(0)
    await eventually(staged).toBe(0)
    await eventually(async () => (await server.dump()).leftovers ?? []).toEqual([])
    expect((await server.dump()).search_texts ?? []).toEqual([])
    expect(jsonOf(await put("bad", whole))).toMatchObject({ messages: LINES })
    await ask(server, "DELETE", pathOf("host", "bad"))
  })

  test("a message that comes twice is refused with the number of its line, however far apart the two are", async () => {
    await put("twice-source", whole)
    const exported = (await ask(server, "GET", `${pathOf("host", "twice-source")}/export`)).text.trimEnd().split("\n")
    const twice = [...exported, exported[3] ?? ""].join("\n")
    expectProblem(await put("twice", twice), {
      status: 422,
      code: "import.invalid",
      pointer: `/${exported.length}/message/id`,
    })
    await ask(server, "DELETE", pathOf("host", "twice-source"))
  })

  test("one whose sender disconnects leaves nothing", async () => {
    const { asked } = opened("cut")
    asked.write(lines(1, LINES).join(""))
    await eventually(staged).toBe(1)
    asked.destroy()
    await eventually(staged).toBe(0)
    expect(await found()).toBe(0)
    expectProblem(await ask(server, "GET", pathOf("host", "cut")), { status: 404, code: "conversation.unknown" })
  })

  test("it does not go behind messages that are there; a short one does", async () => {
    const path = pathOf("host", "there")
    await put("there", lines(1, 3).join(""))
    expectProblem(await put("there", whole), { status: 409, code: "import.not-empty" })
    expect((await open(server, path)).messages).toHaveLength(3)
    expect(jsonOf(await put("there", lines(4, 5).join("")))).toMatchObject({ messages: 2 })
    expect((await open(server, path)).messages.map(({ ord }) => ord)).toEqual([1, 2, 3, 4, 5])
    await eventually(staged).toBe(0)
    await ask(server, "DELETE", path)
  })

  test("a message that is sent meanwhile wins, and the import is refused", async () => {
    const path = pathOf("host", "race")
    const { asked, status } = opened("race")
    asked.write(lines(1, LINES).join(""))
    await eventually(staged).toBe(1)
    await ask(server, "PUT", path)
    await converse(server, path, "First")
    asked.end()
    expect(await status).toBe(409)
    expect((await open(server, path)).messages).toHaveLength(2)
    await eventually(staged).toBe(0)
    await ask(server, "DELETE", path)
  })

  test("who follows the empty conversation is shown all of it, once", async () => {
    const parlor = new Parlor({ baseUrl: `http://127.0.0.1:${server.port}`, token: server.token })
    const conversation = parlor.conversation("critic", "main")
    await ask(server, "PATCH", pathOf("critic", "main"), { body: { title: "Named before" } })
    const live = conversation.live()
    await eventually(() => live.getState().phase).toBe("ready")
    const seen: string[] = []
    const leave = new AbortController()
    const following = (async () => {
      const read = (changes: readonly ChangeEvent[]) => {
        for (const change of changes) if (change.type === "messages") seen.push(change.key)
      }
      for await (const changes of conversation.follow({ offset: "-1", signal: leave.signal })) read(changes)
    })().catch(() => undefined)
    const body = { body: whole, headers: { "content-type": "application/jsonl" } }
    const imported = await ask(server, "POST", "/v1/import?agent=critic", body)
    expect(imported.status, imported.text).toBe(201)
    await eventually(() => live.getState().messages.at(-1)?.ord).toBe(LINES)
    expect(live.getState().title).toBe("Named before")
    live.close()
    await converse(server, pathOf("critic", "main"), "After it")
    const fresh = conversation.live()
    await eventually(() => fresh.getState().messages.at(-1)?.ord).toBe(LINES + 2)
    fresh.close()
    leave.abort()
    await following
    expect(new Set(seen).size).toBe(seen.length)
    await ask(server, "DELETE", pathOf("critic", "main"))
  })

  test("[LOG-30] repeated with the same key it is answered as before, also when the conversation went on", async () => {
    const key = { "idempotency-key": "import-once" }
    const first = await put("once", whole, key)
    expect(first.status).toBe(201)
    await converse(server, pathOf("host", "once"), "It continues")
    const again = await put("once", whole, key)
    expect([again.status, jsonOf(again)]).toEqual([201, jsonOf(first)])
    expect(await historyOf(server, pathOf("host", "once"), 500)).toHaveLength(LINES + 2)
    expectProblem(await put("once", `${whole}${plain(1)}`, key), { status: 422, code: "idempotency.reused" })
    const short = { "idempotency-key": "short-once" }
    for (let n = 0; n < 2; n++) expect((await put("short", lines(1, 2).join(""), short)).status).toBe(201)
    expect((await open(server, pathOf("host", "short"))).messages).toHaveLength(2)
    await eventually(staged).toBe(0)
  })

  test("a person has so many under way, and no more", async () => {
    const running = Array.from({ length: limits.importsAtOnce }, (_, n) => opened(`many-${n}`))
    for (const { asked } of running) asked.write(lines(1, LINES).join(""))
    await eventually(staged).toBe(limits.importsAtOnce)
    expectProblem(await put("one-more", whole), { status: 429, code: "rate.exceeded" })
    for (const { asked } of running) asked.destroy()
    await eventually(staged).toBe(0)
    expect((await put("one-more", whole)).status).toBe(201)
  })
})

test("[LOG-28] what a crashed process left of an import is deleted by the next one", async () => {
  const server = await startTestServer()
  try {
    const address = { kind: "import", agent: "host", person: "me", branch: "imp_dead" } as const
    const { id } = await server.store.log.ensure(address)
    const changes = [{ collection: "messages", key: "m", operation: "insert", value: "{}", ord: 1 } as const]
    const lease = { kind: "claim", owner: "dead", ttlMs: 1 } as const
    await server.store.log.commit([{ stream: id, changes, txid: server.runtime.txid(), at: 1, lease }])
    await eventually(() => server.store.log.find(address)).toBeUndefined()
  } finally {
    await server.close()
  }
})
