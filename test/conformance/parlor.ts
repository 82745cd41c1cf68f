/** A real Parlor on a real socket, over SQLite, with a scripted model. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Agent, createRuntime, defineTool, type Model, type Store, silentLog } from "@parlor/core"
import { MemorySpool } from "@parlor/core/testing"
import type { Sent, Snapshot } from "@parlor/protocol"
import { randomIds, startServer, systemClock, systemRandom } from "@parlor/server"
import { openSqlite } from "@parlor/store"
import { vi } from "vitest"
import { z } from "zod"

export type RunningParlor = {
  readonly url: string
  readonly store: Store
  readonly headers: { readonly authorization: string }
  /** The address of a conversation's log. */
  log(branch?: string): string
  fetch(path: string, init?: RequestInit): Promise<Response>
  send(text: string, branch?: string): Promise<Sent>
  /** Resolves when no turn runs and none is about to. */
  idle(branch?: string): Promise<void>
  /** Ends the server and starts another on the same data. */
  restart(options?: { readonly between?: (folder: string) => Promise<void> }): Promise<void>
  close(): Promise<void>
}

const TOKEN = "conformance-".padEnd(43, "0")
const HEADERS = { authorization: `Bearer ${TOKEN}` }
const IDLE_WITHIN_MS = 10_000

export async function startParlor(model: Model): Promise<RunningParlor> {
  const folder = await mkdtemp(join(tmpdir(), "parlor-streams-"))
  let node = await startNode(folder, model)
  const path = (branch: string) => `/v1/conversations/host/${encodeURIComponent(branch)}`
  const call = async (where: string, init: RequestInit = {}) => {
    const headers = { ...HEADERS, "content-type": "application/json", ...init.headers }
    return fetch(`${node.url}${where}`, { ...init, headers })
  }
  const parlor: RunningParlor = {
    get url() {
      return node.url
    },
    get store() {
      return node.store
    },
    headers: HEADERS,
    log: (branch = "main") => `${node.url}${path(branch)}/events`,
    fetch: call,
    send: async (text, branch = "main") =>
      json<Sent>(await call(`${path(branch)}/messages`, { method: "POST", body: JSON.stringify({ text }) })),
    idle: (branch = "main") =>
      vi.waitFor(
        async () => {
          const { status, queue } = await json<Snapshot>(await call(`${path(branch)}?messages=1`))
          const waits = queue.length > 0 && status.held === null
          if (status.state === "busy" || waits) throw new Error(`${branch} is busy`)
        },
        { timeout: IDLE_WITHIN_MS, interval: 10 },
      ),
    restart: async ({ between } = {}) => {
      const port = Number(new URL(node.url).port)
      await node.close()
      await between?.(folder)
      node = await startNode(folder, model, port)
    },
    close: async () => {
      await node.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
  return parlor
}

async function startNode(folder: string, model: Model, port = 0) {
  const store = await openSqlite({ path: join(folder, "parlor.db") })
  const clock = systemClock
  const common = { store, clock, log: silentLog }
  const runtime = createRuntime({
    ...common,
    spool: new MemorySpool(),
    ids: randomIds(clock),
    random: systemRandom,
    agents: [host(model)],
    settings: { maxAnswerChars: 100_000_000 },
  })
  const place = { host: "127.0.0.1", port, pageFolder: join(folder, "page") }
  const server = await startServer({ ...common, ...place, runtime, token: TOKEN, version: "0.0.0" })
  await runtime.start()
  return {
    store,
    url: server.url,
    close: async () => {
      await server.close()
      await runtime.close()
      await store.close()
    },
  }
}

function host(model: Model): Agent {
  const add = defineTool({
    name: "add",
    description: "Adds two numbers.",
    input: z.object({ a: z.number(), b: z.number() }),
    repeatable: true,
    run: async ({ a, b }) => a + b,
  })
  return { name: "host", description: "", instructions: "Answer.", model, tools: [add], slashCommands: [] }
}

export async function json<T>(response: Response): Promise<T> {
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
  return (await response.json()) as T
}
