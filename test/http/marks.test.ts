/** Labels, undoable deletion, and whether anything was said: marks on conversations over HTTP, on both stores. */

import type { FeedRow } from "@parlor/protocol"
import { emptyRows, fold, limits, readChanges, routes } from "@parlor/protocol"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ask, expectProblem, follow, jsonOf, read } from "./client.ts"
import { converse, eventually, open, pathOf } from "./conversations.ts"
import { STORES, startTestServer, type TestServer } from "./server.ts"

/** Longer than a busy machine takes for a few requests. */
const GRACE_MS = 2_500

describe.each(STORES)("marks on %s", (kind) => {
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer({ kind, settings: { deletionGraceMs: GRACE_MS } })
  })

  afterAll(() => server.close())

  test("[ADR-9] labels are set, replaced and removed, without repetitions, and nothing moves in the list", async () => {
    const path = await made("labeled")
    await made("later")
    const set = (labels: readonly string[]) => ask(server, "PATCH", path, { body: { labels } })
    expect((await set(["Work", " Work ", "Trip to Rome"])).status).toBe(200)
    expect((await rowOf("labeled"))?.labels).toEqual(["Work", "Trip to Rome"])
    expect((await open(server, path)).status.labels).toEqual(["Work", "Trip to Rome"])
    expect((await listed()).indexOf("later")).toBeLessThan((await listed()).indexOf("labeled"))
    await set([])
    expect((await rowOf("labeled"))?.labels).toEqual([])
    const many = Array.from({ length: limits.labels + 1 }, (_, index) => `label ${index}`)
    for (const bad of [many, ["  "], ["x".repeat(limits.labelLength + 1)], ["a\u0000b"]])
      expect((await set(bad)).status, JSON.stringify(bad)).toBe(422)
  })

  test("[ADR-11] a conversation says whether anything was ever said in it, also after a rollback to the beginning", async () => {
    const path = await made("quiet")
    expect((await rowOf("quiet"))?.spoken).toBe(false)
    const { message } = await converse(server, path, "Hello")
    expect((await rowOf("quiet"))?.spoken).toBe(true)
    await ask(server, "POST", `${path}/rollback`, { body: { to: message, edit: true } })
    await eventually(async () => (await rowOf("quiet"))?.preview).toBe("")
    expect((await rowOf("quiet"))?.spoken).toBe(true)
  })

  test("[ADR-10] an undoable deletion leaves the lists at once and is carried out after the grace period", async () => {
    const path = await made("doomed")
    const following = await follow(server, "/v1/feed?offset=now&live=sse")
    await following.until((text) => text.includes("upToDate"))
    const before = Date.now()
    expect((await ask(server, "DELETE", `${path}?undoable=true`)).status).toBe(204)
    expect(await listed()).not.toContain("doomed")
    await following.until((text) => /"deleteAt":\d/.test(text))
    expect((await ask(server, "GET", path)).status).toBe(200)
    await following.until((text) => text.includes('"operation":"delete"'))
    following.leave()
    expect(Date.now() - before).toBeGreaterThanOrEqual(GRACE_MS - 50)
    await eventually(async () => (await ask(server, "GET", path)).status).toBe(404)
    expect((await server.dump()).triggers ?? []).toEqual([])
  })

  test("[ADR-10] it can be undone, and deleted again: only the last deletion counts", async () => {
    const path = await made("wavering")
    await converse(server, path, "Keep me")
    await ask(server, "PATCH", path, { body: { title: "Kept", pinned: true } })
    await ask(server, "DELETE", `${path}?undoable=true`)
    const undone = await ask(server, "PATCH", path, { body: { deleted: false } })
    expect(routes.markConversation.answer.schema.parse(jsonOf(undone)).conversation).toMatchObject({
      deleteAt: null,
      title: "Kept",
      pinned: true,
    })
    // The timer of the deletion that was undone finds nothing to do.
    await eventually(async () => (await server.dump()).triggers ?? []).toEqual([])
    expect(await listed()).toContain("wavering")
    await ask(server, "DELETE", `${path}?undoable=true`)
    await eventually(async () => (await ask(server, "GET", path)).status).toBe(404)
    expectProblem(await ask(server, "DELETE", `${path}?undoable=true`), { status: 404, code: "conversation.unknown" })
  })

  test("[ADR-10, BRA-6] branches have to be named; one that is created meanwhile keeps its parent", async () => {
    const path = await made("parent")
    const { message } = await converse(server, path, "Hello")
    const fork = (name: string) => ask(server, "POST", `${path}/branches`, { body: { from: message, name } })
    await fork("child")
    const refused = await ask(server, "DELETE", `${path}?undoable=true`)
    expectProblem(refused, { status: 409, code: "conversation.has-branches", pointer: "branches" })
    await ask(server, "DELETE", `${path}?undoable=true&branches=child`)
    expect((await rowOf("child"))?.deleteAt).toBe((await rowOf("parent"))?.deleteAt)
    await fork("late")
    await eventually(async () => (await rowOf("parent"))?.deleteAt).toBe(null)
    expect(await listed()).toEqual(expect.arrayContaining(["parent", "late"]))
    // A branch that is still there when the time has come would keep its parent again.
    await eventually(async () => (await ask(server, "GET", pathOf("host", "child"))).status).toBe(404)
    await ask(server, "DELETE", `${path}?undoable=true&branches=late`)
    await eventually(listed).not.toContain("late")
    await eventually(async () => (await ask(server, "GET", path)).status).toBe(404)
  })

  async function made(branch: string): Promise<string> {
    const path = pathOf("host", branch)
    await ask(server, "PUT", path)
    return path
  }

  async function listed(): Promise<readonly string[]> {
    const page = await read(server, routes.listConversations.answer.schema, "GET", "/v1/conversations?limit=200")
    return page.conversations.map(({ branch }) => branch)
  }

  async function rowOf(branch: string): Promise<FeedRow | undefined> {
    const feed = fold(emptyRows(), readChanges((await ask(server, "GET", "/v1/feed?view=state")).text))
    return feed.conversations.get(`host/${branch}`)
  }
})
