import { afterEach, describe, expect, test } from "vitest"
import { json, problem, startWire, type Wire } from "../test/wire.ts"
import type { Conversation } from "./conversation.ts"
import { defaultTiming } from "./timing.ts"

let wire: Wire | undefined
afterEach(async () => {
  await wire?.close()
  wire = undefined
})

type Act = (conversation: Conversation) => Promise<unknown>

/** A server that fails once and then answers. */
async function failsOnce(status: number, code: string): Promise<{ readonly wire: Wire; readonly host: Conversation }> {
  let calls = 0
  wire = await startWire((_, response) => {
    calls += 1
    if (calls === 1) return problem(response, status, code)
    json(response, 200, { message: { id: "m", version: 2 }, held: null, queued: 0, ask: {}, removed: 0 })
  })
  return { wire, host: wire.parlor.conversation("host") }
}

const commands: readonly (readonly [string, Act])[] = [
  ["send", (host) => host.send("hi")],
  ["hold", (host) => host.hold()],
  ["resume", (host) => host.resume()],
  ["lease", (host) => host.lease("m", { signal: AbortSignal.abort() })],
  ["edit", (host) => host.edit("m", { text: "x", version: 1 })],
  ["remove", (host) => host.remove("m")],
  ["clearQueue", (host) => host.clearQueue()],
  ["sendNow", (host) => host.sendNow("m")],
  ["answer", (host) => host.answer("a", true)],
  ["stop", (host) => host.stop()],
  ["mark", (host) => host.mark({ title: "x" })],
  ["delete", (host) => host.delete()],
]

describe("after a fault", () => {
  test.each(commands)(
    "[QUE-11, LOG-30] %s is repeated with the same key: a second one gives the same answer",
    async (_, act) => {
      const { wire, host } = await failsOnce(503, "store.unavailable")
      await act(host)
      expect(wire.calls).toHaveLength(2)
      const [first, second] = wire.calls
      expect(second?.body).toBe(first?.body)
      expect(first?.headers["idempotency-key"]).toMatch(/^[0-9a-f]{32}$/)
      expect(second?.headers["idempotency-key"]).toBe(first?.headers["idempotency-key"])
    },
  )

  test("[LOG-30] every command has a key of its own, and is tried so many times and no more", async () => {
    wire = await startWire((_, response) => problem(response, 503, "store.unavailable"))
    const host = wire.parlor.conversation("host")
    for (const act of [() => host.stop(), () => host.stop()])
      await expect(act()).rejects.toMatchObject({ code: "store.unavailable" })
    const keys = wire.calls.map(({ headers }) => headers["idempotency-key"])
    expect(keys).toHaveLength(2 * defaultTiming.sendAttempts)
    expect(new Set(keys).size).toBe(2)
  })

  test("[LOG-30] what answers with a secret is not repeated: a second one would be another", async () => {
    const { wire } = await failsOnce(503, "store.unavailable")
    const body = { name: "k", scopes: ["read" as const], actFor: null, expiresAt: null }
    await expect(wire.parlor.keys.make(body)).rejects.toMatchObject({ code: "store.unavailable" })
    expect(wire.calls).toHaveLength(1)
  })

  test.each(commands)("%s is repeated when the server says that nothing was done", async (_, act) => {
    const { wire, host } = await failsOnce(409, "conversation.contended")
    await act(host)
    expect(wire.calls).toHaveLength(2)
  })

  test.each(commands)("[SEC-4, SEC-9] %s is repeated after too many, or an unreachable issuer", async (_, act) => {
    const busy = await failsOnce(429, "rate.exceeded")
    await act(busy.host)
    expect(busy.wire.calls).toHaveLength(2)
    await busy.wire.close()
    const unchecked = await failsOnce(424, "auth.unavailable")
    await act(unchecked.host)
    expect(unchecked.wire.calls).toHaveLength(2)
  })
})

test("every command has its method, path and body", async () => {
  const { wire, host } = await failsOnce(409, "conversation.contended")
  await host.edit("msg/1", { text: "x", before: "m2", version: 3 })
  await host.remove("m")
  await host.clearQueue()
  await host.sendNow("m")
  const lease = await host.lease("m", { holder: "me" })
  await lease.release()
  await host.hold()
  await host.resume()
  await host.answer("ask.1", { size: "L" })
  await host.send("hi", { mode: "steer", position: "a1" })
  const at = "/v1/conversations/host/main"
  expect(wire.calls.slice(1).map(({ method, path, body }) => `${method} ${path.replace(at, "")} ${body}`)).toEqual([
    'PATCH /queue/msg%2F1 {"text":"x","before":"m2","version":3}',
    "DELETE /queue/m ",
    "DELETE /queue ",
    "POST /queue/m/send-now ",
    'PUT /queue/m/lease {"holder":"me"}',
    "DELETE /queue/m/lease ",
    "POST /queue/hold ",
    "POST /queue/resume ",
    'POST /asks/ask.1/answer {"answer":{"size":"L"}}',
    'POST /messages {"text":"hi","mode":"steer","position":"a1"}',
  ])
})
