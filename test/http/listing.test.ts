/** The list of conversations and the feed, page by page. */

import { FakeClock } from "@parlor/core/testing"
import { emptyRows, fold, readChanges, routes } from "@parlor/protocol"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ask, follow, read } from "./client.ts"
import { pathOf } from "./conversations.ts"
import { STORES, startTestServer, type TestServer } from "./server.ts"

const COUNT = 230
const schema = routes.listConversations.answer.schema

describe.each(STORES)("[LOG-14] the list on %s", (kind) => {
  let server: TestServer

  /** The clock stands still: all have the same time of activity. */
  beforeAll(async () => {
    server = await startTestServer({ kind, clock: new FakeClock() })
    for (let n = 0; n < COUNT; n += 10)
      await Promise.all(
        Array.from({ length: 10 }, (_, m) => ask(server, "PUT", pathOf(n % 20 ? "host" : "critic", `topic ${n + m}`))),
      )
  })

  afterAll(() => server.close())

  async function pages(query: string): Promise<readonly (readonly string[])[]> {
    const found: string[][] = []
    let cursor = ""
    for (let page = 0; page <= COUNT; page++) {
      const answer = await read(server, schema.strict(), "GET", `/v1/conversations?${query}${cursor}`)
      found.push(answer.conversations.map(({ agent, branch }) => `${agent}/${branch}`))
      if (answer.cursor === null) return found
      cursor = `&cursor=${encodeURIComponent(answer.cursor)}`
    }
    throw new Error("the pages do not end")
  }

  const everything = Array.from({ length: COUNT }, (_, n) => `${n % 20 < 10 ? "critic" : "host"}/topic ${n}`).sort()

  test.each([1, 7, 50, 200, 229, 230, 231, 500])("every conversation comes once, %i to a page", async (limit) => {
    if (limit === 1) return expect((await pages("limit=23")).flat().sort()).toEqual(everything)
    const found = await pages(`limit=${limit}`)
    expect(found.flat().sort()).toEqual(everything)
    expect(found.slice(0, -1).every((page) => page.length === limit)).toBe(true)
  })

  test("of one agent only", async () => {
    const found = (await pages("limit=9&agent=critic")).flat()
    expect([...found].sort()).toEqual(everything.filter((name) => name.startsWith("critic/")))
  })

  test("of an agent nobody knows: none", async () => {
    expect(await pages("agent=nobody")).toEqual([[]])
  })

  test("the feed has the same rows, by page and by state", async () => {
    let rows = emptyRows()
    let offset = "-1"
    for (;;) {
      const answer = await ask(server, "GET", `/v1/feed?offset=${offset}`)
      rows = fold(rows, readChanges(answer.text))
      offset = String(answer.headers["stream-next-offset"])
      if (answer.headers["stream-up-to-date"] === "true") break
    }
    expect([...rows.conversations.keys()].sort()).toEqual(everything)
    const state = fold(emptyRows(), readChanges((await ask(server, "GET", "/v1/feed?view=state")).text))
    expect(new Map([...state.conversations].sort())).toEqual(new Map([...rows.conversations].sort()))
  })

  test("the feed tells of a change at once", async () => {
    const following = await follow(server, "/v1/feed?offset=now&live=sse")
    await following.until((text) => text.includes("upToDate"))
    await ask(server, "PATCH", pathOf("host", "topic 11"), { body: { title: "told at once" } })
    await following.until((text) => text.includes("told at once"))
    following.leave()
  })
})
