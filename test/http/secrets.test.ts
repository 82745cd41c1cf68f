/**
 * [SEC-8] Canaries: secrets are passed in at every place that accepts one, and all output is searched for them.
 *
 * The server is the built one in a separate process, so that its log is the real log. Its model provider echoes the key in
 * its errors, as providers do.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { createServer, type Server } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { routes } from "@parlor/protocol"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { ask, raw, read, type Target } from "./client.ts"
import { converse, logOf, open, pathOf } from "./conversations.ts"
import { dumpSqlite, tablesWith } from "./dump.ts"

const BIN = fileURLToPath(new URL("../../packages/cli/dist/bin.js", import.meta.url))
const CANARIES = {
  localToken: "canary-local-token-0123456789abcdef",
  providerKey: "sk-canary-provider-key-0123456789",
  otherKey: "sk-ant-canary-other-key-0123456789",
  unusedSecret: "canary-unused-secret-0123456789",
}
const WRONG_TOKEN = "parlor_canary-wrong-token-0123456789abcdefghij"
/** Of an issuer that responds with an error, as the model provider does. */
const JWT = `${Buffer.from('{"alg":"ES256","kid":"canary"}').toString("base64url")}.eyJzdWIiOiJjYW5hcnkifQ.Y2FuYXJ5`
const main = pathOf("host", "main")

let provider: Server
let child: ChildProcess
let folder: string
let target: Target
let printed = ""
let logged = ""

beforeAll(async () => {
  provider = createServer((incoming, outgoing) => {
    incoming.resume()
    outgoing.writeHead(401, { "content-type": "application/json" })
    const message = `Incorrect API key provided: ${incoming.headers.authorization}. Find yours elsewhere.`
    outgoing.end(JSON.stringify({ error: { message, type: "invalid_request_error", code: "invalid_api_key" } }))
  })
  await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve))
  const address = provider.address()
  if (address === null || typeof address === "string") throw new Error("no port")
  folder = mkdtempSync(join(tmpdir(), "parlor-secrets-"))
  child = spawn(process.execPath, [BIN, "serve"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      PARLOR_PORT: "0",
      PARLOR_DATA: folder,
      PARLOR_LOG: "trace",
      PARLOR_TOKEN: CANARIES.localToken,
      PARLOR_TITLES: "off",
      PARLOR_MODEL: "compatible/any",
      OPENAI_API_KEY: CANARIES.providerKey,
      OPENAI_BASE_URL: `http://127.0.0.1:${address.port}/v1`,
      ANTHROPIC_API_KEY: CANARIES.otherKey,
      PARLOR_JWT_ISSUER: `http://127.0.0.1:${address.port}`,
      PARLOR_JWT_AUDIENCE: "parlor",
      SOME_SECRET: CANARIES.unusedSecret,
    },
  })
  child.stdout?.on("data", (text) => {
    printed += text
  })
  child.stderr?.on("data", (text) => {
    logged += text
  })
  await vi.waitFor(() => expect(printed + logged).toContain("Parlor is ready"), { timeout: 30_000 })
  target = { port: Number(/:(\d+)\//.exec(printed)?.[1]), token: CANARIES.localToken }
}, 40_000)

afterAll(async () => {
  const ended = new Promise((resolve) => child.once("exit", resolve))
  child.kill("SIGTERM")
  await ended
  provider.close()
  rmSync(folder, { recursive: true, force: true })
})

test("[SEC-8, SEC-29] secrets appear in no log line, answer, event, export, error or table", async () => {
  const secrets: string[] = [...Object.values(CANARIES), WRONG_TOKEN, JWT]
  const answers: string[] = []
  const made = await read(target, routes.makeKey.answer.schema, "POST", "/v1/keys", { body: { name: "canary" } })
  secrets.push(made.secret)
  const hook = await read(target, routes.makeHook.answer.schema, "POST", "/v1/hooks", {
    body: { agent: "host", template: "{{body}}" },
  })
  const rotated = await read(target, routes.rotateHook.answer.schema, "POST", `/v1/hooks/${hook.id}/rotate`)
  const url = "https://example.com/told"
  const notice = await read(target, routes.makeNotice.answer.schema, "POST", "/v1/notices", { body: { url } })
  secrets.push(hook.secret, rotated.secret, notice.secret)
  await converse(target, main, "Please answer")
  answers.push(JSON.stringify(await open(target, main)), JSON.stringify(await logOf(target, main)))
  expect(answers[0]).toContain('"state":"error"')
  const asks = [
    ask(target, "GET", `${main}/export`),
    ask(target, "GET", "/v1/keys"),
    ask(target, "GET", "/v1/feed"),
    ask(target, "GET", "/v1/agents"),
    ask(target, "GET", "/openapi.json"),
    ask(target, "GET", "/healthz"),
    ask(target, "GET", "/v1/agents", { token: WRONG_TOKEN }),
    ask(target, "GET", "/v1/agents", { token: JWT }),
    ask(target, "GET", "/v1/agents", { token: null, headers: { authorization: `Basic ${WRONG_TOKEN}` } }),
    ask(target, "GET", `/v1/nowhere?token=${target.token}`),
    ask(target, "GET", main, { token: made.secret, headers: { "parlor-person": "someone" } }),
    ask(target, "POST", `${main}/messages`, { token: made.secret, body: "{" }),
    ask(target, "POST", `${main}/messages`, { token: made.secret, body: { text: 1 } }),
    ask(target, "GET", `${main}/events?offset=nowhere`, { token: made.secret }),
    raw(target, `GET / HTTP/1.1\r\nAuthorization: Bearer ${target.token}\r\nBroken\r\n\r\n`),
    raw(target, `GET /${"x".repeat(20_000)} HTTP/1.1\r\nAuthorization: Bearer ${target.token}\r\n\r\n`),
  ]
  answers.push(...(await Promise.all(asks)).map((answer) => JSON.stringify(answer)))
  await ask(target, "DELETE", `/v1/keys/${made.id}`)
  answers.push((await ask(target, "GET", main, { token: made.secret })).text)
  // The log of another process arrives asynchronously through a pipe.
  await expect.poll(() => logged).toContain("the issuer's keys could not be fetched")
  const onDisk = readdirSync(folder).flatMap((name) =>
    name.startsWith("parlor.db") ? [readFileSync(join(folder, name), "latin1")] : [],
  )
  expect(onDisk.join("").includes("sealed:1:")).toBe(true)
  for (const secret of secrets) {
    // [SEC-29] Not in the database's files either, including leftovers of deleted rows.
    expect(onDisk.some((bytes) => bytes.includes(secret))).toBe(false)
    for (const answer of answers) expect(answer).not.toContain(secret)
    expect(logged).not.toContain(secret)
    expect(tablesWith(dumpSqlite(join(folder, "parlor.db")), secret)).toEqual([])
  }
  expect(printed.trim().split("\n")).toEqual([
    `Parlor is ready: http://127.0.0.1:${target.port}/`,
    "Sign in with the token in PARLOR_TOKEN.",
  ])
  expect(logged).toMatch(/^compatible\/\* uses http:\/\/127\.0\.0\.1:\d+\/v1 \(OPENAI_BASE_URL\)$/m)
})
