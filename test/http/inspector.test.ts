/** [LOG-15] The inspector over HTTP: pages of turns, one turn, refusals, and access. */
import { routes } from "@parlor/protocol"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ask, expected, expectProblem, jsonOf, read } from "./client.ts"
import { converse, open, pathOf } from "./conversations.ts"
import { STORES, startTestServer, type TestServer } from "./server.ts"

const page = routes.inspectTurns.answer.schema
const turn = routes.inspectTurn.answer.schema

describe.each(STORES)("[LOG-15] the inspector on %s", (kind) => {
  let server: TestServer
  const main = pathOf("host", "main")
  const turns = (query = "") => read(server, page, "GET", `${main}/inspect/turns${query}`)

  beforeAll(async () => {
    server = await startTestServer({ kind })
    for (const text of ["One", "Two", "Three"]) await converse(server, main, text)
  })
  afterAll(() => server.close())

  test("turns come newest first, by page, each with what it took", async () => {
    const all = await turns()
    expect(all).toMatchObject({ cursor: null })
    expect(all.turns.map(({ question, state, model, steps }) => [question, state, model, steps])).toEqual(
      ["Three", "Two", "One"].map((question) => [question, "done", "scripted", 1]),
    )
    const events = await ask(server, "GET", `${main}/events?offset=${all.turns[0]?.began}`)
    expect(JSON.parse(events.text)).toContainEqual(expect.objectContaining({ type: "turns", key: all.turns[0]?.id }))
    expect(events.text).not.toContain(`"${all.turns[1]?.id}"`)
    const first = await turns("?limit=2")
    expect(first.turns).toEqual(all.turns.slice(0, 2))
    const rest = await turns(`?limit=2&cursor=${encodeURIComponent(first.cursor ?? "")}`)
    expect(rest).toEqual({ turns: all.turns.slice(2), cursor: null })
  })

  test("a turn has its steps in full: the prompt is what the model was sent, the answer keeps to its description", async () => {
    const [newest] = (await turns("?limit=1")).turns
    const whole = await read(server, turn.strict(), "GET", `${main}/inspect/turns/${newest?.id}`)
    expect(whole.steps[0]?.prompt).toEqual({
      state: "exact",
      request: JSON.parse(JSON.stringify(server.requests.at(-1))),
    })
    const without = await read(server, turn, "GET", `${main}/inspect/turns/${newest?.id}?step=0`)
    expect(without.steps[0]?.prompt).toEqual({ state: "left-out", request: null })
    expect({ ...without, steps: [] }).toEqual({ ...whole, steps: [] })
  })

  test("[SEC-5] what is not there or makes no sense is refused by name", async () => {
    const refusals = [
      ["turns/trn_none", expected("turn.unknown", "turn")],
      ["turns/%27%3B%20DROP%20TABLE%20rows--", expected("turn.unknown", "turn")],
      ["turns/..%2F..%2Fetc", expected("turn.unknown", "turn")],
      ["turns/%00", { status: 422, code: "text.malformed" }],
      [`turns/${"x".repeat(200)}`, expected("request.invalid", "turn")],
      ["turns/trn_none?step=x", expected("request.invalid", "step")],
      ["turns/trn_none?step=-1", expected("request.invalid", "step")],
      ["turns?limit=0", expected("request.invalid", "limit")],
      ["turns?limit=100000", expected("request.invalid", "limit")],
      ["turns?cursor=nonsense", expected("cursor.invalid", "cursor")],
      ["turns?cursor=1~%25E0%25A4%25A", expected("cursor.invalid", "cursor")],
    ] as const
    for (const [path, problem] of refusals)
      expectProblem(await ask(server, "GET", `${main}/inspect/${path}`), problem, path)
    expectProblem(await ask(server, "GET", `${pathOf("host", "none")}/inspect/turns`), expected("conversation.unknown"))
  })

  test("[SEC-1] another person's turn is not there for one, by whatever id", async () => {
    const token = await server.addKey({ person: "bo" })
    const [mine] = (await turns("?limit=1")).turns
    await converse(server, main, "Mine", { token })
    const path = `${main}/inspect/turns/${mine?.id}`
    expectProblem(await ask(server, "GET", path, { token }), expected("turn.unknown", "turn"))
    const theirs = jsonOf(await ask(server, "GET", `${main}/inspect/turns`, { token })) as { turns: object[] }
    expect(theirs.turns).toMatchObject([{ question: "Mine" }])
  })

  test("[SEC-1, SEC-11] an import brings no record along: naming a hash opens nothing", async () => {
    const { messages } = await open(server, main)
    const stream = await server.runtime.conversation({ agent: "host", person: "me", branch: "main" })
    const row = (await server.store.log.read(stream.id, [{ collection: "turns", newest: 1 }]))?.lists[0]?.[0]
    const stolen = JSON.parse(row?.value ?? "{}") as { readonly step: { readonly brief: string } }
    expect(stolen.step.brief).toMatch(/^[0-9a-f]{64}$/)
    const token = await server.addKey({ person: "eve" })
    const lines = [{ parlor: 1, title: "" }, { turn: stolen }, { message: messages.at(-1) }]
    const body = lines.map((line) => JSON.stringify(line)).join("\n")
    const headers = { "content-type": "application/jsonl" }
    const imported = await ask(server, "POST", "/v1/import?agent=host&branch=loot", { token, headers, body })
    expect(imported.status, imported.text).toBe(201)
    const loot = `${pathOf("host", "loot")}/inspect/turns`
    const [one] = (jsonOf(await ask(server, "GET", loot, { token })) as { turns: { id: string }[] }).turns
    const answer = await ask(server, "GET", `${loot}/${one?.id}`, { token })
    expect(jsonOf(answer)).toMatchObject({ recorded: false, steps: [] })
    expect(answer.text).not.toContain("You are host.")
  })

  test("[SEC-11] what a conversation's models were told goes with it", async () => {
    const dumped = async () => JSON.stringify((await server.dump()).blobs ?? [])
    const critic = pathOf("critic", "main")
    await converse(server, critic, "Hello")
    const before = await dumped()
    await ask(server, "DELETE", critic)
    const after = await dumped()
    expect(after.length).toBeLessThan(before.length)
  })
})
