/** Conversations over HTTP: send, reply, snapshot, history, marks, stop. */
import { finish, gate, says } from "@parlor/core/testing"
import { collections, emptyRows, fold, parseOffset, readChanges, routes } from "@parlor/protocol"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ask, expectProblem, follow, jsonOf, read } from "./client.ts"
import {
  converse,
  eventually,
  headOf,
  historyOf,
  logOf,
  open,
  pathOf,
  send,
  untilTurnEnds,
  visible,
} from "./conversations.ts"
import { ANSWER, STORES, startTestServer, type TestServer } from "./server.ts"

const main = pathOf("host", "main")

describe.each(STORES)("a conversation on %s", (kind) => {
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer({ kind })
  })

  afterAll(() => server.close())

  async function branch(name: string): Promise<string> {
    const path = pathOf("host", name)
    expect((await ask(server, "PUT", path)).status).toBe(200)
    return path
  }

  test("[QUE-1, LOG-4] a send is answered with what happened, its place in the log and its transaction", async () => {
    const answer = await ask(server, "POST", `${main}/messages`, { body: { text: "Hello" } })
    expect(answer.status).toBe(202)
    const sent = routes.send.answer.schema.strict().parse(jsonOf(answer))
    expect(sent).toMatchObject({ outcome: "started", turn: expect.stringMatching(/^trn_/) })
    expect(answer.headers["parlor-txid"]).toBe(sent.txid)
    await untilTurnEnds(server, main, sent)
    const log = await logOf(server, main)
    const own = log.filter((change) => change.headers.txid === sent.txid && change.type === "messages")
    expect(own).toEqual([expect.objectContaining({ key: sent.message })])
    expect(own[0] && own[0].headers.offset <= sent.offset).toBe(true)
  })

  test("[LOG-8] the snapshot has the conversation as it is and where to follow from", async () => {
    const answer = await ask(server, "GET", main)
    const snapshot = routes.openConversation.answer.schema.strict().parse(jsonOf(answer))
    expect(snapshot).toMatchObject({ agent: "host", person: "me", branch: "main", title: "Hello", older: null })
    expect(snapshot.status).toMatchObject({ state: "idle", turn: null, held: null })
    expect(visible(snapshot.messages)).toEqual(["person: Hello", `agent: ${ANSWER}`])
    expect(snapshot.offset).toBe(await headOf(server, main))
  })

  test("[LOG-1, LOG-2] events are numbered without gaps, and every row fits its collection", async () => {
    const log = await logOf(server, main)
    expect(log.map((change) => parseOffset(change.headers.offset))).toEqual(log.map((_, index) => index + 1))
    for (const change of log) {
      const schema = collections[change.type]
      expect(schema.strict().parse(change.value), change.type).toEqual(change.value)
      expect(Date.parse(change.headers.timestamp)).toBeGreaterThan(0)
    }
    expect(new Set(log.map(({ type }) => type))).toEqual(new Set(["status", "messages", "turns", "deltas"]))
  })

  test("[LOG-5] the log folds to what the snapshot and the state view show", async () => {
    const rows = fold(emptyRows(), await logOf(server, main))
    const snapshot = await open(server, main)
    expect([...rows.messages.values()]).toEqual(snapshot.messages)
    expect(rows.deltas.size).toBe(0)
    const state = readChanges((await ask(server, "GET", `${main}/events?view=state`)).text)
    expect(fold(emptyRows(), state)).toEqual(rows)
  })

  test("[LOG-8, LOG-10] text is there while it is being said, in the stream and in the snapshot", async () => {
    const path = await branch("streaming")
    const held = gate()
    server.script([{ type: "text", text: "First half, " }, held, { type: "text", text: "second half." }, finish()])
    const sent = await send(server, path, "Tell me")
    const following = await follow(server, `${path}/events?offset=-1&live=sse`)
    expect(following.headers["content-type"]).toBe("text/event-stream")
    await following.until((text) => text.includes("First half, "))
    expect(visible((await open(server, path)).messages).at(-1)).toBe("agent: First half, ")
    expect((await open(server, path)).status).toMatchObject({ state: "busy", busyWith: "turn", turn: sent.turn })
    const queued = await send(server, path, "And then?")
    expect(queued).toMatchObject({ outcome: "queued", place: 1 })
    expect(queued.turn).toBeUndefined()
    held.open()
    following.leave()
    await eventually(async () => visible((await open(server, path)).messages)).toEqual([
      "person: Tell me",
      "agent: First half, second half.",
      "person: And then?",
      `agent: ${ANSWER}`,
    ])
  })

  test("[TRN-4, TRN-5] a stop keeps what was said and holds the queue", async () => {
    const path = await branch("stopped")
    server.script([{ type: "text", text: "I was saying" }, gate()])
    const sent = await send(server, path, "Talk")
    const following = await follow(server, `${path}/events?offset=${sent.offset}&live=sse`)
    await following.until((text) => text.includes("I was saying"))
    following.leave()
    await send(server, path, "waiting")
    const stopped = await ask(server, "POST", `${path}/stop`, { body: { turn: sent.turn } })
    expect(jsonOf(stopped)).toEqual({ turn: sent.turn, state: "stopped" })
    expectProblem(await ask(server, "POST", `${path}/stop`, { body: { turn: sent.turn } }), {
      status: 409,
      code: "turn.over",
    })
    const snapshot = await open(server, path)
    expect(snapshot.messages.at(-1)).toMatchObject({ state: "truncated", parts: [{ text: "I was saying" }] })
    expect(snapshot.status).toMatchObject({ state: "idle", held: { reason: "stopped" } })
    expect(snapshot.queue).toHaveLength(1)
  })

  test("[QUE-6, TRN-10] a model that fails leaves an error one can see, and the next message goes on", async () => {
    const path = await branch("failing")
    server.script([{ type: "text", text: "Well" }, new Error("secret inner trouble")])
    await converse(server, path, "Try")
    const failed = await open(server, path)
    expect(failed.status).toMatchObject({ state: "error", held: { reason: "error" }, error: { code: "bug" } })
    expect(JSON.stringify(failed)).not.toContain("secret inner trouble")
    await converse(server, path, "Again")
    expect(visible((await open(server, path)).messages).at(-1)).toBe(`agent: ${ANSWER}`)
  })

  test("[LOG-9] older messages come by page, newest first, and the last page says so", async () => {
    const path = await branch("long")
    const lines = Array.from({ length: 25 }, (_, n) =>
      JSON.stringify({ role: n % 2 ? "agent" : "person", text: `line ${n}` }),
    )
    const imported = await ask(server, "POST", "/v1/import?agent=host&branch=long", {
      headers: { "content-type": "application/jsonl" },
      body: lines.join("\n"),
    })
    expect(imported.status, imported.text).toBe(201)
    const page = await read(server, routes.listMessages.answer.schema.strict(), "GET", `${path}/messages?limit=10`)
    expect(visible(page.messages)[0]).toContain("line 24")
    expect(page.older).toEqual(expect.any(String))
    const all = await historyOf(server, path, 10)
    expect(visible(all).map((text) => text.split(": ")[1])).toEqual(
      Array.from({ length: 25 }, (_, n) => `line ${24 - n}`),
    )
    expect(await historyOf(server, path, 25)).toEqual(all)
    expect(await historyOf(server, path, 10_000)).toEqual(all)
    const snapshot = await open(server, `${path}?messages=7`)
    expect(visible(snapshot.messages).map((text) => text.split(": ")[1])).toEqual(
      Array.from({ length: 7 }, (_, n) => `line ${18 + n}`),
    )
    const next = await read(
      server,
      routes.listMessages.answer.schema,
      "GET",
      `${path}/messages?limit=1&before=${snapshot.older}`,
    )
    expect(visible(next.messages)).toEqual([expect.stringContaining("line 17")])
  })

  test("[LOG-14] marks are in the snapshot, the list and the feed; reading twice changes nothing more", async () => {
    const path = await branch("marked")
    const marks = { title: "A name", pinned: true, archived: true, read: false }
    const answer = await ask(server, "PATCH", path, { body: marks })
    const row = { agent: "host", branch: "marked", title: "A name", pinned: true, archived: true, unread: true }
    expect(routes.markConversation.answer.schema.parse(jsonOf(answer)).conversation).toMatchObject(row)
    expect((await open(server, path)).status).toMatchObject({
      title: "A name",
      pinned: true,
      archived: true,
      unread: true,
    })
    const schema = routes.listConversations.answer.schema
    const archived = await read(server, schema, "GET", "/v1/conversations?archived=true")
    expect(archived.conversations).toEqual([expect.objectContaining(row)])
    const others = await read(server, schema, "GET", "/v1/conversations")
    expect(others.conversations.map(({ branch }) => branch)).not.toContain("marked")
    const feed = fold(emptyRows(), readChanges((await ask(server, "GET", "/v1/feed")).text))
    expect(feed.conversations.get("host/marked")).toMatchObject(row)
    await ask(server, "PATCH", path, { body: { archived: false, read: true } })
    expect((await open(server, path)).status).toMatchObject({ title: "A name", archived: false, unread: false })
  })

  test("making a conversation that is there finds it", async () => {
    const path = await branch("twice")
    await converse(server, path, "Still here")
    const head = await headOf(server, path)
    const again = await ask(server, "PUT", path)
    expect(jsonOf(again)).toEqual({ agent: "host", branch: "twice" })
    expect(await headOf(server, path)).toBe(head)
    server.script(says("second"))
    await Promise.all(Array.from({ length: 10 }, () => ask(server, "PUT", pathOf("host", "at-once"))))
    expect(await logOf(server, pathOf("host", "at-once"))).toHaveLength(1)
  })
})
