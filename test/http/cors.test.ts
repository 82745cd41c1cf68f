/** CORS: requests of pages from other origins. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { readSettings } from "../../packages/cli/src/serve/settings.ts"
import { type Answer, ask, expected, expectProblem, follow } from "./client.ts"
import { headOf, pathOf } from "./conversations.ts"
import { startTestServer, type TestServer } from "./server.ts"

const main = pathOf("host", "main")
const APP = "https://app.example.com"
const PREFLIGHT = { "access-control-request-method": "POST", "access-control-request-headers": "authorization, prefer" }

let server: TestServer
let pages: string
beforeAll(async () => {
  pages = mkdtempSync(join(tmpdir(), "parlor-page-"))
  writeFileSync(join(pages, "index.html"), "<!doctype html><title>Parlor</title>")
  const allowedOrigins = [APP, "tauri://localhost"]
  server = await startTestServer({ pageFolder: pages, edge: { allowedOrigins } })
})
afterAll(async () => {
  await server.close()
  rmSync(pages, { recursive: true })
})

const cors = ({ headers }: Pick<Answer, "headers">) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith("access-control-")))

describe("[API-17] an allowed origin", () => {
  const headers = { origin: APP }
  const opened = { "access-control-allow-origin": APP, "access-control-expose-headers": "*" }

  test("reads every response, errors too, and each says that it depends on the origin", async () => {
    const answers = [
      await ask(server, "GET", "/v1/agents", { headers }),
      await ask(server, "GET", "/v1/agents", { headers, token: null }),
      await ask(server, "GET", `${main}/events`, { headers }),
      await ask(server, "POST", `${main}/messages`, { headers, body: { text: "hi" } }),
      await ask(server, "POST", `${main}/messages`, { headers, body: { nonsense: true } }),
      await ask(server, "GET", "/v1/ui/host/none/messages", { headers }),
      await ask(server, "GET", "/nowhere", { headers }),
      await ask(server, "DELETE", "/v1/agents", { headers }),
      await ask(server, "HEAD", `${main}/events`, { headers }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 200, 202, 422, 404, 404, 405, 200])
    const following = await follow(server, `${main}/events?offset=now&live=sse`, { headers })
    following.leave()
    const streamed = await ask(server, "POST", `${main}/messages`, {
      headers: { ...headers, accept: "text/event-stream" },
      body: { text: "hi" },
    })
    for (const answer of [...answers, following, streamed]) {
      expect(cors(answer)).toEqual(opened)
      expect(answer.headers.vary).toBe("Origin")
    }
  })

  test("gets an answer to a preflight, without a token; cookies are never allowed", async () => {
    const preflight = (path: string, more = {}) =>
      ask(server, "OPTIONS", path, { token: null, headers: { ...headers, ...PREFLIGHT, ...more } })
    const answer = await preflight(`${main}/messages`)
    expect([answer.status, answer.text]).toEqual([204, ""])
    expect(cors(answer)).toEqual({
      ...opened,
      "access-control-allow-methods": "POST, GET, HEAD",
      "access-control-allow-headers": "Authorization, *",
      "access-control-max-age": "600",
    })
    expect(answer.headers.vary).toBe("Origin")
    const near = await preflight(main, { "access-control-request-private-network": "true" })
    expect(near.headers["access-control-allow-private-network"]).toBe("true")
    expectProblem(await preflight("/nowhere"), expected("route.unknown"))
    expectProblem(await ask(server, "OPTIONS", main, { headers }), expected("method.not-allowed"))
  })

  test("needs a token as everybody does, and may be an app's", async () => {
    const answer = await ask(server, "GET", "/v1/agents", { headers: { origin: "tauri://localhost" } })
    expect(cors(answer)["access-control-allow-origin"]).toBe("tauri://localhost")
  })

  test("does not get the page", async () => {
    const page = await ask(server, "GET", "/", { token: null, headers })
    expect([page.status, cors(page)]).toEqual([200, {}])
  })
})

describe("[API-18] any other origin", () => {
  const others = ["https://evil.example", "https://app.example.com.evil.example", "http://app.example.com", "null"]

  test.each(others)("%s is refused, and nothing happens", async (origin) => {
    const before = await headOf(server, main)
    const answers = [
      await ask(server, "OPTIONS", `${main}/messages`, { token: null, headers: { origin, ...PREFLIGHT } }),
      await ask(server, "POST", `${main}/messages`, { headers: { origin }, body: { text: "hi" } }),
      await ask(server, "GET", `${main}/events`, { headers: { origin } }),
      await ask(server, "GET", "/", { headers: { origin } }),
    ]
    for (const answer of answers) {
      expectProblem(answer, expected("origin.not-allowed"))
      expect(cors(answer)).toEqual({})
    }
    expect(await headOf(server, main)).toBe(before)
  })

  test("the server's own page needs no setting and gets no CORS headers", async () => {
    const headers = { origin: `http://127.0.0.1:${server.port}` }
    for (const answer of [
      await ask(server, "GET", "/v1/agents", { headers }),
      await ask(server, "GET", "/v1/agents"),
      await ask(server, "GET", "/"),
    ]) {
      expect(answer.status).toBe(200)
      expect(cors(answer)).toEqual({})
    }
  })
})

describe("[API-17] PARLOR_ALLOWED_ORIGINS", () => {
  test("is a list of origins", () => {
    const text = "https://App.example.com, http://localhost:5173,capacitor://localhost,http://[::1]:8080"
    expect(readSettings({ PARLOR_ALLOWED_ORIGINS: text }).allowedOrigins).toEqual([
      "https://app.example.com",
      "http://localhost:5173",
      "capacitor://localhost",
      "http://[::1]:8080",
    ])
    expect(readSettings({}).allowedOrigins).toEqual([])
  })

  test.each([
    "*",
    "null",
    "app.example.com",
    "https://a.example/",
    "https://*.a.example",
    "https://a.example:443",
    "https://u@a",
  ])("%s is not one", (text) => {
    expect(() => readSettings({ PARLOR_ALLOWED_ORIGINS: text })).toThrow(/is not an origin/)
  })
})
