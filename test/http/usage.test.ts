/** [SEC-20] Usage over HTTP: each person's own, and everyone's for those who manage the server. */
import { Parlor } from "@parlor/client"
import { routes } from "@parlor/protocol"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { ask, expectProblem, read } from "./client.ts"
import { eventually } from "./conversations.ts"
import { startTestServer, type TestServer } from "./server.ts"

let server: TestServer
beforeEach(async () => {
  server = await startTestServer()
})
afterEach(() => server.close())

const usageOf = (token: string, query = "") =>
  read(server, routes.readUsage.answer.schema, "GET", `/v1/usage${query}`, { token })

describe("[SEC-20] usage", () => {
  test("is a person's own, by source, agent and model; a deleted conversation leaves it", async () => {
    const token = await server.addKey({ person: "ana" })
    expect(await usageOf(token)).toMatchObject({ person: "ana", calls: 0, tokens: { used: 0 }, lines: [] })
    const parlor = new Parlor({ baseUrl: `http://127.0.0.1:${server.port}`, token })
    await parlor.conversation("host").send("hello")
    await eventually(async () => (await usageOf(token)).calls).toBe(1)
    const used = await usageOf(token)
    expect(used.lines).toMatchObject([{ source: "person", agent: "host", calls: 1 }])
    expect(used.tokens.limit).toBeGreaterThan(1_000_000)
    expect(used.resetsAt).toBeGreaterThan(Date.now())
    await parlor.conversation("host").delete()
    const { stored: _, conversations, ...after } = await parlor.usage()
    expect(used).toMatchObject(after)
    expect(conversations.used).toBe(0)
    expect((await parlor.usage({ days: 7 })).lines).toEqual(used.lines)
  })

  test("of another person needs the right to manage and to speak for them", async () => {
    const bob = await server.addKey({ person: "bob" })
    expectProblem(await ask(server, "GET", "/v1/usage?person=ana", { token: bob }), {
      status: 403,
      code: "auth.forbidden",
    })
    const manager = await server.addKey({ person: "bob", scopes: ["read", "manage"] })
    expectProblem(await ask(server, "GET", "/v1/usage?person=ana", { token: manager }), {
      status: 403,
      code: "person.not-allowed",
    })
    expect(await usageOf(bob, "?person=bob")).toMatchObject({ person: "bob" })
    expect(await usageOf(server.token, "?person=ana")).toMatchObject({ person: "ana" })
    expectProblem(await ask(server, "GET", "/v1/usage?days=0"), {
      status: 422,
      code: "request.invalid",
    })
  })
})
