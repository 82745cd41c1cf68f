/** Two server processes on one database, and one conversation that can be read through either. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { emptyRows, fold, type Rows } from "@parlor/protocol"
import type { FakeModel } from "./fake-model.ts"
import type { RawEvent } from "./raw-events.ts"
import { type ServerProcess, spawnServer } from "./server-process.ts"
import { until } from "./waiting.ts"
import { type Conversation, readLog } from "./wire.ts"

type Running = ServerProcess & { readonly url: string }

export type Pair = { readonly a: Running; readonly b: Running; close(): Promise<void> }

export async function startPair(options: {
  readonly databaseUrl: string
  readonly model: FakeModel
  readonly env: Readonly<Record<string, string>>
}): Promise<Pair> {
  const folder = await mkdtemp(join(tmpdir(), "parlor-pair-"))
  const started: ServerProcess[] = []
  const start = async (name: string): Promise<Running> => {
    const server = spawnServer({
      dataFolder: join(folder, name),
      modelUrl: options.model.url,
      databaseUrl: options.databaseUrl,
      env: options.env,
    })
    started.push(server)
    return { ...server, url: await server.ready }
  }
  const close = async () => {
    await Promise.all(started.map((server) => server.kill()))
    await rm(folder, { recursive: true, force: true })
  }
  try {
    return { a: await start("a"), b: await start("b"), close }
  } catch (error) {
    await close()
    throw error
  }
}

export function rowsOf(log: readonly RawEvent[]): Rows {
  return fold(
    emptyRows(),
    log.map((raw) => raw.event),
  )
}

/** Polls until the log satisfies the condition. */
export async function untilLog(
  url: string,
  conversation: Conversation,
  what: string,
  isSo: (rows: Rows, log: readonly RawEvent[]) => boolean,
): Promise<RawEvent[]> {
  let log: RawEvent[] = []
  await until(30_000, what, async () => {
    log = await readLog(url, conversation, 0)
    return isSo(rowsOf(log), log)
  })
  return log
}

/** The drive that wrote each event: every process and every takeover has its own. */
export function writers(log: readonly RawEvent[]): string[] {
  const drives = log.map(({ event }) => event.headers.txid as string).filter((txid) => txid.startsWith("drv"))
  return [...new Set(drives)]
}
