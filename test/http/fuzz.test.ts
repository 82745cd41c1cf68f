/**
 * [SEC-5] Any input gets 2xx or a problem, never a 5xx, and the server keeps running.
 *
 * A failure prints its seed; fast-check replays it from `{ seed, path }`.
 */

import { problem } from "@parlor/protocol"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { rounds } from "../support/rounds.ts"
import { anyRequest } from "./any-request.ts"
import { type Answer, ask, follow, jsonOf } from "./client.ts"
import { converse, open, pathOf, visible } from "./conversations.ts"
import { ANSWER, STORES, startTestServer, type TestServer } from "./server.ts"

const LEAST_THROUGH = 0.04
const RUNS = rounds({ usual: 800, long: 50_000 })

describe.each(STORES)("fuzz on %s", (kind) => {
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer({ kind })
  })

  afterAll(() => server.close())

  test(
    `[SEC-5] ${RUNS} requests of all kinds: 2xx or a problem`,
    async () => {
      const seen = new Map<number, number>()
      await fc.assert(
        fc.asyncProperty(anyRequest, async ({ token, ...request }) => {
          const options = { body: request.body, headers: request.headers, ...(token ? {} : { token: null }) }
          const answer = await ask(server, request.method, request.path, options)
          seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1)
          check(answer, request.method)
        }),
        { numRuns: RUNS },
      )
      // Guards against a run in which hardly any request was valid.
      expect([...seen.keys()]).toEqual(expect.arrayContaining([200, 400, 401, 404, 405, 415, 422]))
      const through = [...seen].filter(([status]) => status < 300).reduce((sum, [, count]) => sum + count, 0)
      expect(through).toBeGreaterThan(RUNS * LEAST_THROUGH)
      expect(server.logged.filter((line) => line.includes("request failed"))).toEqual([])
    },
    RUNS * 60,
  )

  test("[SEC-5] afterwards it answers as ever", async () => {
    const path = pathOf("critic", "after the fuzz")
    await ask(server, "PUT", path)
    await converse(server, path, "Still there?")
    expect(visible((await open(server, path)).messages)).toEqual(["person: Still there?", `agent: ${ANSWER}`])
    const following = await follow(server, `${path}/events?offset=-1&live=sse`)
    await following.until((text) => text.includes("upToDate"))
    following.leave()
  })
})

function check(answer: Answer, method: string): void {
  expect(answer.status).toBeLessThan(500)
  if (answer.status < 400) return
  // Plain text, for clients that show errors unchanged (API-4).
  if (answer.headers["parlor-code"] !== undefined) {
    if (method !== "HEAD") expect(answer.text).not.toBe("")
    return
  }
  // JSON-RPC (API-46).
  if (answer.headers["content-type"] === "application/json") {
    if (method === "HEAD") return
    expect(jsonOf(answer)).toMatchObject({ jsonrpc: "2.0", error: { message: expect.stringMatching(/./) } })
    return
  }
  expect(answer.headers["content-type"]).toBe("application/problem+json")
  if (method === "HEAD") return
  expect(problem.strict().parse(jsonOf(answer)).status).toBe(answer.status)
}
