/**
 * The server is killed at random moments while clients send, stop and read. Everything that a client was told must still
 * be true afterwards.
 *
 * 15 kills per store, 200 with PARLOR_LONG=1. PARLOR_SEED replays what the clients do and when the kills come; the
 * rest is the machine's timing.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openPostgres, openSqlite } from "@parlor/store"
import { expect, test } from "vitest"
import { freshDatabase } from "../support/postgres.ts"
import { rounds } from "../support/rounds.ts"
import { startFakeModel } from "./fake-model.ts"
import { type KillRun, type KillRunOptions, killRun } from "./kill-run.ts"
import { chooseSeed, seededRandom } from "./random.ts"
import { storeRows } from "./store-rows.ts"
import type { Conversation } from "./wire.ts"

const ROUNDS = rounds({ usual: 15, long: 200 })
const TIMEOUT_MS = 120_000 + ROUNDS * 4_000
const TOKEN_MS = 14
const LEAST_OK = 0.5
const LEAST_WHILE_STREAMING = 0.4

test.concurrent(
  `[LOG-1, LOG-3, LOG-4, LOG-5, LOG-6, QUE-11, QUE-14, TRN-5, TRN-7, TRN-8] nothing is lost in ${ROUNDS} kills on SQLite`,
  {
    timeout: TIMEOUT_MS,
  },
  () =>
    kills("SQLite", (folder) => ({
      server: { dataFolder: folder },
      groups: [["host/main", "host/topic", "critic/main"]],
      rowsInStore: (conversation) => storeRows(() => openSqlite({ path: join(folder, "parlor.db") }), conversation),
    })),
)

test.concurrent(`[LOG-1, LOG-3, LOG-4, LOG-5, LOG-6, QUE-11, QUE-14, TRN-5, TRN-7, TRN-8] nothing is lost in ${ROUNDS} kills on PostgreSQL`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const database = await freshDatabase()
  try {
    await kills("PostgreSQL", (folder) => ({
      server: { dataFolder: folder, databaseUrl: database.url },
      groups: groupsOf(8),
      rowsInStore: (conversation) => storeRows(() => openPostgres({ url: database.url }), conversation),
    }))
  } finally {
    await database.drop()
  }
})

async function kills(
  store: string,
  on: (folder: string) => Pick<KillRunOptions, "server" | "groups" | "rowsInStore">,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "parlor-kill-"))
  const model = await startFakeModel({ tokenMs: TOKEN_MS })
  try {
    const random = seededRandom(chooseSeed(`kills on ${store}`))
    expectProof(store, await killRun({ rounds: ROUNDS, random, model, ...on(folder) }))
  } finally {
    await model.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** A lease outlives its dead owner by up to 10 s on a shared store: enough groups that each is free when it is used. */
function groupsOf(count: number): [Conversation, ...Conversation[]][] {
  return Array.from({ length: count }, (_, i) => [`host/topic-${i}`, `critic/topic-${i}`])
}

/** Guards against runs in which few requests succeeded or the kills hit nothing. */
function expectProof(store: string, run: KillRun): void {
  console.info(`${store}: ${JSON.stringify(run)}`)
  expect(run.ok / run.attempts).toBeGreaterThan(LEAST_OK)
  expect(run.killsWhileStreaming / run.kills).toBeGreaterThan(LEAST_WHILE_STREAMING)
  expect(run.repliesCutOff).toBeGreaterThan(run.kills / 10)
}
