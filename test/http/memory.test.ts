/** Memories over HTTP, managed by the person (MEM-7), on both stores. */
import { calls, says } from "@parlor/core/testing"
import { limits, type MemoryLine, routes } from "@parlor/protocol"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { type Answer, ask, expectProblem, read } from "./client.ts"
import { converse, pathOf } from "./conversations.ts"
import { STORES, startTestServer, type TestServer } from "./server.ts"

const tea = { description: "Drinks tea", type: "user", body: "Green, never with milk." }

describe.each(STORES)("memory on %s", (kind) => {
  let server: TestServer
  let ana: string
  let count = 0
  /** Each test has its own people. */
  let person: string
  let token: string

  beforeAll(async () => {
    server = await startTestServer({ kind, agent: { memory: true } })
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    count += 1
    person = `person-${count}`
    token = await server.addKey({ person, scopes: ["read", "write"] })
    ana = await server.addKey({ person: `ana-${count}`, scopes: ["read", "write"] })
  })

  const put = (path: string, body: unknown, as = token): Promise<Answer> =>
    ask(server, "PUT", `/v1/memory/${path}`, { body, token: as })
  const one = async (path: string, as = token) =>
    (await read(server, routes.readMemory.answer.schema, "GET", `/v1/memory/${path}`, { token: as })).memory
  const list = async (query = "", as = token): Promise<readonly MemoryLine[]> =>
    (await read(server, routes.listMemories.answer.schema, "GET", `/v1/memory${query}`, { token: as })).memories
  const own = async (query = "", as = token) =>
    (await list(query === "" ? "?scope=user" : `${query}&scope=user`, as)).map(({ name }) => name)

  test("[MEM-1] what is written comes back whole, with who wrote it and when", async () => {
    const before = Date.now()
    const made = await put("user/tea", { ...tea, pinned: true })
    expect(made.status).toBe(200)
    const memory = await one("user/tea")
    expect(JSON.parse(made.text)).toEqual({ memory })
    expect(memory).toEqual({
      ...tea,
      scope: "user",
      name: "tea",
      pinned: true,
      writtenBy: "person",
      writtenIn: null,
      createdAt: memory.updatedAt,
      updatedAt: expect.any(Number),
    })
    expect(memory.updatedAt).toBeGreaterThanOrEqual(before)
    await put("user/tea", { ...tea, body: "Black." })
    expect(await one("user/tea")).toMatchObject({ body: "Black.", pinned: true, createdAt: memory.createdAt })
    await put("user/tea", { ...tea, pinned: false })
    expect(await one("user/tea")).toMatchObject({ body: tea.body, pinned: false })
  })

  test("[MEM-7] people list, search and delete what is theirs", async () => {
    await put("user/tea", tea)
    await put("user/office", { description: "Where we sit", type: "reference", body: "Fourth floor, GREEN door" })
    expect(await own()).toEqual(["office", "tea"])
    expect((await list("?scope=user"))[0]).not.toHaveProperty("body")
    expect(await own("?q=green")).toEqual(["office", "tea"])
    expect(await own("?q=green+MILK")).toEqual(["tea"])
    expect(await own("?q=reference")).toEqual(["office"])
    expect(await own("?q=%25")).toEqual([])
    expect((await ask(server, "DELETE", "/v1/memory/user/tea", { token })).status).toBe(204)
    expect(await own()).toEqual(["office"])
    const gone = { status: 404, code: "memory.unknown" } as const
    expectProblem(await ask(server, "GET", "/v1/memory/user/tea", { token }), gone)
    expectProblem(await ask(server, "DELETE", "/v1/memory/user/tea", { token }), gone)
  })

  test("[MEM-5] two people have memories of the same name, and nothing of one reaches the other", async () => {
    await put("user/tea", tea)
    await put("user/tea", { ...tea, description: "Hates tea", body: "Rooibos." }, ana)
    await put("user/secret", { ...tea, body: "canary-of-person" })
    expect((await one("user/tea")).body).toBe(tea.body)
    expect((await one("user/tea", ana)).body).toBe("Rooibos.")
    expect(await own("", ana)).toEqual(["tea"])
    expect(await own("?q=canary", ana)).toEqual([])
    expectProblem(await ask(server, "GET", "/v1/memory/user/secret", { token: ana }), {
      status: 404,
      code: "memory.unknown",
    })
    expectProblem(await ask(server, "DELETE", "/v1/memory/user/secret", { token: ana }), {
      status: 404,
      code: "memory.unknown",
    })
    expect((await ask(server, "DELETE", "/v1/memory/user/tea", { token: ana })).status).toBe(204)
    expect(await own()).toEqual(["secret", "tea"])
  })

  test("[MEM-5] a key that acts for others keeps their memories apart, and may not touch the project's", async () => {
    const bot = await server.addKey({ person, scopes: ["read", "write", "manage"], actFor: `chat-${count}:*` })
    const as = (who: string) => ({ token: bot, headers: { "parlor-person": `chat-${count}:${who}` } })
    await ask(server, "PUT", "/v1/memory/user/tea", { ...as("1"), body: tea })
    expectProblem(await ask(server, "GET", "/v1/memory/user/tea", as("2")), { status: 404, code: "memory.unknown" })
    expect((await ask(server, "GET", "/v1/memory/user/tea", as("1"))).status).toBe(200)
    expectProblem(await ask(server, "PUT", `/v1/memory/project/tea-${count}`, { ...as("1"), body: tea }), {
      status: 403,
      code: "auth.forbidden",
    })
  })

  test("[MEM-5] what the project remembers is read by all and changed with the right to manage", async () => {
    const name = `june-${count}`
    const forbidden = { status: 403, code: "auth.forbidden" } as const
    expectProblem(await put(`project/${name}`, tea), forbidden)
    expect((await put(`project/${name}`, tea, server.token)).status).toBe(200)
    expect(await one(`project/${name}`)).toMatchObject({ ...tea, scope: "project" })
    expect((await list("?scope=project", ana)).map((line) => line.name)).toContain(name)
    expectProblem(await put(`project/${name}`, { ...tea, body: "Poison." }), forbidden)
    expectProblem(await ask(server, "DELETE", `/v1/memory/project/${name}`, { token: ana }), forbidden)
    expect((await one(`project/${name}`)).body).toBe(tea.body)
    expect((await ask(server, "DELETE", `/v1/memory/project/${name}`)).status).toBe(204)
  })

  test.each([
    ["user/Tea", tea, 422, "name"],
    ["user/a--b", tea, 422, "name"],
    [`user/${"x".repeat(limits.memoryNameLength + 1)}`, tea, 422, "name"],
    ["user/%2e%2e%2fetc", tea, 422, "name"],
    ["world/tea", tea, 422, "scope"],
    ["user/tea", {}, 422, "/description"],
    ["user/tea", { ...tea, description: "two\nlines" }, 422, "/description"],
    ["user/tea", { ...tea, description: "  " }, 422, "/description"],
    ["user/tea", { ...tea, description: "x".repeat(limits.memoryDescriptionLength + 1) }, 422, "/description"],
    ["user/tea", { ...tea, type: "Two Words" }, 422, "/type"],
    ["user/tea", { ...tea, body: "é".repeat(limits.memoryBodyBytes / 2 + 1) }, 422, "/body"],
    ["user/tea", { ...tea, body: 5 }, 422, "/body"],
    ["user/tea", { ...tea, pinned: "yes" }, 422, "/pinned"],
    ["user/tea", { ...tea, writtenBy: "someone" }, 422, ""],
    ["user/tea", { ...tea, scope: "project" }, 422, ""],
  ])("[SEC-5] what cannot be a memory is refused (%#)", async (path, body, status, pointer) => {
    expectProblem(await put(path, body), { status, code: "request.invalid", pointer })
    expect(await own()).toEqual([])
  })

  test("[SEC-5] half a surrogate pair and NUL are refused", async () => {
    for (const body of ["half \\ud800", "a\\u0000b"]) {
      const text = `{"description":"x","type":"user","body":"${body}"}`
      expectProblem(await put("user/tea", text), { status: 422, code: "text.malformed", pointer: "/body" })
    }
    expectProblem(await ask(server, "GET", `/v1/memory?q=${"x".repeat(201)}`, { token }), {
      status: 422,
      code: "request.invalid",
      pointer: "q",
    })
  })

  test("[SEC-5] text that was accepted comes back the same", async () => {
    const body = '---\nname: "x"\r\n---\n\t\u2028 é e\u0301 👩‍👩‍👧 \ufeff </notes> %_\\ \'; DROP TABLE memories;--\n\n'
    await put("user/tea", { ...tea, body, description: "👩‍👩‍👧 \"quoted\" 'and' more\u00a0" })
    expect(await one("user/tea")).toMatchObject({ body, description: "👩‍👩‍👧 \"quoted\" 'and' more\u00a0" })
    expect(await own("?q=%F0%9F%91%A9")).toEqual(["tea"])
  })

  test("[MEM-8] the number in a scope is bounded, also when many are written at once", async () => {
    const before = limits.memoriesPerScope - 5
    for (let i = 0; i < before; i++) await put(`user/tea-${i}`, tea)
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => put(`user/late-${i}`, tea)))
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(15)
    for (const answer of refused) expectProblem(answer, { status: 409, code: "memory.full" })
    expect(await own()).toHaveLength(limits.memoriesPerScope)
    expect((await put("user/tea-0", { ...tea, body: "Changed." })).status).toBe(200)
  })

  test("[MEM-8] what is pinned is bounded", async () => {
    for (let i = 0; i < limits.memoriesPinned; i++) await put(`user/tea-${i}`, { ...tea, pinned: true })
    expectProblem(await put("user/more", { ...tea, pinned: true }), {
      status: 409,
      code: "memory.full",
      pointer: "/pinned",
    })
    expect(await own("?q=more")).toEqual([])
  })

  test("[MEM-6] stays when the conversation it was written in is deleted; only tools and the person change it", async () => {
    const side = pathOf("host", `side-${count}`)
    await ask(server, "PUT", side, { token })
    server.script(calls("memory_write", { scope: "user", name: "tea", ...tea }), says("Noted."))
    await converse(server, side, "I drink green tea", { token })
    const written = await one("user/tea")
    expect(written).toMatchObject({ writtenBy: "host", writtenIn: { agent: "host", branch: `side-${count}` } })
    expect((await ask(server, "DELETE", side, { token })).status).toBe(204)
    expect(await one("user/tea")).toEqual(written)
  })
})
