/** [MOD-3, MOD-5] Choosing a model over HTTP and with the SDK. */
import { Parlor } from "@parlor/client"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { ask, expectProblem } from "./client.ts"
import { eventually } from "./conversations.ts"
import { startTestServer, type TestServer } from "./server.ts"

const price = { input: 2, output: 10, cached: 0.2 }
const other = {
  name: "other",
  window: 5_000,
  maxOutput: 100,
  price,
  missing: "Set OTHER_KEY.",
  load: () => Promise.reject(),
}

let server: TestServer
let parlor: Parlor
beforeEach(async () => {
  server = await startTestServer({ agent: { offers: () => [other] } })
  parlor = new Parlor({ baseUrl: `http://127.0.0.1:${server.port}`, token: server.token })
})
afterEach(() => server.close())

const put = (body: unknown, path = "/v1/conversations/host/main/settings") =>
  ask(server, "PUT", path, { body: JSON.stringify(body) })

describe("models over HTTP", () => {
  test("[MOD-5] the list has window, price, and what is missing", async () => {
    expect(await parlor.models("host")).toEqual([
      { name: "scripted", window: 100_000, maxOutput: null, price: null, ready: true, missing: null, isDefault: true },
      {
        name: "other",
        window: 5_000,
        maxOutput: 100,
        price,
        ready: false,
        missing: "Set OTHER_KEY.",
        isDefault: false,
      },
    ])
    expectProblem(await ask(server, "GET", "/v1/agents/nobody/models"), { status: 404, code: "agent.unknown" })
  })

  test("[MOD-3] settings are stored before the answer, and reach the model in the next turn", async () => {
    const host = parlor.conversation("host")
    const settings = { model: "scripted", temperature: 0.3, reasoning: "high" } as const
    expect(await host.setModel(settings)).toEqual({ settings })
    expect((await host.open()).status.settings).toEqual(settings)
    await host.send("hello")
    await eventually(async () => server.requests.length).toBe(1)
    expect(server.requests[0]?.settings).toEqual({ temperature: 0.3, reasoning: "high" })
    expect(await host.setModel({})).toEqual({ settings: null })
    expect((await host.open()).status.settings).toBeNull()
  })

  test.each([
    [{ model: "nope" }, 422, "model.not-offered", "/model"],
    [{ model: "other" }, 409, "model.not-ready", "/model"],
    [{ providerOptions: { openai: { user: "x" } } }, 403, "settings.not-allowed", "/providerOptions"],
    [{ temperature: 3 }, 422, "request.invalid", "/temperature"],
    [{ maxOutputTokens: 0 }, 422, "request.invalid", "/maxOutputTokens"],
    [{ reasoning: "much" }, 422, "request.invalid", "/reasoning"],
    [{ modle: "scripted" }, 422, "request.invalid", undefined],
    [{ fallbacks: ["a", "b", "c", "d", "e"] }, 422, "request.invalid", "/fallbacks"],
    [{ providerOptions: { a: { b: "x".repeat(5_000) } } }, 422, "request.invalid", "/providerOptions"],
    [{ providerOptions: { a: { b: "\u0000" } } }, 422, undefined, undefined],
  ])("[MOD-4] %j is refused with %i %s", async (body, status, code, pointer) => {
    const answer = await put(body)
    expect(answer.status === status || (code === undefined && answer.status < 500)).toBe(true)
    if (code !== undefined) expectProblem(answer, { status, code, ...(pointer === undefined ? {} : { pointer }) })
    expect((await parlor.conversation("host").open()).status.settings).toBeNull()
  })
})
