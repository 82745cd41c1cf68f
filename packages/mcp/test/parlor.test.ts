/** Parlor as an MCP server, and the state of the servers it uses: the built command, a real client. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client as ModernClient } from "@modelcontextprotocol/client"
import { StdioClientTransport as ModernTransport } from "@modelcontextprotocol/client/stdio"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import { BIN, startParlor, type TestParlor, until } from "../../cli/test/parlor.ts"
import { everything } from "./servers.ts"

// Every command is a separate process. Generous timeouts for slow machines.
vi.setConfig({ testTimeout: 90_000 })

let folder = ""
let parlor: TestParlor
const ends: (() => Promise<void>)[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "parlor-mcp-cli-"))
  const file = join(folder, "parlor.config.ts")
  const mcp = { everything, gone: { command: "/nowhere/at-all" } }
  writeFileSync(
    file,
    `import { defineAgent, defineConfig } from "@parlor/agent"
     const handler = async (ctx) => {
       const allowed = await ctx.ask({ kind: "approval", title: "Shall I pay?" })
       await ctx.reply(allowed ? "Paid." : "Not paid.")
     }
     export default defineConfig({
       agents: [defineAgent({ name: "host", description: "Helps." }), defineAgent({ name: "asker", handler })],
       mcp: ${JSON.stringify(mcp)},
     })`,
  )
  parlor = await startParlor({ PARLOR_CONFIG: file })
})
afterAll(async () => {
  for (const end of ends) await end()
  await parlor.close()
  rmSync(folder, { recursive: true, force: true })
})

async function client(token?: string, options?: ConstructorParameters<typeof Client>[1]): Promise<Client> {
  const made = new Client({ name: "another-agent", version: "1.0.0" }, options)
  const env = { ...parlor.env, ...(token === undefined ? {} : { PARLOR_TOKEN: token }) }
  await made.connect(new StdioClientTransport({ command: process.execPath, args: [BIN, "mcp"], env, stderr: "ignore" }))
  ends.push(() => made.close())
  return made
}

async function call(made: Client, name: string, input: Record<string, unknown>) {
  const { content, isError = false } = await made.callTool({ name, arguments: input })
  const [piece] = content as readonly { readonly text: string }[]
  const text = piece?.text ?? ""
  return { isError, text, value: isError ? undefined : (JSON.parse(text) as Record<string, unknown>) }
}

it("[TRG-6] another agent lists agents, sends, waits for the answer, reads and searches", async () => {
  const made = await client()
  const tools = (await made.listTools()).tools.map(({ name }) => name)
  expect(tools.sort()).toEqual(["agents", "answer", "conversations", "read", "search", "send", "stop", "wait"])
  expect((await call(made, "agents", {})).text).toContain("Helps.")
  const sent = await call(made, "send", { agent: "host", text: "Say something about lighthouses" })
  expect(sent.value).toMatchObject({ outcome: "started", state: "done" })
  expect(String(sent.value?.text).length).toBeGreaterThan(10)
  const read = await call(made, "read", { agent: "host" })
  expect(read.text).toContain("lighthouses")
  expect((read.value?.messages as readonly { from: string }[] | undefined)?.map(({ from }) => from)).toContain("agent")
  const found = await call(made, "search", { query: "lighthouses" })
  expect(found.text).toContain('"agent": "host"')
  const both = await Promise.all([
    call(made, "send", { agent: "host", text: "Tell me of the first" }),
    call(made, "send", { agent: "host", text: "Tell me of the second" }),
  ])
  expect(both.map(({ value }) => value?.outcome).sort()).toEqual(["queued", "started"])
  for (const { value } of both) expect(value).toMatchObject({ state: "done", text: expect.stringMatching(/\w/) })
  const left = await call(made, "send", { agent: "host", text: "And again", waitSeconds: 0 })
  expect(left.value).toMatchObject({ state: "running" })
})

it("[API-42] over stdio, a client of 2025 is asked by elicitation, and a client of 2026 too", async () => {
  const old = await client(undefined, { capabilities: { elicitation: {} } })
  const asked: string[] = []
  old.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    asked.push(params.message)
    return { action: "accept", content: { allow: true } }
  })
  const first = await call(old, "send", { agent: "asker", text: "go" })
  expect(first.value).toMatchObject({ state: "done", text: "Paid." })
  const modern = new ModernClient(
    { name: "another-agent", version: "2.0.0" },
    { versionNegotiation: { mode: { pin: "2026-07-28" } }, capabilities: { elicitation: {} } },
  )
  modern.setRequestHandler("elicitation/create", async ({ params }) => {
    asked.push(params.message)
    return { action: "accept", content: { allow: true } }
  })
  const stdio = { command: process.execPath, args: [BIN, "mcp"], env: { ...parlor.env } }
  await modern.connect(new ModernTransport({ ...stdio, stderr: "ignore" }))
  ends.push(() => modern.close())
  const progress: string[] = []
  const second = await modern.callTool(
    { name: "send", arguments: { agent: "asker", text: "go" } },
    { onprogress: ({ message = "" }) => void progress.push(message) },
  )
  expect(second.structuredContent).toMatchObject({ state: "done", text: "Paid." })
  expect(progress).toContain("asker is replying")
  expect(asked).toHaveLength(2)
  expect(asked[0]).toBe("Shall I pay?")
})

it("[API-47] a server that cannot be reached is named, with the reason", async () => {
  const made = new Client({ name: "another-agent", version: "1.0.0" })
  const env = { ...parlor.env, PARLOR_URL: "http://127.0.0.1:9" }
  await made.connect(new StdioClientTransport({ command: process.execPath, args: [BIN, "mcp"], env, stderr: "ignore" }))
  ends.push(() => made.close())
  const refused = await call(made, "agents", {})
  expect(refused.isError).toBe(true)
  expect(refused.text).toMatch(/http:\/\/127\.0\.0\.1:9\/mcp cannot be reached.*(ECONNREFUSED|bad port)/)
})

it("[TRG-6] [SEC-1] it may do what its token may, and is told in words what it may not", async () => {
  const { secret } = await parlor.sdk.keys.make({ name: "reader", scopes: ["read"] })
  const reader = await client(secret)
  const refused = await call(reader, "send", { agent: "host", text: "hello" })
  expect(refused).toMatchObject({ isError: true })
  expect(refused.text).toContain("auth.forbidden")
  expect((await call(reader, "agents", {})).isError).toBe(false)
  const unknown = await call(reader, "read", { agent: "nobody" })
  expect(unknown.text).toContain("agent.unknown")
})

it("[TRG-6] the state of every server is there for people to see, over HTTP and on the command line", async () => {
  const servers = await until(
    () => parlor.sdk.mcpServers(),
    (list) => list.some(({ state }) => state === "ready") && list.some(({ state }) => state === "waiting"),
  )
  expect(servers.map(({ name }) => name)).toEqual(["everything", "gone"])
  expect(servers[0]).toMatchObject({ transport: "stdio", lastError: null, agents: null })
  expect(servers[0]?.tools).toContainEqual({
    tool: "echo",
    name: "everything__echo",
    changed: false,
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  const { out, code } = await parlor.run(["mcp", "list"])
  expect(code).toBe(0)
  expect(out).toContain("everything  stdio  ready")
  expect(out).toContain("/everything:simple-prompt")
  expect(out).toMatch(/gone {2}stdio {2}(waiting|connecting)/)
  expect(out).toContain("ENOENT")
})

it("[TRG-6] a prompt of a server is among the commands of an agent", async () => {
  const [host] = await until(
    () => parlor.sdk.agents(),
    ([agent]) => agent?.slashCommands.some(({ owner }) => owner === "mcp:everything") === true,
  )
  expect(host?.slashCommands.map(({ name }) => name)).toContain("everything:args-prompt")
})
