/** The server is killed while OpenAI's client reads: it resumes, and a repeated request is one message (API-10, API-11). */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, it } from "vitest"
import { type FakeModel, startFakeModel } from "../faults/fake-model.ts"
import { type ServerProcess, spawnServer, TOKEN } from "../faults/server-process.ts"
import { framesOf, openaiClient } from "./openai.ts"

const TIMEOUT_MS = 120_000
const WORDS = 30

let folder: string
let model: FakeModel
let server: ServerProcess
let port: number

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "parlor-openai-"))
  model = await startFakeModel({ tokenMs: 25, words: WORDS, toolFor: () => undefined })
  await start()
}, TIMEOUT_MS)
afterEach(async () => {
  await server.kill()
  await model.close()
  await rm(folder, { recursive: true, force: true })
})

async function start(): Promise<void> {
  server = spawnServer({ dataFolder: folder, modelUrl: model.url, env: { PARLOR_LEASE_MS: "1000" } })
  port = Number(new URL(await server.ready).port)
}

it(
  "[API-10] a response resumes after the last number that was seen, and its bytes are those of an uninterrupted one",
  async () => {
    const client = openaiClient({ port, token: TOKEN })
    const body = { model: "host", input: "Tell me", background: true, stream: true } as const
    const numbers: number[] = []
    let id = ""
    const reading = (async () => {
      for await (const event of await client.responses.create(body)) {
        if (event.type === "response.created") id = event.response.id
        numbers.push(event.sequence_number)
        if (numbers.length === 10) await server.kill()
      }
    })()
    await expect(reading).rejects.toThrow()
    const last = numbers.at(-1) ?? -1
    const cut = framesOf(client.bodies[0] ?? "").slice(0, last + 1)
    await start()
    const again = openaiClient({ port, token: TOKEN })
    const events = await again.responses.retrieve(id, { stream: true, starting_after: last })
    let status = ""
    for await (const event of events) if ("response" in event) status = event.response.status ?? ""
    expect(status).toBe("completed")
    const whole = openaiClient({ port, token: TOKEN })
    for await (const _ of await whole.responses.retrieve(id, { stream: true }));
    expect([...cut, ...framesOf(again.bodies[0] ?? "")]).toEqual(framesOf(whole.bodies[0] ?? ""))
  },
  TIMEOUT_MS,
)

it(
  "[API-11] a request that the client repeats after the crash is answered, and its message is there once",
  async () => {
    const client = openaiClient(
      { port, token: TOKEN },
      {
        maxRetries: 8,
        // The server has another port after its restart.
        fetch: (input, init) => fetch(String(input).replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${port}`), init),
      },
    )
    const messages = [{ role: "user", content: "Tell me" } as const]
    const replying = client.chat.completions.create({ model: "host/crash", messages })
    await expect.poll(() => model.streaming, { timeout: 20_000 }).toBe(1)
    await server.kill()
    await start()
    const reply = await replying
    expect(reply.choices[0]?.message.content?.split(" ").length).toBeGreaterThanOrEqual(WORDS)
    const response = await fetch(`http://127.0.0.1:${port}/v1/conversations/host/crash`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    })
    const { messages: stored } = (await response.json()) as { messages: { role: string }[] }
    expect(stored.filter(({ role }) => role === "person")).toHaveLength(1)
  },
  TIMEOUT_MS,
)
