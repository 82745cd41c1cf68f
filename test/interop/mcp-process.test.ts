/** MCP over a server process that is killed: no reply and no question is lost (API-42, API-44). */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, expect, it } from "vitest"
import { startFakeModel } from "../faults/fake-model.ts"
import { type ServerProcess, spawnServer, TOKEN } from "../faults/server-process.ts"
import { modernClient } from "./mcp-clients.ts"

const TIMEOUT_MS = 120_000
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

type Restartable = { readonly port: number; restart(): Promise<void> }

/** A server whose process is replaced by another one on the same port and data. */
async function startRestartable(tool?: { readonly name: string; readonly input: string }): Promise<Restartable> {
  const dataFolder = await mkdtemp(join(tmpdir(), "parlor-mcp-kill-"))
  const model = await startFakeModel({ tokenMs: 30, words: 40, toolFor: () => tool })
  let server: ServerProcess = spawnServer({ dataFolder, modelUrl: model.url })
  const port = Number(new URL(await server.ready).port)
  ends.push(async () => {
    await server.kill()
    await model.close()
    await rm(dataFolder, { recursive: true, force: true })
  })
  return {
    port,
    async restart() {
      await server.kill()
      server = spawnServer({ dataFolder, modelUrl: model.url, env: { PARLOR_PORT: String(port) } })
      await server.ready
    },
  }
}

it(
  "[API-44] killed in the middle of a reply: the same key gets the whole reply from the next process",
  async () => {
    const { port, restart } = await startRestartable()
    const at = { port, token: TOKEN }
    const client = await modernClient(at)
    ends.push(() => client.close())
    const params = { name: "send", arguments: { agent: "host", text: "Tell me", idempotencyKey: "k", waitSeconds: 90 } }
    let saw = () => {}
    const started = new Promise<void>((resolve) => {
      saw = resolve
    })
    const leave = new AbortController()
    const cut = client.callTool(params, {
      signal: leave.signal,
      onprogress: ({ message = "" }) => void (/\br\d+\.\d+/.test(message) && saw()),
    })
    const failed = expect(cut).rejects.toThrow()
    await started
    await restart()
    // The client would wait out its own timeout, a minute, for a stream that broke.
    leave.abort()
    await failed
    const again = await modernClient(at)
    ends.push(() => again.close())
    const { structuredContent } = await again.callTool(params)
    expect(structuredContent).toMatchObject({ state: "done" })
    expect((structuredContent as { text: string }).text.split(/\s+/).length).toBeGreaterThanOrEqual(40)
    const read = await again.callTool({ name: "read", arguments: { agent: "host" } })
    const { messages } = read.structuredContent as { messages: readonly { from: string }[] }
    expect(messages.filter(({ from }) => from === "person")).toHaveLength(1)
  },
  TIMEOUT_MS,
)

it(
  "[API-42] killed while the person is asked: the answer reaches the next process, and the reply continues",
  async () => {
    const question = JSON.stringify({ question: "Which drink?", options: ["Tea", "Coffee"] })
    const { port, restart } = await startRestartable({ name: "ask_person", input: question })
    const asked: string[] = []
    const client = await modernClient({ port, token: TOKEN }, async (message) => {
      asked.push(message)
      await restart()
      return { action: "accept", content: { answer: "Tea" } }
    })
    ends.push(() => client.close())
    const params = { name: "send", arguments: { agent: "host", text: "Ask me", waitSeconds: 90 } }
    const { structuredContent } = await client.callTool(params)
    expect(structuredContent).toMatchObject({ state: "done" })
    expect(asked).toHaveLength(1)
    expect(asked[0]).toContain("Which drink?")
  },
  TIMEOUT_MS,
)
