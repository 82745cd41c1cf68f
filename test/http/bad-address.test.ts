/** [SEC-5] Invalid paths and queries. */
import type { ErrorCode } from "@parlor/protocol"
import { afterAll, beforeAll, describe, test } from "vitest"
import { ask, expected, expectProblem } from "./client.ts"
import { pathOf } from "./conversations.ts"
import { STORES, startTestServer, type TestServer } from "./server.ts"

const main = pathOf("host", "main")
const messages = `${main}/messages`

describe.each(STORES)("bad addresses on %s", (kind) => {
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer({ kind })
    await ask(server, "PUT", main)
  })

  afterAll(() => server.close())

  const addresses: readonly (readonly [string, ErrorCode, string?])[] = [
    ["/v1/conversations/nobody/main", "agent.unknown"],
    ["/v1/conversations/nobody/main/events", "agent.unknown"],
    ["/v1/conversations/host/absent", "conversation.unknown"],
    ["/v1/conversations/host/absent/messages", "conversation.unknown"],
    ["/v1/conversations/host/absent/events", "conversation.unknown"],
    ["/v1/conversations/host/absent/export", "conversation.unknown"],
    ...["x", "-2", "1", "99999999999999999999", "0x1", "now%20", "%00", "1e5", "", "-1,-1"].map(
      (offset) => [`${main}/events?offset=${offset}`, "offset.invalid", "offset"] as const,
    ),
    [`${main}/events?offset=0000000000009999`, "offset.gone", "offset"],
    ...["long-poll", "sse"].map((live) => [`${main}/events?live=${live}`, "offset.invalid", "offset"] as const),
    [`${main}/events?offset=-1&live=websocket`, "request.invalid", "live"],
    [`${main}/events?view=raw`, "request.invalid", "view"],
    [`${main}/events?offset=-1&offset=-1`, "request.invalid", "offset"],
    [`${main}/events?offset=-1&off%73et=now`, "request.invalid", "offset"],
    ...["0", "-1", "1.5", "x", "", "1001", "1e9", "NaN", "Infinity", "9".repeat(400)].map(
      (count) => [`${main}?messages=${count}`, "request.invalid", "messages"] as const,
    ),
    ["/v1/conversations?limit=501", "request.invalid", "limit"],
    ["/v1/conversations?limit=0", "request.invalid", "limit"],
    ["/v1/conversations?limit=1&limit=2", "request.invalid", "limit"],
    ["/v1/conversations?archived=yes", "request.invalid", "archived"],
    ["/v1/conversations?agent=Host!", "request.invalid", "agent"],
    ["/v1/conversations?agent=%ff", "request.invalid", "agent"],
    ["/v1/conversations?agent=%", "request.invalid", "agent"],
    ...["x", "~", "1", "1~", "-1~a", "1~%25", "1~%2500", "1~%25ED%25A0%2580", "9".repeat(30), "1e3~a"].map(
      (cursor) => [`/v1/conversations?cursor=${cursor}`, "cursor.invalid"] as const,
    ),
    [`/v1/conversations?cursor=${"1".repeat(600)}`, "request.invalid", "cursor"],
    ...["x", "-1", "1.5", "9".repeat(30), "", "%00", "msg_1"].map(
      (before) => [`${messages}?before=${before}`, "cursor.invalid"] as const,
    ),
    [`${messages}?limit=10001`, "request.invalid", "limit"],
    ["/v1/nowhere", "route.unknown"],
    ["/v1/conversations/host/main/", "route.unknown"],
    ["//v1/agents", "route.unknown"],
    ["/V1/agents", "route.unknown"],
    ["/../v1/nowhere", "route.unknown"],
    ["/index.html", "route.unknown"],
    ["/%00", "route.unknown"],
    ["/..%2f..%2fetc%2fpasswd", "route.unknown"],
  ]

  const asked = addresses.map(([path, code, pointer]) => ({ path, expected: expected(code, pointer) }))
  test.each(asked)("[SEC-5] GET $path", async ({ path, expected }) => {
    expectProblem(await ask(server, "GET", path), expected)
  })
})
