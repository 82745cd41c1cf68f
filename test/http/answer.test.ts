/** Answering the open ask of a conversation by its address. */
import { defineTool } from "@parlor/core"
import { calls, says } from "@parlor/core/testing"
import { routes } from "@parlor/protocol"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"
import { ask, expected, expectProblem, read } from "./client.ts"
import { eventually, open, pathOf, send } from "./conversations.ts"
import { STORES, startTestServer, type TestServer } from "./server.ts"

const askPerson = defineTool({
  name: "ask_person",
  description: "",
  input: z.object({ question: z.string() }),
  repeatable: true,
  run: async ({ question }, context) => (await context.ask({ kind: "question", title: question })) ?? "no answer",
})
describe.each(STORES)("[API-22] the open ask on %s", (kind) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ kind, agent: { tools: [askPerson] } })
  })
  afterAll(() => server.close())

  const asksOf = async (path: string) => (await open(server, path)).asks
  const answer = (path: string, given: unknown, headers = {}) =>
    ask(server, "POST", `${path}/answer`, { body: { answer: given }, headers })
  const isIdle = (path: string) => eventually(async () => (await open(server, path)).status.state).toBe("idle")

  test("is answered without its id, once for one Idempotency-Key, and the next one too", async () => {
    const path = pathOf("host", "main")
    server.script(
      calls("ask_person", { question: "Red?" }),
      calls("ask_person", { question: "Blue?" }, "call_2"),
      says("Ok."),
    )
    expectProblem(await answer(path, "early"), expected("ask.none"))
    await send(server, path, "Ask me")
    await eventually(async () => (await asksOf(path)).map(({ title }) => title)).toEqual(["Red?"])
    expectProblem(await answer(path, { not: "a text" }), expected("ask.invalid", "/answer"))
    const first = await answer(path, "red", { "idempotency-key": "first" })
    expect(first.status).toBe(200)
    await eventually(async () => (await asksOf(path)).map(({ title }) => title)).toEqual(["Blue?"])
    // A repeat gets the first response and does not answer the next question.
    expect((await answer(path, "red", { "idempotency-key": "first" })).text).toBe(first.text)
    expect(await asksOf(path)).toHaveLength(1)
    const second = await read(server, routes.answerOpenAsk.answer.schema, "POST", `${path}/answer`, {
      body: { answer: "blue" },
    })
    expect(second.ask).toMatchObject({ title: "Blue?", state: "answered", answer: "blue", answeredBy: "me" })
    await isIdle(path)
    expectProblem(await answer(path, "late"), expected("ask.none"))
  })

  test("is refused with the ids if there are several, and closes none", async () => {
    const path = pathOf("critic", "main")
    server.script(calls("ask_person", { question: "Red?" }), says("Ok."))
    await send(server, path, "Ask me")
    await eventually(async () => (await asksOf(path)).length).toBe(1)
    const [first] = await asksOf(path)
    const other = { ...first, id: `${first?.id}-2`, kind: "approval", title: "Sure?" }
    await addAsk(path, other)
    const asks = await asksOf(path)
    expect(asks).toHaveLength(2)
    const { detail } = expectProblem(await answer(path, "red"), expected("ask.several"))
    for (const { id } of asks) expect(detail).toContain(id)
    expect(await asksOf(path)).toEqual(asks)
    await ask(server, "POST", `${path}/asks/${other.id}/answer`, { body: { answer: true } })
    expect((await answer(path, "red")).status).toBe(200)
    await isIdle(path)
  })

  /** No agent of today asks twice at the same time, so the second ask is written as another node would. */
  async function addAsk(path: string, row: { readonly id: string }): Promise<void> {
    const [agent = "", branch = ""] = path.split("/").slice(3)
    const stream = await server.runtime.conversation({ agent, branch, person: "me" })
    const value = JSON.stringify(row)
    const change = { collection: "asks", key: row.id, operation: "insert", value, ord: null, place: row.id } as const
    await server.store.log.commit([{ stream: stream.id, changes: [change], txid: server.runtime.txid(), at: 1 }])
  }
})
