/** Rollback over HTTP: what is shown, what the model gets, and all invalid requests. */
import type { ModelRequest } from "@parlor/core"
import { gate, says } from "@parlor/core/testing"
import { routes } from "@parlor/protocol"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { type Ask, ask, expectProblem, follow, read } from "./client.ts"
import { converse, eventually, historyOf, open, pathOf, send } from "./conversations.ts"
import { STORES, startTestServer, type TestServer } from "./server.ts"
import { idIn, shown, threeTurns } from "./three-turns.ts"

const rolledBack = routes.rollBack.answer.schema
const cancelled = routes.cancelRollback.answer.schema
const preview = routes.previewRollback.answer.schema

describe.each(STORES)("rollback on %s", (kind) => {
  let server: TestServer
  let path: string
  let topics = 0

  beforeAll(async () => {
    server = await startTestServer({ kind })
  })
  afterAll(() => server.close())

  /** Each test has its own conversation with three questions and their replies. */
  beforeEach(async () => {
    topics += 1
    path = pathOf("host", `topic-${topics}`)
    await threeTurns(server, path)
  })

  const idOf = (text: string) => idIn(server, path, text)
  const rollBack = async (to: string, more: object = {}) =>
    read(server, rolledBack, "POST", `${path}/rollback`, { body: { to: await idOf(to), ...more } })
  const cancel = (id: string) => read(server, cancelled, "POST", `${path}/rollback/${id}/cancel`)
  const posted = (where: string, body?: object): ReturnType<typeof ask> =>
    ask(server, "POST", `${path}${where}`, body === undefined ? {} : ({ body } as Ask))

  test("[RBK-1] everything after the message is dimmed and kept, in the snapshot, in pages and in the state view", async () => {
    const { rollback, edited } = await rollBack("q2")
    expect(rollback).toMatchObject({
      to: await idOf("q2"),
      from: await idOf("a3"),
      toOrd: 3,
      fromOrd: 6,
      state: "done",
    })
    expect(edited).toBeNull()
    const snapshot = await open(server, path)
    expect(shown(snapshot)).toEqual(["q1", "a1", "q2", "(a2)", "(q3)", "(a3)"])
    expect(snapshot.rollbacks).toEqual([rollback])
    expect(snapshot.status.preview).toBe("q2")
    const paged = await historyOf(server, path, 2)
    expect(paged.map(({ dimmed }) => dimmed)).toEqual([true, true, true, false, false, false])
    const state = await ask(server, "GET", `${path}/events?offset=-1&view=state`)
    const rows = JSON.parse(state.text) as { type: string; value: { dimmed?: boolean } }[]
    expect(rows.filter(({ type }) => type === "messages").map(({ value }) => value.dimmed ?? false)).toEqual(
      snapshot.messages.map(({ dimmed }) => dimmed),
    )
    // The log keeps rows as they were written: one small event records what is dimmed.
    const log = await ask(server, "GET", `${path}/events?offset=-1`)
    expect(log.text).not.toContain('"dimmed":true')
  })

  test("[RBK-2] new messages go below, and the model is told what is not dimmed", async () => {
    await rollBack("q1")
    server.script(says("a4"))
    await converse(server, path, "q4")
    expect(shown(await open(server, path))).toEqual(["q1", "(a1)", "(q2)", "(a2)", "(q3)", "(a3)", "q4", "a4"])
    expect(told(server.requests.at(-1))).toEqual(["q1\n\nq4"])
  })

  test("[RBK-3] to edit, the message dims too and its text comes back; what is sent says what it was edited from", async () => {
    const q2 = await idOf("q2")
    const { edited, rollback } = await rollBack("q2", { edit: true })
    expect(edited).toEqual({ message: q2, text: "q2", composer: null })
    expect(rollback).toMatchObject({ to: await idOf("a1"), toOrd: 2, fromOrd: 6 })
    const body = { text: "q2, better", editedFrom: q2 }
    const sent = await read(server, routes.send.answer.schema, "POST", `${path}/messages`, { body })
    await eventually(async () => (await open(server, path)).status.state).toBe("idle")
    const { messages } = await open(server, path)
    expect(messages.find(({ id }) => id === sent.message)).toMatchObject({ editedFrom: q2, dimmed: false })
    expect(told(server.requests.at(-1))).toEqual(["q1", "a1", "q2, better"])
    for (const [editedFrom, status, code] of [
      ["msg_none", 404, "message.unknown"],
      [await idOf("a1"), 422, "rollback.target"],
    ] as const)
      expectProblem(await posted("/messages", { text: "x", editedFrom }), { status, code, pointer: "/editedFrom" })
  })

  test("[RBK-3] the first message can be edited too: nothing is left above", async () => {
    const { rollback } = await rollBack("q1", { edit: true })
    expect(rollback).toMatchObject({ to: null, toOrd: 0, fromOrd: 6 })
    expect(shown(await open(server, path)).every((text) => text.startsWith("("))).toBe(true)
    await converse(server, path, "q1 again")
    expect(told(server.requests.at(-1))).toEqual(["q1 again"])
  })

  test("[RBK-4] the preview says what would dim, before it does", async () => {
    const before = await open(server, path)
    const to = await idOf("q2")
    const plain = await read(server, preview, "GET", `${path}/rollback/preview?to=${to}`)
    expect(plain).toMatchObject({ count: 3, files: [] })
    expect(plain.messages.map(({ text, role }) => [role, text])).toEqual([
      ["agent", "a2"],
      ["person", "q3"],
      ["agent", "a3"],
    ])
    const edit = await read(server, preview, "GET", `${path}/rollback/preview?to=${to}&edit=true`)
    expect(edit.messages.map(({ text }) => text)).toEqual(["q2", "a2", "q3", "a3"])
    expect(await open(server, path)).toEqual(before)
  })

  const put = (file: string, text: string) => ask(server, "PUT", `${path}/files/${file}`, { body: Buffer.from(text) })
  const files = async (...names: readonly string[]) =>
    Promise.all(
      names.map(async (name) => {
        const { status, text } = await ask(server, "GET", `${path}/files/${name}`)
        return status === 200 ? text : status
      }),
    )
  const NO_END = "\\ No newline at end of file"
  const NAMES = ["changed.txt", "deleted.txt", "made.txt"] as const

  test("[RBK-4] [RBK-5] files go back with the conversation, or alone, or not at all, and come back when it is cancelled", async () => {
    await put("changed.txt", "old")
    await put("deleted.txt", "was here")
    await converse(server, path, "q4")
    await put("changed.txt", "new")
    await put("made.txt", "made later")
    expect((await ask(server, "DELETE", `${path}/files/deleted.txt`)).status).toBe(204)
    const to = await idOf("q4")
    const { files: moved } = await read(server, preview, "GET", `${path}/rollback/preview?to=${to}`)
    expect(moved).toEqual([
      {
        path: "changed.txt",
        change: "restored",
        conflict: false,
        diff: `@@ -1 +1 @@\n-new\n${NO_END}\n+old\n${NO_END}`,
      },
      { path: "deleted.txt", change: "recreated", conflict: false, diff: `@@ -0,0 +1 @@\n+was here\n${NO_END}` },
      { path: "made.txt", change: "removed", conflict: false, diff: `@@ -1 +0,0 @@\n-made later\n${NO_END}` },
    ])
    const now = ["new", 404, "made later"]
    const then = ["old", "was here", 404]
    const visible = shown(await open(server, path))
    const only = (await rollBack("q4", { scope: "conversation" })).rollback
    expect(await files(...NAMES)).toEqual(now)
    expect(shown(await open(server, path)).at(-1)).toMatch(/^\(/)
    await cancel(only.id)
    const alone = (await rollBack("q4", { scope: "files" })).rollback
    expect(await files(...NAMES)).toEqual(then)
    expect(shown(await open(server, path))).toEqual(visible)
    await cancel(alone.id)
    expect(await files(...NAMES)).toEqual(now)
    const both = (await rollBack("q4")).rollback
    expect(both.files.map(({ path }) => path).sort()).toEqual([...NAMES])
    expect(await files(...NAMES)).toEqual(then)
    expect((await open(server, path)).files).toEqual({ count: 2, latest: expect.any(String) })
    await cancel(both.id)
    expect(await files(...NAMES)).toEqual(now)
    expect(shown(await open(server, path))).toEqual(visible)
  })

  test("[RBK-6] cancelled after a new turn, what that wrote goes too, and comes back when the cancelling is cancelled", async () => {
    const { rollback } = await rollBack("q3")
    await converse(server, path, "q4")
    await put("made.txt", "made below the divider")
    const below = (await cancel(rollback.id)).rollback
    expect(await files("made.txt")).toEqual([404])
    await cancel(below.id)
    expect(await files("made.txt")).toEqual(["made below the divider"])
  })

  test("[RBK-10] memory written meanwhile stays; an archive made after the point is dimmed, and its originals are told again", async () => {
    const memory = { description: "Likes tea", type: "user", body: "Green." }
    expect((await ask(server, "PUT", `/v1/memory/user/tea-${topics}`, { body: memory })).status).toBe(200)
    server.script(says("What was said so far."))
    expect((await posted("/compact", { keepTurns: 1 })).status).toBe(202)
    await eventually(async () => (await open(server, path)).status.state).toBe("idle")
    const { archives } = await open(server, path)
    expect(archives).toMatchObject([{ ended: null, toOrd: 4, madeOrd: 6 }])
    await converse(server, path, "q4")
    expect(told(server.requests.at(-1)).join()).toContain("What was said so far.")
    expect(told(server.requests.at(-1)).join()).not.toContain("a1")
    const { rollback } = await rollBack("q3")
    await converse(server, path, "q5")
    expect(told(server.requests.at(-1))).toEqual(["q1", "a1", "q2", "a2", "q3\n\nq5"])
    expect((await ask(server, "GET", `/v1/memory/user/tea-${topics}`)).status).toBe(200)
    await cancel(rollback.id)
    await converse(server, path, "q6")
    expect(told(server.requests.at(-1)).join()).toContain("What was said so far.")
  })

  test("[RBK-6] cancelled with nothing after it, all is as it was; after new turns these dim, and that can be cancelled", async () => {
    const before = shown(await open(server, path))
    const first = (await rollBack("q1")).rollback
    expect((await cancel(first.id)).rollback).toMatchObject({ id: first.id })
    expect(shown(await open(server, path))).toEqual(before)
    const second = (await rollBack("q2")).rollback
    await converse(server, path, "q4")
    const below = (await cancel(second.id)).rollback
    expect(below).toMatchObject({ cancels: second.id })
    expect(shown(await open(server, path))).toEqual([...before, "(q4)", expect.stringMatching(/^\(.+\)$/)])
    await cancel(below.id)
    const [, , , ...rest] = shown(await open(server, path))
    expect(rest.map((text) => text.startsWith("("))).toEqual([true, true, true, false, false])
  })

  test("[RBK-6] rollbacks nest and are undone in reverse", async () => {
    const outer = (await rollBack("q3")).rollback
    const inner = (await rollBack("q1")).rollback
    expectProblem(await posted(`/rollback/${outer.id}/cancel`), { status: 409, code: "rollback.not-newest" })
    await cancel(inner.id)
    expect(shown(await open(server, path))).toEqual(["q1", "a1", "q2", "a2", "q3", "(a3)"])
    await cancel(outer.id)
    expectProblem(await posted(`/rollback/${outer.id}/cancel`), { status: 409, code: "rollback.over" })
  })

  test("[RBK-8] a running turn is stopped first: its words are kept, dimmed, and the queue is held, untouched", async () => {
    const held = gate()
    server.script([{ type: "text", text: "half an answer" }, held, { type: "text", text: " and the rest" }])
    const { offset } = await send(server, path, "q4")
    const following = await follow(server, `${path}/events?offset=${offset}&live=sse`)
    await following.until((text) => text.includes("half an answer"))
    following.leave()
    await send(server, path, "waiting")
    const { rollback } = await rollBack("q2")
    held.open()
    expect(rollback.state).toBe("done")
    const snapshot = await open(server, path)
    expect(shown(snapshot).slice(-2)).toEqual(["(q4)", "(half an answer)"])
    expect(snapshot.messages.at(-1)?.state).toBe("truncated")
    expect(snapshot.queue.map(({ payload }) => payload)).toEqual([{ source: "waiting" }])
    expect(snapshot.status).toMatchObject({ state: "idle", turn: null, held: { reason: "stopped" } })
    server.script(says("to what waited"))
    await ask(server, "POST", `${path}/queue/resume`)
    await eventually(async () => shown(await open(server, path)).at(-1)).toBe("to what waited")
    expect(told(server.requests.at(-1))).toEqual(["q1", "a1", "q2\n\nwaiting"])
  })

  test("[RBK-8] a turn that has said nothing yet is stopped all the same", async () => {
    const held = gate()
    server.script([held])
    await send(server, path, "q4")
    const { rollback } = await rollBack("q4")
    held.open()
    expect(rollback).toMatchObject({ toOrd: 7, fromOrd: 7 })
    expect((await open(server, path)).status.state).toBe("idle")
  })

  test("[RBK-8] a failed turn is rolled back with the rest", async () => {
    server.script([new Error("the provider says no")])
    await converse(server, path, "q4")
    expect((await open(server, path)).status.state).toBe("error")
    await rollBack("q3")
    expect((await open(server, path)).status).toMatchObject({ state: "idle", error: null })
  })

  test("what one cannot roll back to, and how one is told", async () => {
    const agents = await idOf("a1")
    const q2 = await idOf("q2")
    const cases = [
      [{ to: "msg_none" }, 404, "message.unknown", "/to"],
      [{ to: agents }, 422, "rollback.target", "/to"],
      [{ to: await idOf("q3"), edit: true, scope: "files" }, 422, "request.invalid", "/edit"],
      [{ to: q2, scope: "everything" }, 422, "request.invalid", "/scope"],
      [{ to: q2, more: 1 }, 422, "request.invalid", ""],
      [{}, 422, "request.invalid", "/to"],
    ] as const
    for (const [body, status, code, pointer] of cases)
      expectProblem(await posted("/rollback", body), { status, code, pointer }, JSON.stringify(body))
    for (const query of ["?to=msg_none", `?to=${agents}`, ""])
      expect((await ask(server, "GET", `${path}/rollback/preview${query}`)).status, query).toBeGreaterThan(400)
    expectProblem(await posted("/rollback/rbk_none/cancel"), { status: 404, code: "rollback.unknown" })
    await rollBack("q2")
    expectProblem(await posted("/rollback", { to: q2 }), { status: 409, code: "rollback.nothing", pointer: "/to" })
    expectProblem(await posted("/rollback", { to: await idOf("q3") }), {
      status: 409,
      code: "rollback.dimmed",
      pointer: "/to",
    })
    await ask(server, "POST", `${path}/queue/hold`)
    const { message } = await read(server, routes.send.answer.schema, "POST", `${path}/messages`, {
      body: { text: "waits", mode: "paused" },
    })
    expectProblem(await posted("/rollback", { to: message }), { status: 404, code: "message.unknown", pointer: "/to" })
  })

  test("[LOG-15] out and in again, what is dimmed is dimmed", async () => {
    await rollBack("q2")
    await converse(server, path, "q4")
    const before = await open(server, path)
    const lines = (await ask(server, "GET", `${path}/export`)).text
    const headers = { "content-type": "application/jsonl" }
    await ask(server, "POST", `/v1/import?agent=host&branch=copy-${topics}`, { body: lines, headers })
    const copy = await open(server, pathOf("host", `copy-${topics}`))
    expect(shown(copy)).toEqual(shown(before))
    const id = copy.rollbacks[0]?.id ?? ""
    expect((await ask(server, "POST", `${pathOf("host", `copy-${topics}`)}/rollback/${id}/cancel`)).status).toBe(200)
  })
})

function told(request: ModelRequest | undefined): readonly string[] {
  return (request?.messages ?? []).map((message) => {
    if (message.role === "person") return message.text
    return message.role === "agent" ? message.parts.map((part) => ("text" in part ? part.text : "")).join("") : "tools"
  })
}
