/** The server is killed twice while chats of both versions of the AI SDK read: they resume where they were (API-3). */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { UIMessage } from "ai"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type FakeModel, startFakeModel } from "../faults/fake-model.ts"
import { type ServerProcess, spawnServer, TOKEN } from "../faults/server-process.ts"
import { NODE22_TIMEOUT_MS } from "../support/node22.ts"
import { Chat } from "./chat.ts"
import { type AnyChat, type Chats, startChats } from "./remote-chat.ts"

const TIMEOUT_MS = 120_000
const PATIENCE = { timeout: 60_000 }
const WORDS = 40

let folder: string
let model: FakeModel
let server: ServerProcess
let chats: Chats
let port = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parlor-ui-"))
  model = await startFakeModel({ tokenMs: 25, words: WORDS, toolFor: () => undefined })
  chats = await startChats()
  await start()
}, NODE22_TIMEOUT_MS)
afterAll(async () => {
  await chats.close()
  await server.kill()
  await model.close()
  await rm(folder, { recursive: true, force: true })
})

/** Always on the same port, as a page expects. */
async function start(): Promise<void> {
  const env = { PARLOR_LEASE_MS: "1000", PARLOR_PORT: String(port) }
  server = spawnServer({ dataFolder: folder, modelUrl: model.url, env })
  port = Number(new URL(await server.ready).port)
}

it(
  "[API-3] a chat whose server is killed resumes after each restart with the same bytes, and nothing is there twice",
  async () => {
    const six = new Chat({ port, token: TOKEN, sdk: 6 }, { id: "six" })
    const seven = chats.newChat({ port, token: TOKEN, sdk: 7 }, { id: "seven" })
    const both = [six, seven]
    model.setTokenMs(100)
    const sending = both.map((chat) => chat.sendMessage({ text: "Tell me" }))
    await expect.poll(() => both.every((chat) => deltas(chat, 0) > 3), PATIENCE).toBe(true)
    await server.kill()
    await Promise.all(sending)
    expect(both.map(({ status }) => status)).toEqual(["error", "error"])
    await start()
    const resuming = both.map((chat) => chat.resumeStream())
    await expect.poll(() => both.every((chat) => deltas(chat, 1) > deltas(chat, 0) + 3), PATIENCE).toBe(true)
    await server.kill()
    await Promise.all(resuming)
    model.setTokenMs(5)
    await start()
    await Promise.all(both.map((chat) => chat.resumeStream()))
    for (const chat of both) {
      const [first = "", second = "", last = ""] = chat.bodies
      expect(second.startsWith(first)).toBe(true)
      expect(last.startsWith(second)).toBe(true)
      expect(last.endsWith("data: [DONE]\n\n")).toBe(true)
      expect(chat.messages.map(({ role }) => role)).toEqual(["user", "assistant"])
      const words = chat.text.trim().split(" ")
      expect(new Set(words).size).toBe(words.length)
    }
    expect(seven.text).toBe(await stored("seven"))
    expect(seven.text.trim().split(" ")).toHaveLength(WORDS)
    expect(six.text.trim().split(" ").at(-1)).toBe((await stored("six")).trim().split(" ").at(-1))
  },
  TIMEOUT_MS,
)

function deltas(chat: AnyChat, body: number): number {
  return (chat.bodies[body] ?? "").split("text-delta").length - 1
}

/** The text of the only reply. */
async function stored(branch: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/ui/host/${branch}/messages`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  })
  const { messages } = (await response.json()) as { messages: UIMessage[] }
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"])
  return (messages[1]?.parts ?? []).map((part) => (part.type === "text" ? part.text : "")).join("")
}
