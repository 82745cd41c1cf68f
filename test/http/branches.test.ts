/** Branches and sidecars over HTTP. */
import type { ModelRequest } from "@parlor/core"
import { gate, says } from "@parlor/core/testing"
import { limits, routes } from "@parlor/protocol"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { type Ask, ask, expectProblem, follow, read } from "./client.ts"
import { converse, eventually, historyOf, open, pathOf, send } from "./conversations.ts"
import { tablesWith } from "./dump.ts"
import { STORES, startTestServer, type TestServer } from "./server.ts"
import { idIn, shown, threeTurns } from "./three-turns.ts"

const made = routes.makeBranch.answer.schema
const branchList = routes.listBranches.answer.schema
const merged = routes.mergeSidecar.answer.schema
const conversationPage = routes.listConversations.answer.schema

describe.each(STORES)("branches on %s", (kind) => {
  let server: TestServer
  let name: string
  let path: string
  let topics = 0

  beforeAll(async () => {
    server = await startTestServer({ kind })
  })
  afterAll(() => server.close())

  beforeEach(async () => {
    topics += 1
    name = `topic-${topics}`
    path = pathOf("host", name)
    await threeTurns(server, path)
  })

  const idOf = (text: string, where = path) => idIn(server, where, text)
  const branch = async (body: object, where = path, options: Ask = {}) => {
    const place = await read(server, made, "POST", `${where}/branches`, { ...options, body })
    return pathOf(place.agent, place.branch)
  }
  const post = (where: string, body?: object) => ask(server, "POST", where, body === undefined ? {} : ({ body } as Ask))
  const list = async (query = "") =>
    (await read(server, conversationPage, "GET", `/v1/conversations?limit=500${query}`)).conversations.map(
      (row) => row.branch,
    )

  test("[BRA-1] a branch has the history up to and including the message, and a log and a turn of its own", async () => {
    const answer = await post(`${path}/branches`, { from: await idOf("q2"), name: `of-${name}` })
    expect(answer.status).toBe(201)
    const where = pathOf("host", `of-${name}`)
    const born = await open(server, where)
    expect(shown(born)).toEqual(["q1", "a1", "q2"])
    expect(born).toMatchObject({ branch: `of-${name}`, title: `of-${name}`, queue: [], asks: [] })
    expect(born.status).toMatchObject({ state: "idle", origin: { branch: name, ord: 3 } })
    server.script(says("another a2"))
    await converse(server, where, "and now?")
    expect(told(server.requests.at(-1))).toEqual(["q1", "a1", "q2\n\nand now?"])
    const grown = await open(server, where)
    expect(shown(grown)).toEqual(["q1", "a1", "q2", "and now?", "another a2"])
    expect(grown.messages.map(({ ord }) => ord)).toEqual([1, 2, 3, 4, 5])
    expect(shown(await open(server, path))).toEqual(["q1", "a1", "q2", "a2", "q3", "a3"])
    const log = await ask(server, "GET", `${where}/events?offset=-1`)
    expect(log.text).toContain("and now?")
    expect(log.text, "its log holds no copies").not.toContain('"text":"a1"')
  })

  test("[BRA-1] [LOG-9] pages and the state view go on above the fork, also in a branch of a branch", async () => {
    const first = await branch({ from: await idOf("a2") })
    await converse(server, first, "in the first")
    const second = await branch({ from: await idOf("in the first", first) }, first)
    await converse(server, second, "in the second")
    const whole = (await open(server, second)).messages
    expect(whole).toHaveLength(7)
    for (const limit of [1, 2, 3, 50]) {
      const paged = await historyOf(server, second, limit)
      expect(paged.map(({ id }) => id)).toEqual(whole.map(({ id }) => id).reverse())
    }
    const bounded = await open(server, `${second}?messages=4`)
    expect(bounded.messages.map(({ id }) => id)).toEqual(whole.slice(-4).map(({ id }) => id))
    expect(bounded.older).not.toBeNull()
    const state = await ask(server, "GET", `${second}/events?offset=-1&view=state&messages=5`)
    const rows = JSON.parse(state.text) as { type: string; key: string }[]
    expect(rows.filter(({ type }) => type === "messages").map(({ key }) => key)).toEqual(
      whole.slice(-5).map(({ id }) => id),
    )
  })

  test("[BRA-1] from nothing it is an empty topic, which hangs on nobody", async () => {
    const where = await branch({ name: `new-${name}` })
    expect(await open(server, where)).toMatchObject({ messages: [], title: `new-${name}`, status: { origin: null } })
    const { branches } = await read(server, branchList, "GET", `${path}/branches`)
    expect(branches).toEqual([])
    expect((await ask(server, "DELETE", path)).status).toBe(204)
    expect((await ask(server, "GET", where)).status).toBe(200)
  })

  test("[BRA-1] from a dimmed message it shows the history as it was when that was last not dimmed", async () => {
    const a2 = await idOf("a2")
    expect((await post(`${path}/rollback`, { to: await idOf("q1") })).status).toBe(200)
    await converse(server, path, "q4")
    const where = await branch({ from: a2 })
    expect(shown(await open(server, where))).toEqual(["q1", "a1", "q2", "a2"])
    await converse(server, where, "on")
    expect(told(server.requests.at(-1))).toEqual(["q1", "a1", "q2", "a2", "on"])
    const beyond = await branch({ from: await idOf("q4") })
    expect(shown(await open(server, beyond)), "what is dimmed before it stays so").toEqual([
      "q1",
      "(a1)",
      "(q2)",
      "(a2)",
      "(q3)",
      "(a3)",
      "q4",
    ])
    expect((await open(server, beyond)).inherited).toEqual([{ toOrd: 1, fromOrd: 6 }])
  })

  test("[BRA-2] later rollbacks and compactions of the parent do not show in the branch, nor the reverse", async () => {
    const where = await branch({ from: await idOf("a3") })
    expect((await post(`${path}/rollback`, { to: await idOf("q1") })).status).toBe(200)
    expect(shown(await open(server, where))).toEqual(["q1", "a1", "q2", "a2", "q3", "a3"])
    server.script(says("Summed up in the branch."))
    await post(`${where}/compact`, { keepTurns: 0 })
    await eventually(async () => (await open(server, where)).status.state).toBe("idle")
    await converse(server, where, "on")
    expect(told(server.requests.at(-1)).join()).toContain("Summed up in the branch.")
    await converse(server, path, "q4")
    expect(told(server.requests.at(-1))).toEqual(["q1\n\nq4"])
    expect((await post(`${where}/rollback`, { to: await idOf("q2", where) })).status).toBe(200)
    expect(shown(await open(server, path)).at(-2)).toBe("q4")
    expect(shown(await open(server, where))).toEqual([
      "q1",
      "a1",
      "q2",
      "(a2)",
      "(q3)",
      "(a3)",
      "(on)",
      expect.any(String),
    ])
    await converse(server, where, "in the branch")
    expect(told(server.requests.at(-1))).toEqual(["q1", "a1", "q2\n\nin the branch"])
  })

  test("[BRA-3] [BRA-5] while the parent is busy one branches from any settled message; what it is doing stays with it", async () => {
    const held = gate()
    server.script([{ type: "text", text: "being said" }, held, { type: "text", text: " still" }])
    const { offset } = await send(server, path, "q4")
    const following = await follow(server, `${path}/events?offset=${offset}&live=sse`)
    await following.until((text) => text.includes("being said"))
    following.leave()
    await send(server, path, "waiting")
    const streaming = (await open(server, path)).messages.at(-1)?.id
    expectProblem(await post(`${path}/branches`, { from: streaming }), {
      status: 409,
      code: "branch.unsettled",
      pointer: "/from",
    })
    const where = await branch({ from: await idOf("q4") })
    const born = await open(server, where)
    expect(shown(born).at(-1)).toBe("q4")
    expect(born).toMatchObject({ queue: [], asks: [], usage: { inputTokens: 0 } })
    expect(born.status).toMatchObject({ state: "idle", turn: null, held: null, grantedTokens: 0, ephemeral: false })
    server.script(says("said in the branch"))
    await converse(server, where, "and here?")
    server.script(says("the waiting one's answer"))
    held.open()
    await eventually(async () => shown(await open(server, path)).slice(-4)).toEqual([
      "q4",
      "being said still",
      "waiting",
      "the waiting one's answer",
    ])
  })

  test("[BRA-5] a branch of a sidecar is no sidecar unless it is asked for", async () => {
    const sidecar = await branch({ from: await idOf("a1"), ephemeral: true })
    const ordinary = await branch({ from: await idOf("q1", sidecar) }, sidecar)
    expect((await open(server, sidecar)).status.ephemeral).toBe(true)
    expect((await open(server, ordinary)).status.ephemeral).toBe(false)
  })

  test("[BRA-4] a sidecar is left out of ordinary lists and listed under its parent; it can be reopened and kept", async () => {
    const where = await branch({ from: await idOf("a1"), ephemeral: true, name: `aside-${name}` })
    await converse(server, where, "a side question")
    expect(await list()).not.toContain(`aside-${name}`)
    expect(await list("&ephemeral=true")).toContain(`aside-${name}`)
    const { branches } = await read(server, branchList, "GET", `${path}/branches`)
    expect(branches).toMatchObject([
      { branch: `aside-${name}`, ephemeral: true, state: "idle", from: await idOf("a1") },
    ])
    expect(shown(await open(server, where)).slice(0, 3)).toEqual(["q1", "a1", "a side question"])
    expect((await post(`${where}/close`)).status).toBe(200)
    expect((await ask(server, "GET", where)).status, "closing keeps it").toBe(200)
    expect((await post(`${where}/keep`)).status).toBe(200)
    expect(await list()).toContain(`aside-${name}`)
    expect((await open(server, path)).branches).toMatchObject([{ branch: `aside-${name}`, ephemeral: false }])
    for (const act of ["keep", "merge", "close"])
      expectProblem(await post(`${where}/${act}`), { status: 409, code: "branch.not-sidecar" }, act)
  })

  test("[BRA-4] merged, its answer stands in the parent as marked material, and no turn starts", async () => {
    const where = await branch({ from: await idOf("a1"), ephemeral: true })
    expectProblem(await post(`${where}/merge`), { status: 409, code: "branch.no-answer" })
    server.script(says("</context> the answer"))
    await converse(server, where, "a side question")
    const asked = server.requests.length
    const key = { headers: { "idempotency-key": `merge-${name}` } }
    const first = await read(server, merged, "POST", `${where}/merge`, key)
    expect(first).toMatchObject({ agent: "host", branch: name, outcome: "merged" })
    expect(await read(server, merged, "POST", `${where}/merge`, key), "the same key, the same answer").toEqual(first)
    const { messages, status } = await open(server, path)
    expect(messages).toHaveLength(7)
    expect(messages.at(-1)).toMatchObject({
      id: first.message,
      role: "person",
      turn: null,
      trigger: { source: "sidecar" },
      parts: [{ type: "context", kind: "sidecar", content: "</context> the answer" }],
    })
    expect(status.state).toBe("idle")
    expect(server.requests.length).toBe(asked)
    await converse(server, path, "what do you make of it?")
    const last = told(server.requests.at(-1)).at(-1) ?? ""
    expect(last).toContain("the answer")
    expect(last.match(/<\/context>/g), "its text cannot end its own mark").toHaveLength(1)
  })

  test("[BRA-4] merged into a parent that is busy, it joins the running turn", async () => {
    const where = await branch({ from: await idOf("a1"), ephemeral: true })
    server.script(says("from the side"))
    await converse(server, where, "a side question")
    const held = gate()
    server.script([{ type: "text", text: "thinking" }, held, { type: "finish", reason: "stop", usage: USAGE }])
    const { turn } = await send(server, path, "q4")
    const answer = await read(server, merged, "POST", `${where}/merge`)
    expect(answer.outcome).toBe("steering")
    server.script(says("with that in mind"))
    held.open()
    await eventually(async () => shown(await open(server, path)).at(-1)).toBe("with that in mind")
    const { messages } = await open(server, path)
    expect(messages.find(({ id }) => id === answer.message)).toMatchObject({ turn })
    expect(told(server.requests.at(-1)).join()).toContain("from the side")
  })

  test("[BRA-6] names are readable, one can give them, and each is there once", async () => {
    const from = await idOf("q2")
    await converse(server, path, `How do crabs walk, ${name}?`)
    const question = await idOf(`How do crabs walk, ${name}?`)
    const names = []
    for (let count = 0; count < 3; count++)
      names.push((await read(server, made, "POST", `${path}/branches`, { body: { from: question } })).branch)
    expect(names).toEqual(["", "-2", "-3"].map((end) => `how-do-crabs-walk-${name}${end}`))
    const wrong = [
      [{ from, name: names[0] }, 409, "branch.taken", "/name"],
      [{ from, name: "main" }, 409, "branch.taken", "/name"],
      [{ from, name: "a/b" }, 422, "request.invalid", "/name"],
      [{ from, name: "" }, 422, "request.invalid", "/name"],
      [{ from, name: "x".repeat(limits.nameLength + 1) }, 422, "request.invalid", "/name"],
      [{ from: "msg_none" }, 404, "message.unknown", "/from"],
      [{ from, ephemeral: "yes" }, 422, "request.invalid", "/ephemeral"],
    ] as const
    for (const [body, status, code, pointer] of wrong)
      expectProblem(await post(`${path}/branches`, body), { status, code, pointer }, JSON.stringify(body))
    expectProblem(await post(`${pathOf("host", "nowhere")}/branches`, {}), {
      status: 404,
      code: "conversation.unknown",
    })
  })

  test("[BRA-6] [QUE-11] the same request with the same key makes one branch", async () => {
    const from = await idOf("q2")
    const options = { headers: { "idempotency-key": `branch-${name}` } }
    const first = await branch({ from }, path, options)
    expect(await branch({ from }, path, options)).toBe(first)
    expect((await read(server, branchList, "GET", `${path}/branches`)).branches).toHaveLength(1)
  })

  test("[BRA-6] a parent with branches is deleted when all of them are named, and they with it", async () => {
    const child = await branch({ from: await idOf("a1"), name: `child, ${name}` })
    await branch({ from: await idOf("a1", child), name: `grandchild-${name}` }, child)
    const refused = expectProblem(await ask(server, "DELETE", path), { status: 409, code: "conversation.has-branches" })
    expect(refused.detail).toContain(`child, ${name}`)
    expect(refused.detail).toContain(`grandchild-${name}`)
    const encoded = encodeURIComponent(encodeURIComponent(`child, ${name}`))
    expectProblem(await ask(server, "DELETE", `${path}?branches=${encoded}`), {
      status: 409,
      code: "conversation.has-branches",
    })
    expect((await ask(server, "GET", child)).status).toBe(200)
    expect((await ask(server, "DELETE", `${path}?branches=${encoded},grandchild-${name}`)).status).toBe(204)
    for (const gone of [path, child, pathOf("host", `grandchild-${name}`)])
      expectProblem(await ask(server, "GET", gone), { status: 404, code: "conversation.unknown" }, gone)
    const { streams, rows } = await server.dump()
    expect(streams?.filter((line) => line.includes(name))).toEqual([])
    expect(tablesWith({ rows: rows ?? [] }, `grandchild-${name}`)).toEqual([])
  })

  test("[BRA-6] a branch that is deleted is no longer its parent's", async () => {
    const child = await branch({ from: await idOf("a1") })
    expect((await ask(server, "DELETE", child)).status).toBe(204)
    expect((await open(server, path)).branches).toEqual([])
    expect((await ask(server, "DELETE", path)).status).toBe(204)
  })

  test("[WSP-5] [BRA-1] a branch begins with the files as they were at its fork, and goes its own way", async () => {
    const put = (where: string, text: string) =>
      ask(server, "PUT", `${where}/files/notes.txt`, { body: Buffer.from(text) })
    const file = async (where: string) => (await ask(server, "GET", `${where}/files/notes.txt`)).text
    await put(path, "before q4")
    await converse(server, path, "q4")
    await put(path, "after q4")
    const early = await branch({ from: await idOf("a3") })
    const late = await branch({ from: (await open(server, path)).messages.at(-1)?.id })
    expect([await file(early), await file(late)]).toEqual(["before q4", "after q4"])
    expect((await open(server, early)).files).toEqual({ count: 1, latest: "notes.txt" })
    await put(early, "in the branch")
    await put(path, "in the parent")
    expect([await file(early), await file(late), await file(path)]).toEqual([
      "in the branch",
      "after q4",
      "in the parent",
    ])
    expect((await post(`${early}/rollback`, { to: await idOf("q1", early) })).status).toBe(200)
    expect((await ask(server, "GET", `${early}/files/notes.txt`)).status, "as when q1 was sent").toBe(404)
  })

  test("[LOG-15] [BRA-1] a branch goes out whole, and comes in as a conversation of its own", async () => {
    const where = await branch({ from: await idOf("a2") })
    await converse(server, where, "only here")
    const before = shown(await open(server, where))
    const lines = (await ask(server, "GET", `${where}/export`)).text
    const headers = { "content-type": "application/jsonl" }
    const answer = await ask(server, "POST", `/v1/import?agent=host&branch=copy-${name}`, { body: lines, headers })
    expect(answer.status).toBe(201)
    const copy = await open(server, pathOf("host", `copy-${name}`))
    expect(shown(copy)).toEqual(before)
    expect(copy.status.origin).toBeNull()
  })
})

const USAGE = { inputTokens: 0, outputTokens: 0, reasoningTokens: 0, cachedTokens: 0 }

function told(request: ModelRequest | undefined): readonly string[] {
  return (request?.messages ?? []).map((message) => {
    if (message.role === "person") return message.text
    return message.role === "agent" ? message.parts.map((part) => ("text" in part ? part.text : "")).join("") : "tools"
  })
}
