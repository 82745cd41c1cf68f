/** [LOG-32] A draining server from the clients' view: it still responds, closes each connection, keeps streams open. */
import { finish, gate } from "@parlor/core/testing"
import { afterEach, beforeEach, expect, test } from "vitest"
import { ask, follow, jsonOf } from "./client.ts"
import { pathOf, send } from "./conversations.ts"
import { startTestServer, type TestServer } from "./server.ts"

const main = pathOf("host", "main")
const DRAIN_MS = 20_000
let server: TestServer

beforeEach(async () => {
  server = await startTestServer()
})
afterEach(() => server.close())

test("[LOG-32] it answers on, and each answer closes its connection", async () => {
  expect((await ask(server, "GET", "/v1/agents")).headers.connection).not.toBe("close")
  expect(server.isDraining).toBe(false)
  await server.drain(DRAIN_MS)
  expect(server.isDraining).toBe(true)
  for (const path of ["/v1/agents", "/v1/version", main, "/nowhere", "/healthz"])
    expect((await ask(server, "GET", path)).headers.connection, path).toBe("close")
})

test("[TRN-17, LOG-32] a message sent to it is taken and queues; reads show it", async () => {
  await send(server, main, "Before")
  await server.drain(DRAIN_MS)
  const answer = await ask(server, "POST", `${main}/messages`, { body: { text: "Meanwhile" } })
  expect(answer.status).toBe(202)
  expect(jsonOf(answer)).toMatchObject({ outcome: "queued" })
  const { queue } = jsonOf(await ask(server, "GET", main)) as { queue: readonly unknown[] }
  expect(queue).toHaveLength(1)
})

test("[LOG-32] a step that runs is read to its end, then the stream ends between two events", async () => {
  const held = gate()
  server.script([{ type: "text", text: "begun, " }, held, { type: "text", text: "and ended" }, finish()])
  await send(server, main, "Hello")
  const following = await follow(server, `${main}/events?offset=-1&live=sse`)
  const polling = ask(server, "GET", "/v1/feed?offset=now&live=long-poll")
  await following.until((text) => text.includes("begun"))
  const draining = server.drain(DRAIN_MS)
  held.open()
  await draining
  await following.until((text) => text.includes('"state":"done"'))
  await server.close()
  await following.ended
  expect((await polling).status).toBeLessThan(300)
})
