/** An ACP client from npm, unmodified, and an editor whose server is killed (API-25 to API-33). */
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Parlor } from "@parlor/client"
import { defineTool } from "@parlor/core"
import { calls, says } from "@parlor/core/testing"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { z } from "zod"
import { startFakeModel } from "../faults/fake-model.ts"
import { spawnServer, TOKEN } from "../faults/server-process.ts"
import { startTestServer, type TestServer } from "../http/server.ts"
import { bundledBin } from "../support/bundle.ts"
import { openEditor, textOf } from "./acp.ts"

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })
const POLL = { timeout: 60_000 }
const BIN = await bundledBin()
const ACPX = fileURLToPath(new URL("../../node_modules/acpx/dist/cli.js", import.meta.url))

let folder = ""
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parlor-acp-"))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe("acpx", () => {
  let server: TestServer
  const pay = defineTool({
    name: "pay",
    description: "Pays.",
    input: z.object({ amount: z.number() }),
    approval: "always",
    repeatable: false,
    run: ({ amount }) => Promise.resolve({ paid: amount }),
  })
  beforeEach(async () => {
    server = await startTestServer({ agent: { tools: [pay] } })
  })
  afterEach(() => server.close())

  it("[API-25, API-30] prompts, shows tools, and answers permission requests by its policy", async () => {
    server.script(calls("pay", { amount: 5 }), says("Paid."), calls("pay", { amount: 7 }), says("Not paid."))
    const allowed = await acpx(server, ["--approve-all", "--format", "json", "exec", "Pay"])
    const denied = await acpx(server, ["--deny-all", "exec", "Pay"])
    expect(allowed.out).toContain('"rawOutput":{"paid":5}')
    expect(allowed.out).toContain('"stopReason":"end_turn"')
    expect(denied.out).toContain("Not paid.")
    const parlor = new Parlor({ baseUrl: `http://127.0.0.1:${server.port}`, token: server.token })
    const { conversations } = await parlor.conversations()
    expect(conversations.map(({ preview }) => preview).sort()).toEqual(["Not paid.", "Paid."])
  })
})

describe("a server that is killed", () => {
  it("[API-33] in the middle of a reply: the prompt waits, and ends with the whole reply", async () => {
    const model = await startFakeModel({ tokenMs: 40, words: 30 })
    const port = await freePort()
    const start = () => spawnServer({ dataFolder: folder, modelUrl: model.url, env: { PARLOR_PORT: String(port) } })
    const before = start()
    const url = await before.ready
    const zed = await openEditor({ url, token: TOKEN })
    const session = await zed.open()
    const prompted = zed.prompt(session, "Talk")
    await expect.poll(() => zed.text().length, POLL).toBeGreaterThan(20)
    await before.kill()
    const shown = zed.text()
    const after = start()
    await after.ready
    expect(await prompted).toBe("end_turn")
    const { messages } = await new Parlor({ baseUrl: url, token: TOKEN }).conversation("host", session).open()
    const stored = messages
      .at(-1)
      ?.parts.map((part) => (part.type === "text" ? part.text : ""))
      .join("")
    const chunks = zed.updates.flatMap((update) => (update.sessionUpdate === "agent_message_chunk" ? [update] : []))
    const last = chunks.at(-1)?.messageId
    expect(textOf(chunks.filter(({ messageId }) => messageId === last))).toBe(stored)
    expect(zed.text().startsWith(shown)).toBe(true)
    expect(zed.strayLines).toEqual([])
    await zed.close()
    await after.stop()
    await model.close()
  })
})

describe("the guide", () => {
  it("[API-25] its configurations start the command that exists", async () => {
    const guide = readFileSync(new URL("../../docs/guides/acp.md", import.meta.url), "utf8")
    const blocks = [...guide.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = ""]) => JSON.parse(text) as object)
    expect(blocks.length).toBeGreaterThan(1)
    for (const block of blocks) expect(JSON.stringify(block)).toContain('"command":"parlor","args":["acp"')
    for (const [, args = ""] of guide.matchAll(/"args": \[("acp"[^\]]*)\]/g)) {
      const server = await startTestServer()
      const given = (JSON.parse(`[${args}]`) as string[]).slice(1)
      const zed = await openEditor({ url: `http://127.0.0.1:${server.port}`, token: server.token, args: given })
      expect(await zed.open()).toMatch(/^acp-/)
      await zed.close()
      await server.close()
    }
  })
})

function acpx(server: TestServer, args: readonly string[]) {
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    PARLOR_URL: `http://127.0.0.1:${server.port}`,
    PARLOR_TOKEN: server.token,
  }
  const command = `${JSON.stringify(process.execPath)} ${JSON.stringify(BIN)} acp`
  return new Promise<{ readonly code: number | null; readonly out: string }>((resolve) => {
    const child = spawn(process.execPath, [ACPX, "--agent", command, "--cwd", folder, ...args], { env })
    let out = ""
    child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()))
    child.stderr.on("data", (chunk: Buffer) => (out += chunk.toString()))
    child.once("close", (code) => resolve({ code, out }))
  })
}

/** The same address before and after a restart. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })
}
