/** Access checks: hosts, origins, media types, token locations, and the listening address. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { readOrMakeToken } from "@parlor/server"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { readSettings } from "../../packages/cli/src/serve/settings.ts"
import { type Answer, ask, expectProblem, follow, raw } from "./client.ts"
import { headOf, pathOf } from "./conversations.ts"
import { startTestServer, type TestServer } from "./server.ts"

const main = pathOf("host", "main")
let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.close())

function line(...headers: readonly string[]): Promise<Answer> {
  const auth = `Authorization: Bearer ${server.token}`
  return raw(server, `${["GET /v1/agents HTTP/1.1", auth, "Connection: close", ...headers].join("\r\n")}\r\n\r\n`)
}

describe("[SEC-3] the Host", () => {
  const wrong = [
    "evil.example",
    "evil.example:PORT",
    "127.0.0.1",
    "127.0.0.1:1",
    "127.0.0.1.nip.io:PORT",
    "localhost.evil.example:PORT",
    "localhost.:PORT",
    "127.1:PORT",
    "2130706433:PORT",
    "0x7f.0.0.1:PORT",
    "0.0.0.0:PORT",
    "[::ffff:127.0.0.1]:PORT",
    "user@127.0.0.1:PORT",
    "127.0.0.1:PORT.evil.example",
    "127.0.0.1:PORT,evil.example",
    "",
  ]

  test.each(wrong)("%j is not this server", async (host) => {
    const answer = await line(`Host: ${host.replace("PORT", String(server.port))}`)
    expect([400, 421]).toContain(answer.status)
    expect(answer.headers["content-type"]).toBe("application/problem+json")
    expect(answer.text).not.toContain("The agent host")
  })

  test.each(["127.0.0.1", "localhost", "LOCALHOST", "[::1]"])("%s is", async (host) => {
    expect((await line(`Host: ${host}:${server.port}`)).status).toBe(200)
  })

  test("has to be there, once", async () => {
    expectProblem(await line(), { status: 421, code: "host.not-allowed" })
    const good = `Host: 127.0.0.1:${server.port}`
    expectProblem(await line(good, "Host: evil.example"), { status: 421, code: "host.not-allowed" })
    expectProblem(await line("Host: evil.example", good), { status: 421, code: "host.not-allowed" })
    expectProblem(await line(good, good), { status: 421, code: "host.not-allowed" })
  })

  test("cannot be gone around by an absolute address", async () => {
    const head = `HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nConnection: close\r\n\r\n`
    const elsewhere = await raw(server, `GET http://evil.example/healthz ${head}`)
    expectProblem(elsewhere, { status: 421, code: "host.not-allowed" })
    expect((await raw(server, `GET http://127.0.0.1:${server.port}/healthz ${head}`)).status).toBe(200)
  })

  test("is looked at before the token and on every route", async () => {
    for (const path of ["/", "/healthz", "/openapi.json", main, "/nowhere"]) {
      const answer = await ask(server, "GET", path, { token: null, headers: { host: "evil.example" } })
      expectProblem(answer, { status: 421, code: "host.not-allowed" }, path)
    }
  })
})

describe("[SEC-3] the Origin", () => {
  test.each([
    "http://evil.example",
    "null",
    "http://127.0.0.1",
    "http://127.0.0.1:1",
    "file://",
    "",
    "http://localhost.evil.example",
  ])("%j is another site's", async (origin) => {
    const answer = await ask(server, "GET", "/v1/agents", { headers: { origin } })
    expectProblem(answer, { status: 403, code: "origin.not-allowed" })
  })

  test("of another name of this same server is another site's", async () => {
    const answer = await ask(server, "GET", "/v1/agents", { headers: { origin: `http://localhost:${server.port}` } })
    expectProblem(answer, { status: 403, code: "origin.not-allowed" })
  })

  test("of the server's own page is taken", async () => {
    const headers = { origin: `http://127.0.0.1:${server.port}` }
    expect((await ask(server, "GET", "/v1/agents", { headers })).status).toBe(200)
  })

  test("no answer opens itself to other sites", async () => {
    const preflight = { "access-control-request-method": "POST", "access-control-request-headers": "authorization" }
    const answers = [
      await ask(server, "GET", "/v1/agents"),
      await ask(server, "GET", "/healthz", { token: null }),
      await ask(server, "OPTIONS", `${main}/messages`, { token: null, headers: preflight }),
      await ask(server, "OPTIONS", main, { headers: { ...preflight, origin: "http://evil.example" } }),
      await ask(server, "GET", `${main}/events`),
      await ask(server, "GET", "/nowhere"),
    ]
    const following = await follow(server, `${main}/events?offset=now&live=sse`)
    following.leave()
    for (const { headers } of [...answers, following])
      expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([])
    expect(answers[2]?.status).toBe(405)
    expect(answers[3]?.status).toBe(403)
    for (const { headers } of answers) expect(headers["x-content-type-options"]).toBe("nosniff")
  })
})

describe("[SEC-3] changes", () => {
  const types = [
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "",
    "application/jsonx",
    "text/json",
  ]

  test.each(types)("need JSON, not %j", async (type) => {
    const before = await headOf(server, main)
    const headers = { "content-type": type }
    for (const [method, path] of [
      ["POST", `${main}/messages`],
      ["PATCH", main],
      ["POST", `${main}/stop`],
      ["POST", "/v1/keys"],
    ] as const)
      expectProblem(await ask(server, method, path, { headers, body: '{"text":"hi"}' }), {
        status: 415,
        code: "request.media-type",
      })
    expectProblem(
      await ask(server, "POST", "/v1/import?agent=host", { headers, body: '{"role":"person","text":"x"}' }),
      {
        status: 415,
        code: "request.media-type",
      },
    )
    expect(await headOf(server, main)).toBe(before)
  })

  test("take parameters of the media type, in any case", async () => {
    const headers = { "content-type": "Application/JSON; charset=utf-8" }
    expect((await ask(server, "PATCH", main, { headers, body: "{}" })).status).toBe(200)
  })
})

test.each(["token", "access_token", "api_key", "authorization", "key"])(
  "[SEC-3] a token in the address is not taken: ?%s=",
  async (name) => {
    const answer = await ask(server, "GET", `/v1/agents?${name}=${server.token}`, { token: null })
    expectProblem(answer, { status: 401, code: "auth.missing" })
    const streamed = await ask(server, "GET", `${main}/events?offset=-1&live=sse&${name}=${server.token}`, {
      token: null,
    })
    expectProblem(streamed, { status: 401, code: "auth.missing" })
  },
)

test.each(["cookie", "x-api-key", "proxy-authorization", "x-authorization"])(
  "[SEC-3] nor one in the header %s",
  async (name) => {
    const headers = { [name]: name === "cookie" ? `token=${server.token}` : `Bearer ${server.token}` }
    expectProblem(await ask(server, "GET", "/v1/agents", { token: null, headers }), {
      status: 401,
      code: "auth.missing",
    })
  },
)

test.each([
  "",
  "Bearer",
  "Bearer ",
  "Basic dXNlcjpwYXNz",
  "TOKEN",
  "Bearer TOKEN TOKEN",
  "Bearer TOKEN,",
  "Bearer  TOKEN",
])("[SEC-3] the header has to be Bearer and the token: %j", async (value) => {
  const authorization = value.replaceAll("TOKEN", server.token)
  const answer = await ask(server, "GET", "/v1/agents", { token: null, headers: { authorization } })
  expectProblem(answer, { status: 401, code: "auth.invalid" })
})

test("[SEC-2] the local token is 256 bits in a file only its owner can read", () => {
  const folder = mkdtempSync(join(tmpdir(), "parlor-token-"))
  const path = join(folder, "data", "token")
  const token = readOrMakeToken(path)
  expect(Buffer.from(token, "base64url")).toHaveLength(32)
  expect(readFileSync(path, "utf8").trim()).toBe(token)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(statSync(join(folder, "data")).mode & 0o777).toBe(0o700)
  expect(readOrMakeToken(path)).toBe(token)
  expect(readOrMakeToken(join(folder, "other"))).not.toBe(token)
  rmSync(folder, { recursive: true })
})

test.each(["", "short", `${"x".repeat(31)}\n`])(
  "[SEC-2] a file with less than a token gets a new one, and its mode: %j",
  (text) => {
    const folder = mkdtempSync(join(tmpdir(), "parlor-token-"))
    const path = join(folder, "token")
    writeFileSync(path, text, { mode: 0o644 })
    expect(Buffer.from(readOrMakeToken(path), "base64url")).toHaveLength(32)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    rmSync(folder, { recursive: true })
  },
)

describe("[SEC-2] where it listens", () => {
  const token = "x".repeat(43)

  test("loopback, unless told otherwise", () => {
    expect(readSettings({}).host).toBe("127.0.0.1")
  })

  test.each(["0.0.0.0", "::", "192.168.1.2", "parlor.example", "127.0.0.1.evil.example", "::ffff:0.0.0.0"])(
    "a public address without a token is refused: %s",
    (host) => {
      expect(() => readSettings({ PARLOR_HOST: host })).toThrow(/PARLOR_TOKEN/)
      expect(readSettings({ PARLOR_HOST: host, PARLOR_TOKEN: token }).host).toBe(host)
    },
  )

  test("a guessable token is refused", () => {
    expect(() => readSettings({ PARLOR_TOKEN: "secret" })).toThrow(/too short/)
  })
})
