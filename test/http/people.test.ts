/** Identity of the caller, and the names under which conversations are found. */
import { routes } from "@parlor/protocol"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type Ask, ask, expectProblem, jsonOf, read } from "./client.ts"
import { converse, logOf, open, pathOf, send, visible } from "./conversations.ts"
import { ANSWER, STORES, startTestServer, type TestServer } from "./server.ts"

const main = pathOf("host", "main")
const ODD = [
  "with space",
  "100%",
  "%41",
  "%2F",
  "a+b",
  "a&b=c?d#e",
  "ümlaut",
  "日本語",
  "👩‍👩‍👧",
  "e\u0301",
  "\u00e9",
  "A",
  "a",
  "a;b,c@d$",
  "'\"\\",
  "<b>",
  "-1",
  "now",
  "__proto__",
  "constructor",
  "...",
  "x".repeat(128),
  "%",
  "💬".repeat(64),
]

describe.each(STORES)("people on %s", (kind) => {
  let server: TestServer
  let bridge: string

  beforeAll(async () => {
    server = await startTestServer({ kind })
    bridge = await server.addKey({ person: "bot", actFor: "telegram:*" })
  })

  afterAll(() => server.close())

  const as = (person: string, token = bridge): Ask => ({
    token,
    headers: { "parlor-person": encodeURIComponent(person) },
  })

  test("[ADR-2] a key that acts for others names them within its prefix", async () => {
    await converse(server, main, "I am 42", as("telegram:42"))
    await converse(server, main, "I am 43", as("telegram:43"))
    expect((await open(server, main, as("telegram:42"))).person).toBe("telegram:42")
    expect(visible((await open(server, main, as("telegram:42"))).messages)).toEqual([
      "person: I am 42",
      `agent: ${ANSWER}`,
    ])
    expect(visible((await open(server, main, as("telegram:43"))).messages)[0]).toBe("person: I am 43")
    const { conversations } = await read(server, routes.listConversations.answer.schema, "GET", "/v1/conversations", {
      ...as("telegram:44"),
    })
    expect(conversations).toEqual([])
  })

  test("[ADR-2] a header that needs no encoding may be sent as it is", async () => {
    const answer = await ask(server, "GET", "/v1/agents", {
      token: bridge,
      headers: { "parlor-person": "telegram:42" },
    })
    expect(answer.status).toBe(200)
  })

  test.each(["slack:42", "telegram", "Telegram:42", "me", "xtelegram:42", "", " telegram:42", "telegram:\u0007"])(
    "[ADR-2] outside of its prefix it may not: %j",
    async (person) => {
      expectProblem(await ask(server, "GET", main, as(person)), { status: 403, code: "person.not-allowed" })
    },
  )

  test("[ADR-2] a key without that right, and the local token, name nobody but themselves", async () => {
    const plain = await server.addKey({ person: "ana" })
    for (const token of [plain, server.token])
      expectProblem(await ask(server, "GET", main, as("telegram:42", token)), {
        status: 403,
        code: "person.not-allowed",
      })
    expect((await ask(server, "GET", "/v1/agents", as("ana", plain))).status).toBe(200)
    expect((await ask(server, "GET", "/v1/agents", as("me", server.token))).status).toBe(200)
  })

  test("[ADR-2] acting for others gives no right over their keys", async () => {
    const token = await server.addKey({ person: "bot", actFor: "telegram:*", scopes: ["read", "write", "manage"] })
    expectProblem(await ask(server, "GET", "/v1/keys", as("telegram:42", token)), {
      status: 403,
      code: "auth.forbidden",
    })
  })

  test.each(["/person", "/sender", "/author", "/role", "/scopes", "/source"])(
    "[ADR-2] a person named in a body is refused: %s",
    async (pointer) => {
      const body = { text: "hi", [pointer.slice(1)]: "somebody" }
      const answer = await ask(server, "POST", `${main}/messages`, { body })
      expect(expectProblem(answer, { status: 422, code: "request.invalid" }).detail).toContain(pointer.slice(1))
    },
  )

  test("[ADR-2] a person named in the query is not taken", async () => {
    const answer = await ask(server, "GET", `${main}?person=telegram:42`)
    expect(jsonOf(answer)).toMatchObject({ person: "me" })
  })

  test("[ADR-3] an agent and a person have one main conversation, also when it is made by many at once", async () => {
    const someone = as("telegram:many")
    const sent = await Promise.all(Array.from({ length: 10 }, (_, n) => send(server, main, `number ${n}`, someone)))
    expect(sent.filter(({ outcome }) => outcome === "started")).toHaveLength(1)
    const { conversations } = await read(
      server,
      routes.listConversations.answer.schema,
      "GET",
      "/v1/conversations",
      someone,
    )
    expect(conversations.map(({ agent, branch }) => `${agent}/${branch}`)).toEqual(["host/main"])
  })

  test("[ADR-5] names that look alike are different people", async () => {
    const token = await server.addKey({ person: "bot", actFor: "*" })
    const names = [...ODD, "a:b", "a-b", "a/b", "x".repeat(256)]
    for (const [n, name] of names.entries())
      await ask(server, "PATCH", main, { ...as(name, token), body: { title: `of ${n}` } })
    for (const [n, name] of names.entries())
      expect(await open(server, main, as(name, token))).toMatchObject({ person: name, title: `of ${n}` })
  })

  test("[ADR-5] branches keep the names they were given", async () => {
    const someone = as("telegram:odd")
    for (const name of ODD) {
      const path = pathOf("host", name)
      expect(jsonOf(await ask(server, "PUT", path, someone)), name).toEqual({ agent: "host", branch: name })
      await ask(server, "PATCH", path, { ...someone, body: { title: `about ${name}` } })
    }
    for (const name of ODD)
      expect(await open(server, pathOf("host", name), someone)).toMatchObject({ branch: name, title: `about ${name}` })
    const list = await read(
      server,
      routes.listConversations.answer.schema,
      "GET",
      "/v1/conversations?limit=500",
      someone,
    )
    expect(list.conversations.map(({ branch }) => branch).sort()).toEqual([...ODD].sort())
  })

  test.each(["a%2Fb", "%20a", "a%20", "%00", "%0A", "a%E2%80%A8b", "%ED%A0%80", "%FF", "%", "%zz", "x".repeat(129)])(
    "[ADR-5] what cannot be a branch's name is refused: %s",
    async (branch) => {
      const answer = await ask(server, "PUT", `/v1/conversations/host/${branch}`)
      expect(answer.status, answer.text).toBe(422)
      expect(jsonOf(answer)).toMatchObject({ pointer: "branch" })
    },
  )

  test.each(["Host", "host_1", "-host", "h%C3%B6st", "a".repeat(65), "%00"])(
    "[ADR-5] what cannot be an agent's name is refused: %s",
    async (agent) => {
      const answer = await ask(server, "PUT", `/v1/conversations/${agent}/main`)
      expectProblem(answer, { status: 422, code: "request.invalid", pointer: "agent" })
    },
  )

  test("[ADR-6] answers and events carry no number of the store's", async () => {
    const someone = as("telegram:plain")
    await converse(server, main, "Hello", someone)
    const stream = await server.store.log.find({
      kind: "conversation",
      agent: "host",
      branch: "main",
      person: "telegram:plain",
    })
    expect(stream).toBeDefined()
    const answers = [
      await ask(server, "GET", main, someone),
      await ask(server, "GET", `${main}/messages`, someone),
      await ask(server, "GET", "/v1/conversations", someone),
      await ask(server, "GET", `${main}/export`, someone),
    ].flatMap((answer) =>
      answer.text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown),
    )
    const values = [...answers, ...(await logOf(server, main, someone))]
    for (const key of values.flatMap(keysOf))
      expect(["stream", "streamId", "epoch", "lease_until", "owner", "control"]).not.toContain(key)
  })
})

function keysOf(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [key, ...keysOf(inner)])
}
