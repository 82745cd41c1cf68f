/** A real server in this process (store, runtime, sockets) with a scripted model, and the SDK connected to it. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Agent, createRuntime, defineTool, type Model } from "@parlor/core"
import { finish, type Gate, type Script, says, scriptedModel } from "@parlor/core/testing"
import { openFiles } from "@parlor/files"
import { randomIds, startServer, systemClock, systemRandom } from "@parlor/server"
import { openSpool, openSqlite } from "@parlor/store"
import { z } from "zod"
import { type LiveConversation, type LiveState, Parlor, type ParlorOptions } from "../src/index.ts"
import { quick, until } from "./wire.ts"

export type Room = {
  readonly parlor: Parlor
  readonly baseUrl: string
  /** The folder with the files of its conversations. */
  readonly root: string
  client(options?: Partial<ParlorOptions>): Parlor
  /** Queues the agent's next replies; after those it replies "ok". */
  script(...scripts: readonly Script[]): void
  close(): Promise<void>
}

const TOKEN = "a-token-for-the-tests-of-the-client-0123456789"

export async function openRoom(): Promise<Room> {
  const folder = mkdtempSync(join(tmpdir(), "parlor-client-"))
  const scripts: Script[] = []
  const store = await openSqlite({ path: join(folder, "parlor.db") })
  const clock = systemClock
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const spool = openSpool(join(folder, "spool.jsonl"))
  const agents = [host(scripts)]
  const files = openFiles({ root: join(folder, "files") })
  const runtime = createRuntime({
    store,
    files,
    spool,
    clock,
    ids: randomIds(clock),
    random: systemRandom,
    log,
    agents,
  })
  const parts = { runtime, store, clock, log, token: TOKEN, pageFolder: join(folder, "page") }
  const server = await startServer({ ...parts, host: "127.0.0.1", port: 0, version: "0.0.0-test" })
  await runtime.start()
  const client = (options: Partial<ParlorOptions> = {}): Parlor =>
    new Parlor({ baseUrl: server.url, token: TOKEN, timing: quick, ...options })
  return {
    parlor: client(),
    baseUrl: server.url,
    root: join(folder, "files"),
    client,
    script: (...more) => void scripts.push(...more),
    async close() {
      await server.close()
      await runtime.close()
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Some text, then a pause until the gate opens. */
export const holds = (text: string, until: Gate): Script => [{ type: "text", text }, until, finish()]

export const when = (live: LiveConversation, isTrue: (state: LiveState) => boolean): Promise<void> =>
  until(() => isTrue(live.getState()), live.subscribe)

export const queuedTexts = (state: Pick<LiveState, "queue">): readonly string[] =>
  state.queue.map((row) => (row.payload as { readonly source: string }).source)

/** Who said what, one line each. */
export const spoken = (state: Pick<LiveState, "messages">): readonly string[] =>
  state.messages.map(({ role, state: how, parts }) => {
    const text = parts.map((part) => ("text" in part ? part.text : "")).join("")
    return `${role}${how === "done" ? "" : ` (${how})`}: ${text}`
  })

function host(scripts: Script[]): Agent {
  const model: Model = {
    name: "scripted",
    window: 100_000,
    run: (request, options) => scriptedModel([scripts.shift() ?? says("ok")]).run(request, options),
  }
  return {
    name: "host",
    model,
    description: "",
    instructions: "",
    tools: [pay, askPerson],
    slashCommands: [],
    workspace: true,
  }
}

const pay = defineTool({
  name: "pay",
  description: "",
  input: z.object({ to: z.string() }),
  repeatable: false,
  approval: "always",
  run: async () => "paid",
})

const askPerson = defineTool({
  name: "ask_person",
  description: "",
  input: z.object({ question: z.string(), options: z.array(z.string()).optional() }),
  repeatable: true,
  run: async ({ question, options }, context) =>
    (await context.ask({ kind: "question", title: question, ...(options ? { options } : {}) })) ?? "no answer",
})
