/** [MOD-15 to MOD-18] Connecting model providers over HTTP, with `parlor serve` and provider accounts on real sockets. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Parlor } from "@parlor/client"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { type Serving, startServing } from "../../packages/cli/src/serve.ts"
import { type AccountServer, openAccountServer } from "../providers/account-server.ts"
import { freshDatabase } from "../support/postgres.ts"
import { ask, expectProblem, type Target } from "./client.ts"
import { eventually } from "./conversations.ts"
import { dumpPostgres } from "./dump.ts"
import { STORES } from "./server.ts"

const TOKEN = "a-token-for-the-tests-of-model-providers"
const KEY = "sk-account-key-0123456789abcdefWXYZ"

const accounts = [
  { provider: "openai", has: ["gpt-5.6", "gpt-4.1", "whisper-1"], lists: ["gpt-5.6", "gpt-4.1"], usual: "gpt-5.6" },
  { provider: "anthropic", has: ["claude-sonnet-5-5"], lists: ["claude-sonnet-5-5"], usual: "claude-sonnet-5-5" },
  { provider: "google", has: ["gemini-2.5-pro"], lists: ["gemini-2.5-pro"], usual: "gemini-2.5-pro" },
] as const

let account: AccountServer
let closing: (() => Promise<unknown>)[]
let folder: string

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "parlor-providers-"))
  closing = [async () => rmSync(folder, { recursive: true, force: true })]
  account = await openAccountServer(KEY)
  account.models = ["gpt-5.6", "gpt-4.1"]
  closing.push(() => account.close())
})
afterEach(async () => {
  for (const close of closing.reverse()) await close()
})

type Served = Target & { readonly sdk: Parlor; readonly serving: Serving; stop(): Promise<void> }

async function served(env: NodeJS.ProcessEnv = {}, data = folder): Promise<Served> {
  const serving = await startServing({
    PARLOR_DATA: data,
    PARLOR_TOKEN: TOKEN,
    PARLOR_PORT: "0",
    PARLOR_LOG: "error",
    PARLOR_DRAIN_MS: "0",
    PARLOR_TITLES: "off",
    PARLOR_LOCAL_MODELS: "off",
    ...account.env,
    ...env,
  })
  let isOpen = true
  const stop = async () => {
    if (isOpen) await serving.close()
    isOpen = false
  }
  closing.push(stop)
  const port = Number(new URL(serving.url).port)
  return { port, token: TOKEN, serving, stop, sdk: new Parlor({ baseUrl: serving.url, token: TOKEN }) }
}

const put = (server: Target, provider: string, body: object) =>
  ask(server, "PUT", `/v1/providers/${provider}`, { body: JSON.stringify(body) })

let talks = 0
/** What `host` answers in a new conversation. */
async function answerOf(server: Served): Promise<string> {
  const branch = `talk-${++talks}`
  await ask(server, "PUT", `/v1/conversations/host/${branch}`)
  const conversation = server.sdk.conversation("host", branch)
  await conversation.send("Who are you?")
  await eventually(async () => (await conversation.open()).status.state).toMatch(/idle|error/)
  const last = (await conversation.open()).messages.at(-1)
  return last?.role === "agent" ? last.parts.map((part) => (part.type === "text" ? part.text : "")).join("") : ""
}

describe.each(STORES)("on %s", (kind) => {
  let env: NodeJS.ProcessEnv
  let stored: () => Promise<string>

  beforeEach(async () => {
    if (kind === "SQLite") {
      env = {}
      const files = () => readdirSync(folder).filter((name) => name.startsWith("parlor.db"))
      stored = async () =>
        files()
          .map((name) => readFileSync(join(folder, name), "latin1"))
          .join("")
      return
    }
    const { url, drop } = await freshDatabase()
    closing.push(drop)
    env = { DATABASE_URL: url }
    stored = async () => JSON.stringify(await dumpPostgres(url))
  })

  test.each(accounts)(
    "[MOD-15] $provider answers at once, without a restart",
    async ({ provider, has, lists, usual }) => {
      account.models = has
      const server = await served(env)
      expect((await server.sdk.agents())[0]?.model).toBe("demo")
      const connected = await put(server, provider, { key: KEY })
      expect(connected.status, connected.text).toBe(200)
      expect(JSON.parse(connected.text)).toMatchObject({
        provider,
        stored: { ending: "WXYZ", models: lists, model: usual },
      })
      expect((await server.sdk.agents())[0]?.model).toBe(`${provider}/${usual}`)
      expect(await answerOf(server)).toBe("A real model says so.")
      expect((await server.sdk.models("host")).map(({ name }) => name)).toEqual(
        expect.arrayContaining([...lists.map((id) => `${provider}/${id}`), "demo"]),
      )
      expect(account.asked.every(({ key }) => key === KEY)).toBe(true)
      await server.stop()
      const again = await served(env)
      expect(await answerOf(again)).toBe("A real model says so.")
    },
  )

  test("[MOD-16] the key is sealed, and in no answer, export or list", async () => {
    const server = await served(env)
    const seen = [(await put(server, "openai", { key: KEY })).text]
    await answerOf(server)
    const paths = ["/v1/providers", "/v1/agents/host/models", "/v1/agents", "/v1/usage", "/metrics"]
    for (const path of paths) seen.push((await ask(server, "GET", path)).text)
    seen.push((await ask(server, "GET", `/v1/conversations/host/talk-${talks}/export`)).text)
    seen.push((await ask(server, "GET", `/v1/conversations/host/talk-${talks}/inspect/turns`)).text)
    expect(seen.join("")).not.toContain(KEY)
    expect(seen[1]).toContain('"ending":"WXYZ"')
    const bytes = await stored()
    expect(bytes).toContain("sealed:1:")
    expect(bytes).not.toContain(KEY)
    expect(bytes).toContain("provider.connected")
  })

  test("[MOD-15] what the provider does not accept is not stored, and the error says why", async () => {
    const server = await served(env)
    const wrong = "sk-some-other-key-0123456789"
    for (const { provider } of accounts) {
      const refused = await put(server, provider, { key: wrong })
      expectProblem(refused, { status: 422, code: "provider.key", pointer: "/key" })
      expect(refused.text).not.toContain(wrong)
    }
    account.mood = "quota"
    for (const { provider, has } of accounts) {
      account.models = has
      expectProblem(await put(server, provider, { key: KEY }), { status: 409, code: "provider.quota" })
    }
    account.mood = "well"
    expectProblem(await put(server, "google", { key: KEY, model: "gemini-nope" }), {
      status: 422,
      code: "provider.model",
      pointer: "/model",
    })
    await account.close()
    const unreachable = await put(server, "openai", { key: KEY })
    expectProblem(unreachable, { status: 424, code: "provider.unreachable" })
    expect(unreachable.text).toContain("OpenAI")
    expect(await stored()).not.toContain("sealed:1:")
    expect((await server.sdk.agents())[0]?.model).toBe("demo")
  })

  test("[MOD-15] it can be tested, replaced and removed", async () => {
    const server = await served(env)
    const test = (body: object) => ask(server, "POST", "/v1/providers/openai/test", { body: JSON.stringify(body) })
    expectProblem(await test({}), { status: 422, code: "request.invalid", pointer: "/key" })
    expect(JSON.parse((await test({ key: KEY })).text)).toEqual({ models: ["gpt-5.6", "gpt-4.1"], model: "gpt-5.6" })
    expect(await stored()).not.toContain("sealed:1:")
    await put(server, "openai", { key: KEY })
    // The same account with another model: the key stays.
    const chosen = JSON.parse((await put(server, "openai", { model: "gpt-4.1" })).text)
    expect(chosen.stored).toMatchObject({ ending: "WXYZ", model: "gpt-4.1" })
    expect((await server.sdk.agents())[0]?.model).toBe("openai/gpt-4.1")
    account.key = "sk-rotated-key-0123456789abcdef1234"
    expectProblem(await test({}), { status: 422, code: "provider.key" })
    expect(await answerOf(server)).toBe("")
    expect((await put(server, "openai", { key: account.key })).text).toContain('"ending":"1234"')
    expect(await answerOf(server)).toBe("A real model says so.")
    const remove = () => ask(server, "DELETE", "/v1/providers/openai")
    expect((await remove()).status).toBe(204)
    expectProblem(await remove(), { status: 404, code: "provider.unknown" })
    expect((await server.sdk.agents())[0]?.model).toBe("demo")
    expect((await ask(server, "GET", "/v1/providers")).text).not.toContain("1234")
  })

  test("[MOD-16] only the owner of the server may", async () => {
    const server = await served(env)
    const { secret } = await server.sdk.keys.make({
      name: "bridge",
      scopes: ["read", "write", "manage"],
      actFor: "ana:*",
      asMaker: false,
      expiresAt: null,
    })
    const headers = { "parlor-person": "ana:1", "content-type": "application/json" }
    for (const [method, path] of [
      ["GET", "/v1/providers"],
      ["PUT", "/v1/providers/openai"],
      ["POST", "/v1/providers/openai/test"],
      ["DELETE", "/v1/providers/openai"],
    ] as const) {
      const body = method === "GET" || method === "DELETE" ? {} : { body: JSON.stringify({ key: KEY }) }
      const answer = await ask(server, method, path, { ...body, headers, token: secret })
      expectProblem(answer, { status: 403, code: "auth.forbidden" })
    }
    expect(account.asked).toEqual([])
  })

  test("[MOD-17] variables of the environment win, and the list says so", async () => {
    const other = await openAccountServer("sk-environment-0123456789")
    closing.push(() => other.close())
    other.says = "The environment says so."
    const inEnv = { ...env, OPENAI_API_KEY: "sk-environment-0123456789", PARLOR_OPENAI_BASE_URL: `${other.url}/v1` }
    const first = await served(env)
    await put(first, "openai", { key: KEY })
    await first.stop()
    const server = await served(inEnv)
    expect(await answerOf(server)).toBe("The environment says so.")
    const { providers, model, variable } = JSON.parse((await ask(server, "GET", "/v1/providers")).text)
    expect({ model, variable }).toEqual({ model: "openai/gpt-5.6", variable: "OPENAI_API_KEY" })
    const openai = providers.find((one: { provider: string }) => one.provider === "openai")
    expect(openai).toMatchObject({ isInEnvironment: true, variable: "OPENAI_API_KEY", stored: { ending: "WXYZ" } })
    expect(other.asked.every(({ key }) => key === "sk-environment-0123456789")).toBe(true)
  })

  test("[MOD-17] without its account, an agent's own model says what to do, and the server still starts", async () => {
    const named = { ...env, PARLOR_MODEL: "openai/gpt-5.6" }
    const server = await served(named)
    const conversation = server.sdk.conversation("host")
    await conversation.send("hello")
    await eventually(async () => (await conversation.open()).status.error?.code).toBe("model.key")
    expect((await conversation.open()).status.error?.detail).toContain("Connect OpenAI under Settings › Models")
    await put(server, "openai", { key: KEY })
    expect(await answerOf(server)).toBe("A real model says so.")
    await ask(server, "DELETE", "/v1/providers/openai")
    await server.stop()
    await served(named)
  })
})

test("[MOD-15] every node that shares a database uses a new account at once", async () => {
  const { url, drop } = await freshDatabase()
  closing.push(drop)
  const folders = ["a", "b"].map((name) => mkdtempSync(join(tmpdir(), `parlor-providers-${name}-`)))
  closing.push(async () => folders.map((one) => rmSync(one, { recursive: true, force: true })))
  // Polling would take longer than the test waits: it has to be notified.
  const env = { DATABASE_URL: url, PARLOR_SECRET_KEY: "ab".repeat(32), PARLOR_LEASE_MS: "600000" }
  const one = await served(env, folders[0])
  const two = await served(env, folders[1])
  account.models = ["claude-x"]
  await put(one, "anthropic", { key: KEY })
  await eventually(async () => (await two.sdk.agents())[0]?.model).toBe("anthropic/claude-x")
  expect(await answerOf(two)).toBe("A real model says so.")
  await ask(two, "DELETE", "/v1/providers/anthropic")
  await eventually(async () => (await one.sdk.agents())[0]?.model).toBe("demo")
})

describe("other servers", () => {
  test("[MOD-12] the key of a compatible server goes nowhere else", async () => {
    const server = await served()
    account.models = ["vendor/some-model"]
    expectProblem(await put(server, "compatible", { key: KEY }), {
      status: 422,
      code: "request.invalid",
      pointer: "/url",
    })
    expectProblem(await put(server, "compatible", { url: "ftp://x" }), {
      status: 422,
      code: "request.invalid",
      pointer: "/url",
    })
    expectProblem(await put(server, "openai", { key: KEY, url: account.url }), {
      status: 422,
      code: "request.invalid",
      pointer: "/url",
    })
    const connected = await put(server, "compatible", { url: `${account.url}/api/v1/`, key: KEY })
    expect(JSON.parse(connected.text).stored).toMatchObject({
      url: `${account.url}/api/v1`,
      model: "vendor/some-model",
    })
    expect(await answerOf(server)).toBe("A real model says so.")
    expect((await server.sdk.models("host")).map(({ name }) => name)).toContain("compatible/vendor/some-model")
    const elsewhere = await openAccountServer(undefined)
    closing.push(() => elsewhere.close())
    elsewhere.models = ["theirs"]
    // Without a new key, the stored one is not sent to the new address.
    expect((await put(server, "compatible", { url: `${elsewhere.url}/api/v1`, model: "theirs" })).status).toBe(200)
    expect(elsewhere.asked.map(({ key }) => key)).toEqual([undefined, undefined])
  })

  test("[MOD-18] model servers on this machine are found and can be used", async () => {
    const local = await openAccountServer(undefined)
    closing.push(() => local.close())
    const server = await served({ PARLOR_LOCAL_MODELS: `${local.url}/v1` })
    expectProblem(await put(server, "local", {}), { status: 424, code: "provider.unreachable" })
    local.models = ["qwen3:8b", "llama4"]
    local.says = "From this machine."
    const { local: found } = JSON.parse((await ask(server, "GET", "/v1/providers")).text)
    expect(found).toEqual([{ name: `${local.url}/v1`, url: `${local.url}/v1`, models: ["qwen3:8b", "llama4"] }])
    expectProblem(await put(server, "local", { model: "nope" }), { status: 422, code: "provider.model" })
    expect((await put(server, "local", { model: "llama4" })).status).toBe(200)
    expect((await server.sdk.agents())[0]?.model).toBe("local/llama4")
    expect(await answerOf(server)).toBe("From this machine.")
  })

  test.each([
    [{ key: "short" }, "/key"],
    [{ key: `has a space ${KEY}` }, "/key"],
    [{ key: "key ".repeat(3) }, "/key"],
    [{ key: KEY, model: "" }, "/model"],
  ])("[MOD-15] %j is refused before anything is asked", async (body, pointer) => {
    const server = await served()
    expectProblem(await put(server, "openai", body), { status: 422, code: "request.invalid", pointer })
    expectProblem(await put(server, "nobody", { key: KEY }), { status: 422, code: "request.invalid" })
    expect(account.asked).toEqual([])
  })
})
