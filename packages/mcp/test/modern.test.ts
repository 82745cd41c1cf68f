/** Servers of MCP 2026-07-28, and the errors for servers that cannot be used. */
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { calls, says } from "@parlor/core/testing"
import { afterEach, describe, expect, it, vi } from "vitest"
import type { ServerConfig } from "../src/index.ts"
import { endServer, modern, startModern } from "./servers.ts"
import { openStage, type Stage, type StageOptions, until } from "./stage.ts"

// Every server is a separate process. Generous timeouts for slow machines.
vi.setConfig({ testTimeout: 90_000 })

const ends: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function staged(options: StageOptions): Promise<Stage> {
  const stage = await openStage(options)
  ends.push(() => stage.close())
  return stage
}

const triggered = (stage: Stage) => async () =>
  [...(await stage.rows()).messages.values()].filter(({ trigger }) => trigger?.source === "mcp-event")

async function httpServer(): Promise<ServerConfig> {
  const running = await startModern()
  ends.push(() => endServer(running))
  return { url: running.url }
}

describe.each([
  ["stdio", async () => modern],
  ["HTTP", httpServer],
] as const)("a server of 2026-07-28 over %s", (_, serverOf) => {
  it("[TRG-6] [API-48] its tools are called, and a change of a resource wakes the agent, the second time too", async () => {
    const wakeOn = [{ resource: "note://board", agent: "host", everyMs: 100 }]
    const stage = await staged({
      servers: { modern: { ...(await serverOf()), wakeOn } },
      scripts: [
        calls("modern__write", {}),
        says("Written."),
        says("Seen."),
        calls("modern__write", {}, "call_2"),
        says("Written."),
        says("Seen."),
      ],
    })
    await stage.followed("modern")
    await stage.send("write")
    await until(triggered(stage), (rows) => rows.length === 1)
    await stage.idle()
    await stage.send("write")
    const [woken] = await until(triggered(stage), (rows) => rows.length === 2)
    expect(woken?.trigger).toMatchObject({ subject: "note://board" })
    expect((await stage.calls()).map(({ state }) => state)).toEqual(["done", "done"])
    const { wakes, lastError } = await stage.server("modern", () => true)
    expect([lastError, wakes[0]?.lastError]).toEqual([null, null])
  })

  it("[API-48] a change of its list of tools wakes the agent, and is offered with its new definition", async () => {
    const stage = await staged({
      servers: { modern: { ...(await serverOf()), wakeOn: [{ list: "tools", agent: "host" }] } },
      scripts: [calls("modern__rename", {}), says("Renamed."), says("I see.")],
    })
    await stage.followed("modern")
    const before = await stage.server("modern", ({ state }) => state === "ready")
    await stage.send("rename")
    await until(triggered(stage), (rows) => rows.length === 1)
    const hashOf = (tools: typeof before.tools) => tools.find(({ tool }) => tool === "greet")?.hash
    const after = await stage.server("modern", ({ tools }) => hashOf(tools) !== hashOf(before.tools))
    expect(after.tools.find(({ tool }) => tool === "greet")?.changed).toBe(true)
  })
})

it("[API-48] the stream of changes is opened again when it ends, and what changed meanwhile is found", async () => {
  const wakeOn = [{ resource: "note://board", agent: "host", everyMs: 100 }]
  const stage = await staged({
    servers: { modern: { ...(await httpServer()), wakeOn } },
    scripts: ["write", "blink", "write"].flatMap((tool, index) => [
      calls(`modern__${tool}`, {}, `call_${index}`),
      says("Done."),
      says("Seen."),
    ]),
  })
  await stage.followed("modern")
  const { since } = await stage.server("modern", ({ state }) => state === "ready")
  for (const wakes of [1, 2, 3]) {
    await stage.send("go on")
    await until(triggered(stage), (rows) => rows.length === wakes)
    await stage.idle()
  }
  expect(await stage.server("modern", () => true)).toMatchObject({ state: "ready", since })
})

describe("a server that cannot be used says why", () => {
  const answering = async (answer: (method: string, id: unknown) => { status: number; body: string }) => {
    const server: Server = createServer(async (incoming, out) => {
      const chunks: Buffer[] = []
      for await (const chunk of incoming) chunks.push(chunk as Buffer)
      const { method = "", id } = JSON.parse(Buffer.concat(chunks).toString() || "{}") as {
        method?: string
        id?: unknown
      }
      const { status, body } = answer(method, id)
      out.writeHead(status, { "content-type": "application/json" }).end(body)
    }).listen(0, "127.0.0.1")
    await new Promise((resolve) => server.once("listening", resolve))
    ends.push(() => void server.close())
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` }
  }
  const reasonOf = async (config: ServerConfig) => {
    const stage = await staged({ servers: { broken: config }, scripts: [] })
    return (await stage.server("broken", ({ lastError }) => lastError !== null)).lastError
  }

  it("[API-47] nobody listens there", async () => {
    const { url } = await answering(() => ({ status: 200, body: "{}" }))
    await ends.pop()?.()
    expect(await reasonOf({ url })).toMatch(/ECONNREFUSED/)
  })

  it("[API-47] the command does not exist, or fails with its last words", async () => {
    expect(await reasonOf({ command: "/nowhere/at-all" })).toMatch(/ENOENT/)
    const script = "console.error('No database at /var/lib/x.'); process.exit(3)"
    expect(await reasonOf({ command: process.execPath, args: ["-e", script] })).toContain("No database at /var/lib/x.")
  })

  it("[API-47] it does not accept the token, or fails itself", async () => {
    const refusing = await answering(() => ({ status: 401, body: '{"error":"invalid_token"}' }))
    expect(await reasonOf(refusing)).toMatch(/401/)
    const failing = await answering(() => ({ status: 502, body: "Bad gateway" }))
    expect(await reasonOf(failing)).toMatch(/502/)
  })

  it("[API-47] it speaks only versions that Parlor does not", async () => {
    const newer = await answering((_, id) => {
      const error = { code: -32022, message: "Unsupported protocol version", data: { supported: ["2031-01-01"] } }
      return { status: 400, body: JSON.stringify({ jsonrpc: "2.0", id, error }) }
    })
    expect(await reasonOf(newer)).toMatch(/2031-01-01/)
    const older = await answering((method, id) => {
      if (method !== "initialize") return { status: 404, body: "" }
      const result = { protocolVersion: "1999-01-01", capabilities: {}, serverInfo: { name: "x", version: "1" } }
      return { status: 200, body: JSON.stringify({ jsonrpc: "2.0", id, result }) }
    })
    expect(await reasonOf(older)).toMatch(/protocol version.*1999-01-01/)
  })

  it("[API-47] the model that calls its tool is told the same reason", async () => {
    const running = await startModern()
    ends.push(() => endServer(running))
    const stage = await staged({
      servers: { modern: { url: running.url } },
      scripts: [calls("modern__greet", {}), says("Gone.")],
    })
    await stage.server("modern", ({ state }) => state === "ready")
    await endServer(running)
    await stage.send("greet")
    await stage.idle()
    const [call] = await stage.calls()
    expect(call?.state).toBe("failed")
    expect(call?.error?.detail).toMatch(/modern.*(ECONNREFUSED|ECONNRESET|socket|disconnected)/)
  })
})
