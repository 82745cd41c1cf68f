/** Tools that a person always allows, and ratings of replies, over HTTP. */
import { defineTool } from "@parlor/core"
import { calls, says } from "@parlor/core/testing"
import { routes } from "@parlor/protocol"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"
import { ask, expected, expectProblem, read } from "./client.ts"
import { eventually, open, pathOf, send } from "./conversations.ts"
import { STORES, startTestServer, type TestServer } from "./server.ts"

const erase = defineTool({
  name: "erase",
  description: "",
  input: z.object({}),
  repeatable: false,
  approval: "always",
  run: async () => "Erased.",
})
const choose = defineTool({
  name: "choose",
  description: "",
  input: z.object({ other: z.boolean() }),
  repeatable: true,
  run: async ({ other }, context) =>
    (await context.ask({ kind: "question", title: "Which?", options: ["Tea", "Coffee"], other })) ?? "no answer",
})
const grantsView = routes.listGrants.answer.schema

describe.each(STORES)("on %s", (kind) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ kind, agent: { tools: [erase, choose] } })
  })
  afterAll(() => server.close())

  const asksOf = async (path: string) => (await open(server, path)).asks
  const answer = (path: string, body: object) => ask(server, "POST", `${path}/answer`, { body })
  const isIdle = (path: string) => eventually(async () => (await open(server, path)).status.state).toBe("idle")
  const isAsked = (path: string) => eventually(async () => (await asksOf(path)).length).toBe(1)
  const grants = async () => (await read(server, grantsView, "GET", "/v1/grants")).grants

  test("[ASK-4] a tool allowed from now on is not asked about again, there or everywhere, until it is revoked", async () => {
    const [first, second] = [pathOf("host", "main"), pathOf("host", "second")]
    server.script(calls("erase", {}), says("Ok."))
    await send(server, first, "Erase it")
    await isAsked(first)
    expect((await asksOf(first))[0]).toMatchObject({ kind: "approval", tool: "erase" })
    expectProblem(await answer(first, { answer: false, always: "agent" }), expected("ask.invalid", "/always"))
    expectProblem(await answer(first, { answer: true, always: "forever" }), expected("request.invalid", "/always"))
    expect(await grants()).toEqual([])
    expect((await answer(first, { answer: true, always: "conversation" })).status).toBe(200)
    await isIdle(first)
    server.script(calls("erase", {}), says("Again."))
    await send(server, first, "Erase it again")
    await isIdle(first)
    expect(await grants()).toMatchObject([{ agent: "host", branch: "main", tool: "erase" }])

    await ask(server, "PUT", second)
    server.script(calls("erase", {}), says("Ok."))
    await send(server, second, "Erase it")
    await isAsked(second)
    expect((await answer(second, { answer: true, always: "agent" })).status).toBe(200)
    await isIdle(second)
    const held = await grants()
    expect(held.map(({ branch }) => branch).sort()).toEqual(["main", null])
    for (const { id } of held)
      expect((await ask(server, "DELETE", `/v1/grants/${encodeURIComponent(id)}`)).status).toBe(204)
    expect(await grants()).toEqual([])
    expectProblem(await ask(server, "DELETE", "/v1/grants/host.main.erase"), expected("grant.unknown"))
    server.script(calls("erase", {}), says("Ok."))
    await send(server, second, "And again")
    await isAsked(second)
    expect((await answer(second, { answer: false })).status).toBe(200)
    await isIdle(second)
  })

  test("[ASK-2] a question with options takes another answer only if it says so", async () => {
    const path = pathOf("host", "main")
    server.script(calls("choose", { other: false }), calls("choose", { other: true }, "call_2"), says("Ok."))
    await send(server, path, "Ask me")
    await isAsked(path)
    expectProblem(await answer(path, { answer: "Water" }), expected("ask.invalid", "/answer"))
    expectProblem(await answer(path, { answer: "Tea", always: "agent" }), expected("ask.invalid", "/always"))
    expect((await answer(path, { answer: "Tea" })).status).toBe(200)
    await eventually(async () => (await asksOf(path))[0]?.other).toBe(true)
    expect((await answer(path, { answer: "Water" })).status).toBe(200)
    await isIdle(path)
  })

  test("[MSG-13] a reply is rated, the rating is exported and can be taken back", async () => {
    const path = pathOf("critic", "main")
    server.script(says("A fine reply."))
    await send(server, path, "Say something")
    await isIdle(path)
    const [mine, reply] = (await open(server, path)).messages
    const rate = (id: string | undefined, feedback: unknown) =>
      ask(server, "PUT", `${path}/messages/${id}/feedback`, { body: { feedback } })
    expect((await rate(reply?.id, "up")).status).toBe(204)
    expect((await open(server, path)).messages[1]).toEqual({ ...reply, feedback: "up" })
    expect((await ask(server, "GET", `${path}/export`)).text).toContain('"feedback":"up"')
    expect((await rate(reply?.id, null)).status).toBe(204)
    expect((await open(server, path)).messages[1]?.feedback).toBeNull()
    expectProblem(await rate(mine?.id, "up"), expected("feedback.target"))
    expectProblem(await rate("msg_none", "up"), expected("message.unknown"))
    expectProblem(await rate(reply?.id, "maybe"), expected("request.invalid", "/feedback"))
    const branch = await ask(server, "POST", `${path}/branches`, { body: { from: reply?.id, name: "aside" } })
    expect(branch.status).toBe(201)
    const there = await ask(server, "PUT", `${pathOf("critic", "aside")}/messages/${reply?.id}/feedback`, {
      body: { feedback: "up" },
    })
    expectProblem(there, expected("feedback.target"))
  })
})
