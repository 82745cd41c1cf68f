/** Nodes of one deployment in this process: each has its runtime, its server and its own connections to one database. */
import { join } from "node:path"
import { type Agent, createRuntime, type Runtime, type Settings, type Store, silentLog } from "@parlor/core"
import { MemorySpool, testSeal } from "@parlor/core/testing"
import { randomIds, startServer, systemClock, systemRandom } from "@parlor/server"
import { openPostgres } from "@parlor/store"
import { TOKEN } from "../faults/server-process.ts"
import { type CountingStore, countingStore } from "./counting-store.ts"
import { type SpokenModel, spokenModel } from "./spoken-model.ts"
import { tools } from "./tools.ts"

export type TestNode = {
  readonly url: string
  readonly runtime: Runtime
  readonly model: SpokenModel
  /** What the node has asked of the database, and how to keep it from doing so. */
  readonly store: CountingStore
  close(): Promise<void>
}

export type NodeOptions = { readonly settings?: Partial<Settings>; readonly pollMs?: number }

async function openNode(databaseUrl: string, options: NodeOptions = {}): Promise<TestNode> {
  const real = await openPostgres({ url: databaseUrl, pollMs: options.pollMs ?? 1_000 })
  const store = countingStore(real)
  const model = spokenModel()
  const runtime = createRuntime({
    store: store.store,
    clock: systemClock,
    seal: testSeal,
    spool: new MemorySpool(),
    ids: randomIds(systemClock),
    random: systemRandom,
    log: silentLog,
    agents: [agentOf(model)],
    ...(options.settings === undefined ? {} : { settings: options.settings }),
  })
  const server = await listen(runtime, store.store)
  await runtime.start()
  return {
    url: server.url,
    runtime,
    model,
    store,
    async close() {
      store.thaw()
      await server.close()
      await runtime.close()
      await real.close()
    },
  }
}

/** Opened one after the other: the first makes the tables. */
export async function openNodes(databaseUrl: string, count: number, options: NodeOptions = {}): Promise<TestNode[]> {
  const nodes: TestNode[] = []
  for (let i = 0; i < count; i++) nodes.push(await openNode(databaseUrl, options))
  return nodes
}

function agentOf(model: SpokenModel): Agent {
  return { name: "host", description: "", instructions: "Do as you are told.", model, tools, slashCommands: [] }
}

function listen(runtime: Runtime, store: Store) {
  return startServer({
    runtime,
    store,
    clock: systemClock,
    log: silentLog,
    token: TOKEN,
    host: "127.0.0.1",
    port: 0,
    pageFolder: join(import.meta.dirname, "no-page"),
    version: "test",
  })
}
