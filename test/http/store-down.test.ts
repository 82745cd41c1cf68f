/** [SEC-5, LOG-4] A store that is down: 503 with Retry-After, and nothing partly accepted. */
import { type Route, type RouteName, routes } from "@parlor/protocol"
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest"
import { cells, SECRET_BRANCH } from "./cells.ts"
import { type Answer, ask, expectProblem, jsonOf, read } from "./client.ts"
import { converse, eventually, headOf, historyOf, open, pathOf, visible } from "./conversations.ts"
import { EVERYTHING, outage, WRITES } from "./failing-store.ts"
import { STORES, startTestServer, type TestServer } from "./server.ts"

const secret = pathOf("host", SECRET_BRANCH)
/** Routes that do not need the store. Over MCP, this includes the list of tools; this server connects no providers. */
const UNTOUCHED: readonly RouteName[] = [
  "live",
  "describe",
  "version",
  "metrics",
  "readConfig",
  "listAgents",
  "listModels",
  "openaiModels",
  "openaiModel",
  "listMcpServers",
  "pinMcpTool",
  "mcp",
  "readAccount",
  "readSignIn",
  "listProviders",
  "connectProvider",
  "testProvider",
]
const READINESS: readonly RouteName[] = ["ready", "health"]
const touching = (Object.keys(routes) as RouteName[]).filter(
  (name) => !UNTOUCHED.includes(name) && !READINESS.includes(name),
)

describe.each(STORES)("a store that is down (%s)", (kind) => {
  const trouble = outage()
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer({ kind, wrap: trouble.wrap })
    await ask(server, "PUT", secret)
    await converse(server, secret, "before")
  })

  afterEach(() => {
    trouble.down = new Set()
  })

  afterAll(() => server.close())

  function expectDown(answer: Answer, about = ""): void {
    const { detail } = expectProblem(answer, { status: 503, code: "store.unavailable" }, about)
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0)
    expect(detail).not.toContain("10.1.2.3")
  }

  test.each(touching)("[SEC-5] %s is answered with 503 and a time to come back", async (name) => {
    const { path, ask: asking } = cells("key_any")[name]
    const head = await headOf(server, secret)
    trouble.down = EVERYTHING
    expectDown(await ask(server, (routes[name] as Route).method, path, asking), name)
    trouble.down = new Set()
    expect(await headOf(server, secret)).toBe(head)
    for (const branch of ["made", "imported"])
      expect((await ask(server, "GET", pathOf("host", branch))).status, branch).toBe(404)
  })

  test("[SEC-5, API-46] a tool called over MCP says so in its result", async () => {
    const { path, ask: asking } = cells("key_any").mcp
    const params = { name: "send", arguments: { agent: "host", branch: SECRET_BRANCH, text: "hi" } }
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })
    trouble.down = EVERYTHING
    const { status, text } = await ask(server, "POST", path, { ...asking, body })
    expect(status).toBe(200)
    expect(text).toContain("store.unavailable: The store cannot be reached.")
    expect(text).not.toContain("10.1.2.3")
  })

  test("[SEC-16] it is alive and not ready, and says which check failed; it is ready again by itself", async () => {
    trouble.down = EVERYTHING
    for (const path of ["/readyz", "/healthz"])
      await vi.waitFor(async () => {
        const answer = await ask(server, "GET", path, { token: null })
        const { detail } = expectProblem(answer, { status: 503, code: "server.not-ready" })
        expect(detail).toBe("store: failed")
        expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0)
      }, 10_000)
    expect(jsonOf(await ask(server, "GET", "/livez", { token: null }))).toMatchObject({ ok: true })
    trouble.down = new Set()
    await vi.waitFor(async () => {
      expect(jsonOf(await ask(server, "GET", "/readyz", { token: null }))).toMatchObject({ ok: true })
    }, 10_000)
  })

  test("[SEC-5] a key that cannot be looked up is not let in and not turned away for good", async () => {
    const token = await server.addKey({})
    trouble.down = new Set(["keys.find", "keys.findAll"])
    expectDown(await ask(server, "GET", "/v1/agents", { token }))
    expect((await ask(server, "GET", "/v1/agents")).status).toBe(200)
  })

  test("[LOG-4] a send that was refused is nowhere, and the same key sends it once afterwards", async () => {
    const path = pathOf("host", "outbox")
    await ask(server, "PUT", path)
    const sending = () =>
      ask(server, "POST", `${path}/messages`, { body: { text: "once" }, headers: { "idempotency-key": "k" } })
    for (const down of [EVERYTHING, WRITES, new Set(["log.commit"] as const), new Set(["log.read"] as const)]) {
      trouble.down = down
      expectDown(await sending())
    }
    trouble.down = new Set()
    expect(await historyOf(server, path, 50)).toEqual([])
    const [first, second] = [await sending(), await sending()]
    expect(first.status).toBe(202)
    expect(jsonOf(second)).toEqual(jsonOf(first))
    await eventually(async () => (await open(server, path)).status.state).toBe("idle")
    expect(visible((await open(server, path)).messages).filter((line) => line === "person: once")).toHaveLength(1)
  })

  test("[SEC-5] what only reads goes on while nothing can be written", async () => {
    trouble.down = WRITES
    for (const path of [secret, `${secret}/messages`, `${secret}/events`, `${secret}/export`, "/v1/conversations"])
      expect((await ask(server, "GET", path)).status, path).toBe(200)
    expectDown(await ask(server, "PATCH", secret, { body: { pinned: true } }))
    trouble.down = new Set()
    expect((await open(server, secret)).status.pinned).toBe(false)
  })

  test("[SEC-5] a delete that failed deleted nothing; a key that failed is not there", async () => {
    trouble.down = WRITES
    expectDown(await ask(server, "DELETE", secret))
    expectDown(await ask(server, "POST", "/v1/keys", { body: { name: "lost" } }))
    trouble.down = new Set()
    expect(visible((await open(server, secret)).messages)[0]).toBe("person: before")
    const { keys } = await read(server, routes.listKeys.answer.schema, "GET", "/v1/keys")
    expect(keys.map(({ name }) => name)).not.toContain("lost")
  })

  test("[LOG-22] a refusal does not claim that nothing happened, and says how to repeat it", async () => {
    trouble.down = WRITES
    const answer = await ask(server, "POST", `${secret}/messages`, { body: { text: "unclear" } })
    expect(expectProblem(answer, { status: 503, code: "store.unavailable" }).detail).toBe(
      "The store cannot be reached. The request may have succeeded. Repeat it with the same Idempotency-Key.",
    )
  })

  test("[SEC-8] what the store's driver said goes to the log, not to the caller", async () => {
    trouble.down = EVERYTHING
    const answer = await ask(server, "GET", secret)
    expect(answer.text).not.toMatch(/ECONNREFUSED|10\.1\.2\.3|parlor_admin/)
    expect(server.logged.some((line) => line.includes("ECONNREFUSED"))).toBe(true)
  })
})
