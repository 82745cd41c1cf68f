/** [SEC-11] Deletion leaves only the record of who did it and when. */
import { gate, says } from "@parlor/core/testing"
import { changeEvent, routes } from "@parlor/protocol"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"
import { ask, expectProblem, follow, jsonOf, read } from "./client.ts"
import { converse, logOf, open, pathOf, send } from "./conversations.ts"
import { tablesWith } from "./dump.ts"
import { STORES, startTestServer, type TestServer } from "./server.ts"

const CANARY = "canary-that-must-not-outlive-its-conversation"

describe.each(STORES)("[SEC-11] deleting a conversation on %s", (kind) => {
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer({ kind })
  })

  afterAll(() => server.close())

  test("its events, rows and keys are gone from the store, the audit keeps who and when", async () => {
    const path = pathOf("host", "short-lived")
    await ask(server, "PUT", path)
    server.script(says(`${CANARY} it said`))
    const headers = { "idempotency-key": "a-key-of-this-conversation" }
    await converse(server, path, `${CANARY} was asked`, { headers })
    await ask(server, "PATCH", path, { body: { title: CANARY } })
    expect(tablesWith(await server.dump(), CANARY)).toEqual(expect.arrayContaining(["events", "rows"]))
    const before = Date.now()
    expect((await ask(server, "DELETE", path)).status).toBe(204)
    const tables = await server.dump()
    const held = tables.streams?.filter((row) => row.includes("short-lived"))
    expect(held).toEqual([])
    expect(tablesWith(tables, "a-key-of-this-conversation")).toEqual([])
    const audited = tables.audit?.map((row) => JSON.parse(row) as Record<string, unknown>) ?? []
    expect(audited.at(-1)).toMatchObject({ person: "me", act: "conversation.deleted", subject: "host/short-lived" })
    expect(Number(audited.at(-1)?.at)).toBeGreaterThanOrEqual(before)
  })

  test("nothing it said is left anywhere, the person's feed included", async () => {
    expect(tablesWith(await server.dump(), CANARY)).toEqual([])
    expect((await ask(server, "GET", "/v1/feed")).text).not.toContain(CANARY)
  })

  test("it is no longer found, in no list, and its feed row is deleted", async () => {
    const path = pathOf("host", "short-lived")
    for (const place of [path, `${path}/messages`, `${path}/events`, `${path}/export`])
      expectProblem(await ask(server, "GET", place), { status: 404, code: "conversation.unknown" }, place)
    expectProblem(await ask(server, "DELETE", path), { status: 404, code: "conversation.unknown" })
    const list = await read(server, routes.listConversations.answer.schema, "GET", "/v1/conversations")
    expect(list.conversations).toEqual([])
    const feed = z.array(changeEvent).parse(jsonOf(await ask(server, "GET", "/v1/feed")))
    expect(feed.at(-1)).toMatchObject({ key: "host/short-lived", headers: { operation: "delete" } })
  })

  test("a turn that runs in it ends, a stream that follows it ends, and what comes back is new", async () => {
    const path = pathOf("host", "main")
    const held = gate()
    server.script([{ type: "text", text: "half an ans" }, held, { type: "text", text: "wer" }])
    const sent = await send(server, path, "old words")
    const following = await follow(server, `${path}/events?offset=-1&live=sse`)
    await following.until((text) => text.includes("half an ans"))
    expect((await ask(server, "DELETE", path)).status).toBe(204)
    await following.ended
    held.open()
    const fresh = await open(server, path)
    expect(fresh).toMatchObject({ messages: [], queue: [], title: "", status: { state: "idle" } })
    await converse(server, path, "new words")
    const log = JSON.stringify(await logOf(server, path))
    expect(log).not.toContain("old words")
    expect(log).not.toContain("half an ans")
    expect(log).not.toContain(sent.message)
  })
})
