/** A server in this process on a real SQLite that can be made to fail, with a clock that the test controls. */
import { join } from "node:path"
import { createRuntime, type Runtime, type Settings, silentLog } from "@parlor/core"
import { FakeClock, type Script, type ScriptedModel, scriptedModel } from "@parlor/core/testing"
import { encodeChanges, type StreamId } from "@parlor/protocol"
import { type RunningServer, randomIds, startServer, systemClock, systemRandom } from "@parlor/server"
import { openSpool, openSqlite } from "@parlor/store"
import { type FailingStore, failingStore } from "./failing-store.ts"
import { type RawEvent, rawEvents } from "./raw-events.ts"
import { TOKEN } from "./server-process.ts"
import { until } from "./waiting.ts"
import type { Conversation } from "./wire.ts"

/** The store uses the machine's clock, so a lease that must expire is short. */
const SETTINGS: Partial<Settings> = { leaseMs: 200 }
const QUIET_MS = 5_000
const MAX_EVENTS = 10_000
const MAX_BYTES = 64 * 1024 * 1024

export type InProcess = {
  readonly url: string
  readonly clock: FakeClock
  readonly runtime: Runtime
  readonly model: ScriptedModel
  readonly commits: FailingStore["commits"]
  readonly fail: FailingStore["fail"]
  readonly spoolPath: string
  /** Resolves when no commit is in flight and all code that waited for one has continued. */
  quiet(): Promise<void>
  log(conversation: Conversation): Promise<RawEvent[]>
  /** Stops as an operator would. */
  close(): Promise<void>
  /** Simulates a crash: timers stop, nothing is released. */
  crash(): Promise<void>
}

export type InProcessOptions = {
  readonly scripts: readonly Script[]
  /** The model's reply when the scripts are used up. */
  readonly fallback?: Script
  /** The maximum number of pages of the database. */
  readonly maxPages?: number
}

export async function startInProcess(folder: string, options: InProcessOptions): Promise<InProcess> {
  const clock = new FakeClock(Date.now())
  const model = scriptedModel(options.scripts, options.fallback === undefined ? {} : { fallback: options.fallback })
  const maxPages = options.maxPages === undefined ? {} : { maxPages: options.maxPages }
  const spoolPath = join(folder, "spool.jsonl")
  const real = await openSqlite({ path: join(folder, "parlor.db"), ...maxPages })
  const failing = failingStore(real)
  const { store, fail, commits } = failing
  const runtime = createRuntime({
    store,
    clock,
    spool: openSpool(spoolPath),
    ids: randomIds(systemClock),
    random: systemRandom,
    log: silentLog,
    agents: [{ name: "host", description: "", instructions: "Be brief.", model, tools: [], slashCommands: [] }],
    settings: SETTINGS,
  })
  const server = await listen(folder, { runtime, store, clock })
  await runtime.start()
  return {
    url: server.url,
    clock,
    runtime,
    model,
    commits,
    fail,
    spoolPath,
    async quiet() {
      await clock.advance(0)
      await until(QUIET_MS, "the end of all commits", () => failing.pending === 0)
      await clock.advance(0)
    },
    async log(conversation) {
      const [agent = "", branch = ""] = conversation.split("/")
      const stream = await runtime.conversation({ agent, person: "me", branch })
      return readAll(runtime, stream.id)
    },
    async close() {
      await server.close()
      await runtime.close()
      await real.close()
    },
    async crash() {
      await server.close()
      await real.close()
    },
  }
}

function listen(
  folder: string,
  parts: Pick<Parameters<typeof startServer>[0], "runtime" | "store" | "clock">,
): Promise<RunningServer> {
  return startServer({
    ...parts,
    log: silentLog,
    token: TOKEN,
    host: "127.0.0.1",
    port: 0,
    pageFolder: join(folder, "no-page"),
    version: "test",
  })
}

async function readAll(runtime: Runtime, stream: StreamId): Promise<RawEvent[]> {
  const page = await runtime.events(stream, 0, { count: MAX_EVENTS, bytes: MAX_BYTES })
  return rawEvents(`[${encodeChanges(page?.changes ?? [])}]`)
}
