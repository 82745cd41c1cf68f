import { afterEach, expect, test } from "vitest"
import { control, json, openStream, problem, quick, startWire, type Wire } from "../test/wire.ts"
import { makeHttp } from "./http.ts"

let wire: Wire | undefined
afterEach(async () => {
  await wire?.close()
  wire = undefined
})

/** Accepts one token at a time. `revoke` is what happens when the current one expires. */
async function expiring() {
  let valid = "t1"
  const served = await startWire(({ headers, path }, response) => {
    if (headers.authorization !== `Bearer ${valid}`) return problem(response, 401, "auth.required")
    if (!path.endsWith("/feed")) return json(response, 200, { agents: [], removed: 0 })
    openStream(response)
    response.write(control(0))
    streams.add(() => response.end())
  })
  const streams = new Set<() => void>()
  wire = served
  let asked = 0
  return {
    calls: served.calls,
    asked: () => asked,
    revoke: (next: string) => {
      valid = next
      for (const end of streams) end()
      streams.clear()
    },
    parlor: served.client({
      token: async () => {
        asked += 1
        await new Promise((resolve) => setImmediate(resolve))
        return valid
      },
    }),
  }
}

test("[API-50] a token function is asked once for all requests, and again at every expiry", async () => {
  const { parlor, asked, revoke, calls } = await expiring()
  await Promise.all([parlor.agents(), parlor.agents()])
  await parlor.agents()
  expect(asked()).toBe(1)
  revoke("t2")
  await parlor.agents()
  expect(asked()).toBe(2)
  revoke("t3")
  await parlor.conversation("host").clearQueue()
  await parlor.agents()
  expect(asked()).toBe(3)
  expect(calls.map(({ headers }) => headers.authorization?.slice(-2)).join(" ")).toBe("t1 t1 t1 t1 t2 t2 t3 t3")
  expect(new Set(calls.map((call) => call.headers["idempotency-key"]).filter(Boolean)).size).toBe(1)
})

test("[API-50] requests that are rejected at the same time ask once", async () => {
  const { parlor, asked, revoke } = await expiring()
  await parlor.agents()
  for (const [n, token] of ["t2", "t3"].entries()) {
    revoke(token)
    await Promise.all(Array.from({ length: 8 }, () => parlor.agents()))
    expect(asked()).toBe(n + 2)
  }
})

test("[API-50] a stream continues with a new token, and again after the second expiry", async () => {
  const { parlor, asked, revoke } = await expiring()
  const feed = parlor.feed().live()
  const live = () =>
    expect.poll(() => feed.getState()).toMatchObject({ phase: "ready", connection: "live", error: null })
  await live()
  for (const [n, token] of ["t2", "t3"].entries()) {
    revoke(token)
    await expect.poll(asked).toBe(n + 2)
    await live()
  }
  feed.close()
})

test("[API-50] a second 401 for the same request fails it, and the next request asks again", async () => {
  wire = await startWire((_, response) => problem(response, 401, "auth.required"))
  let asked = 0
  const parlor = wire.client({ token: () => `t${++asked}` })
  await expect(parlor.agents()).rejects.toMatchObject({ code: "auth.required", status: 401 })
  expect([asked, wire.calls.length]).toEqual([2, 2])
  await expect(parlor.agents()).rejects.toMatchObject({ status: 401 })
  expect([asked, wire.calls.length]).toEqual([3, 4])
  const feed = parlor.feed().live()
  await expect.poll(() => feed.getState().phase).toBe("failed")
})

test("[API-50] a text is not asked again, and a body that cannot be sent again is not repeated", async () => {
  wire = await startWire((_, response) => problem(response, 401, "auth.required"))
  await expect(wire.parlor.agents()).rejects.toMatchObject({ status: 401 })
  expect(wire.calls.length).toBe(1)
  let asked = 0
  const parlor = wire.client({ token: () => `t${++asked}` })
  const body = () => new Blob(["{}"]).stream()
  for (const n of [1, 2]) {
    await expect(parlor.importLines("host", "main", body())).rejects.toMatchObject({ status: 401 })
    expect([asked, wire.calls.length]).toEqual([n, n + 1])
  }
})

test("[API-50] the function is told which token was rejected last, and an aborted request is no rejection", async () => {
  let valid = "t1"
  const told: (string | undefined)[] = []
  const fetch: typeof globalThis.fetch = async (_, init) =>
    new Headers(init?.headers).get("authorization") === `Bearer ${valid}`
      ? Response.json({ agents: [] })
      : Response.json({ type: "about:blank", title: "", status: 401, code: "auth.required" }, { status: 401 })
  const token = (rejected: string | undefined) => {
    told.push(rejected)
    return valid
  }
  const http = makeHttp({ baseUrl: "", token, fetch, timing: quick })
  await expect(http.ask("listAgents", { signal: AbortSignal.abort() })).rejects.toThrow()
  await http.ask("listAgents")
  for (const next of ["t2", "t3"]) {
    valid = next
    await http.ask("listAgents")
  }
  expect(told.filter((one) => one !== undefined)).toEqual(["t1", "t2"])
})

test("[API-50] if the function fails, the request fails with token.unavailable, and a later one asks again", async () => {
  const fetch = async () => Response.json({ agents: [] })
  let fails = true
  const token = () => {
    if (fails) throw new Error("signed out")
    return "t"
  }
  const http = makeHttp({ baseUrl: "", token, fetch, timing: quick })
  await expect(http.ask("listAgents")).rejects.toMatchObject({ code: "token.unavailable", passing: true })
  fails = false
  await expect(http.ask("listAgents")).resolves.toEqual({ agents: [] })
})

test("[API-50] waiting for a token ends with the time limit and the signal of the request", async () => {
  const timing = { ...quick, requestMs: 20 }
  let answer = (): string | Promise<string> => new Promise<string>(() => {})
  const fetch = async () => Response.json({ agents: [] })
  const http = makeHttp({ baseUrl: "", token: () => answer(), timing, fetch })
  await expect(http.ask("listAgents")).rejects.toMatchObject({ code: "timeout" })
  const aborted = AbortSignal.abort(new Error("left"))
  await expect(http.ask("listAgents", { signal: aborted })).rejects.toThrow("left")
  answer = () => "t"
  await expect(http.open("listAgents")).resolves.toMatchObject({ status: 200 })
})

test("[API-50] a token that says until when is replaced in time, once for all, and without a rejection", async () => {
  wire = await startWire((_, response) => json(response, 200, { agents: [] }))
  let asked = 0
  const parlor = wire.client({
    token: async () => {
      asked += 1
      return { token: `t${asked}`, until: asked === 2 ? Date.now() + 60_000 : Date.now() }
    },
  })
  await parlor.agents()
  await Promise.all([parlor.agents(), parlor.agents()])
  await parlor.agents()
  expect(wire.calls.map(({ headers }) => headers.authorization).join(" ")).toBe(
    "Bearer t1 Bearer t2 Bearer t2 Bearer t2",
  )
})
