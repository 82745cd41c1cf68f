/** Queued messages over HTTP: the operations, and the errors for requests that come too late. */
import { finish, type Gate, gate } from "@parlor/core/testing"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type Answer, ask, expectProblem, jsonOf } from "./client.ts"
import { eventually, headOf, historyOf, open, pathOf, send, visible } from "./conversations.ts"
import { STORES, startTestServer, type TestServer } from "./server.ts"

describe.each(STORES)("the queue on %s", (kind) => {
  let server: TestServer
  let branches = 0

  beforeAll(async () => {
    server = await startTestServer({ kind })
  })

  afterAll(() => server.close())

  /** A conversation whose turn runs until `busy` is opened, with queued messages. */
  async function busyWith(...texts: string[]): Promise<{ path: string; busy: Gate; ids: string[]; turn: string }> {
    const path = pathOf("host", `queue-${++branches}`)
    const busy = gate()
    server.script([{ type: "text", text: "Busy" }, busy, finish()])
    await ask(server, "PUT", path)
    const { turn } = await send(server, path, "first")
    const ids: string[] = []
    for (const text of texts) ids.push((await send(server, path, text)).message)
    return { path, busy, ids, turn: turn ?? "" }
  }

  const at = (path: string, id: string | undefined, more = "") => `${path}/queue/${id}${more}`
  const idle = (path: string) => eventually(async () => (await open(server, path)).status.state).toBe("idle")
  const asked = async (path: string) =>
    visible(await historyOf(server, path, 50)).filter((line) => line.startsWith("person"))
  const waiting = async (path: string) =>
    (await open(server, path)).queue.map((row) => (row.payload as { source: string }).source)
  const patch = (path: string, id: string | undefined, body: unknown): Promise<Answer> =>
    ask(server, "PATCH", at(path, id), { body })

  test("[QUE-7] edit, move, pause, release, remove; the snapshot shows them in order", async () => {
    const { path, busy, ids } = await busyWith("a", "b", "c")
    expect(jsonOf(await patch(path, ids[0], { text: "A", version: 1 }))).toMatchObject({ message: { version: 2 } })
    expect((await patch(path, ids[2], { before: ids[0], version: 1 })).status).toBe(200)
    expect((await patch(path, ids[1], { mode: "paused", version: 1 })).status).toBe(200)
    expect(await waiting(path)).toEqual(["c", "A", "b"])
    expect((await ask(server, "DELETE", at(path, ids[2]))).status).toBe(204)
    busy.open()
    await eventually(() => waiting(path)).toEqual(["b"])
    await idle(path)
    expect((await patch(path, ids[1], { mode: "immediate", version: 2 })).status).toBe(200)
    await eventually(() => waiting(path)).toEqual([])
    await idle(path)
    expect(await asked(path)).toEqual(["person: b", "person: A", "person: first"])
  })

  test("[QUE-3] a hundred and fifty that come in the same moment are all taken, each once, in some order", async () => {
    const { path } = await busyWith()
    const texts = Array.from({ length: 150 }, (_, index) => `message ${index}`)
    const taken = await Promise.all(texts.map((text) => ask(server, "POST", `${path}/messages`, { body: { text } })))
    expect(new Set(taken.map(({ status }) => status))).toEqual(new Set([202]))
    expect((await waiting(path)).toSorted()).toEqual(texts.toSorted())
    const places = taken.map((answer) => (jsonOf(answer) as { place: number }).place)
    expect(places.toSorted((a, b) => a - b)).toEqual(texts.map((_, index) => index + 1))
    expect((await ask(server, "DELETE", `${path}/queue`)).status).toBe(200)
  })

  test("[QUE-9] whoever comes too late is told what happened, and nothing changes", async () => {
    const { path, busy, ids, turn } = await busyWith("a", "b")
    expectProblem(await patch(path, ids[0], { text: "x", version: 7 }), {
      status: 409,
      code: "message.changed",
      pointer: "/version",
    })
    expect((await ask(server, "DELETE", at(path, ids[0]))).status).toBe(204)
    expectProblem(await ask(server, "DELETE", at(path, ids[0])), { status: 409, code: "message.not-queued" })
    expectProblem(await ask(server, "POST", `${path}/stop`, { body: { turn: "trn_other" } }), {
      status: 409,
      code: "turn.over",
    })
    busy.open()
    await eventually(() => waiting(path)).toEqual([])
    await idle(path)
    const head = await headOf(server, path)
    const late = await patch(path, ids[1], { text: "too late", version: 1 })
    expectProblem(late, { status: 409, code: "message.not-queued" })
    expect(late.text).toContain("has already started")
    expectProblem(await ask(server, "POST", at(path, ids[1], "/send-now")), { status: 409, code: "message.not-queued" })
    expectProblem(await ask(server, "POST", `${path}/stop`, { body: { turn } }), { status: 409, code: "turn.over" })
    expectProblem(await ask(server, "POST", `${path}/stop`, { body: {} }), { status: 409, code: "turn.none" })
    expect(await headOf(server, path)).toBe(head)
  })

  test("[QUE-10] send now; [QUE-5] hold, resume, clear", async () => {
    const { path, ids } = await busyWith("a", "b")
    const sentNow = await ask(server, "POST", at(path, ids[1], "/send-now"))
    expect(sentNow.status).toBe(202)
    expect(jsonOf(sentNow)).toMatchObject({ message: ids[1], outcome: "started" })
    await eventually(() => waiting(path)).toEqual([])
    await idle(path)
    expect(await asked(path)).toEqual(["person: a", "person: b", "person: first"])
    expect(jsonOf(await ask(server, "POST", `${path}/queue/hold`))).toMatchObject({ held: { reason: "asked" } })
    const body = { text: "waits", mode: "queued" }
    expect(jsonOf(await ask(server, "POST", `${path}/messages`, { body }))).toMatchObject({
      outcome: "queued",
      place: 1,
    })
    expect((await open(server, path)).status.held).toMatchObject({ reason: "asked" })
    expect(jsonOf(await ask(server, "DELETE", `${path}/queue`))).toEqual({ removed: 1 })
    expect(jsonOf(await ask(server, "POST", `${path}/queue/resume`))).toEqual({ held: null, queued: 0 })
  })

  test("[QUE-8] an edit lease is taken, renewed and ended", async () => {
    const { path, busy, ids } = await busyWith("a")
    const lease = await ask(server, "PUT", at(path, ids[0], "/lease"), { body: { holder: "tab-1" } })
    expect(jsonOf(lease)).toMatchObject({ message: { lease: { holder: "tab-1" } } })
    busy.open()
    await idle(path)
    expect(await waiting(path)).toEqual(["a"])
    expect((await ask(server, "DELETE", at(path, ids[0], "/lease"))).status).toBe(204)
    await eventually(() => waiting(path)).toEqual([])
    await idle(path)
  })

  test("[QUE-12] a position that is none and a steer with nothing running are answered clearly", async () => {
    const path = pathOf("host", `queue-${++branches}`)
    await ask(server, "PUT", path)
    const head = await headOf(server, path)
    const odd = await ask(server, "POST", `${path}/messages`, { body: { text: "x", position: "~" } })
    expectProblem(odd, { status: 422, code: "position.invalid", pointer: "/position" })
    expect(await headOf(server, path)).toBe(head)
    const steer = await ask(server, "POST", `${path}/messages`, { body: { text: "x", mode: "steer" } })
    expect(jsonOf(steer)).toMatchObject({ outcome: "started", note: { code: "steer.nothing-running" } })
    await idle(path)
  })

  test("[ADR-1] who has lost everything but the token finds the conversation, reads it, stops it and goes on", async () => {
    const { path, ids } = await busyWith("a")
    const listed = jsonOf(await ask(server, "GET", "/v1/conversations?limit=500")) as {
      conversations: { agent: string; branch: string; state: string; queued: number }[]
    }
    const found = listed.conversations.find((row) => pathOf(row.agent, row.branch) === path)
    expect(found).toMatchObject({ agent: "host", state: "busy", queued: 1 })
    const seen = await open(server, path)
    expect(seen.queue.map((row) => row.id)).toEqual(ids)
    expect((await ask(server, "POST", `${path}/stop`, { body: {} })).status).toBe(200)
    expect((await ask(server, "DELETE", `${path}/queue`)).status).toBe(200)
    await send(server, path, "again")
    await idle(path)
    expect(await asked(path)).toEqual(["person: again", "person: first"])
  })

  test("[TRN-12] an ask nobody asked, and a wrong edit, are refused", async () => {
    const { path, busy, ids } = await busyWith("a")
    expectProblem(await ask(server, "POST", `${path}/asks/ask_no/answer`, { body: { answer: true } }), {
      status: 404,
      code: "ask.unknown",
    })
    expectProblem(await patch(path, ids[0], { text: "x" }), {
      status: 422,
      code: "request.invalid",
      pointer: "/version",
    })
    expectProblem(await patch(path, ids[0], { before: "msg_no", version: 1 }), {
      status: 422,
      code: "position.invalid",
      pointer: "/before",
    })
    expectProblem(await patch(path, ids[0], { before: ids[0], after: ids[0], version: 1 }), {
      status: 422,
      code: "request.invalid",
    })
    busy.open()
    await eventually(() => waiting(path)).toEqual([])
    await idle(path)
  })
})
