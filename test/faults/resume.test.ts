/**
 * Killed in the middle of a reply with a second message queued, and started again: what was shown is there, the turn
 * goes on, the queued message runs.
 *
 * 15 rounds per store, 200 with PARLOR_LONG=1. PARLOR_SEED replays how many words were said before each kill.
 */

import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { freshDatabase } from "../support/postgres.ts"
import { rounds } from "../support/rounds.ts"
import { startFakeModel } from "./fake-model.ts"
import { chooseSeed, seededRandom } from "./random.ts"
import { type ResumeRun, resumeRun } from "./resume-run.ts"

const ROUNDS = rounds({ usual: 15, long: 200 })
const TIMEOUT_MS = 60_000 + ROUNDS * 4_000
const WORDS = 16
const TOKEN_MS = 8
const RESUMED_MS = 2_000
/** On a machine that others use as well, starting takes longer too: the limit is then so many of the slowest start. */
const STARTS = 2
const LEAST_CUT = 0.5

test.concurrent(
  `[TRN-5, TRN-7, QUE-6, QUE-14, LOG-3] ${ROUNDS} kills on SQLite: the cut reply is kept, its turn and the queued one go on`,
  {
    timeout: TIMEOUT_MS,
  },
  () => runRounds("SQLite", undefined),
)

test.concurrent(`[TRN-5, TRN-7, QUE-6, QUE-14, LOG-3] ${ROUNDS} kills on PostgreSQL: the cut reply is kept, its turn and the queued one go on`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const database = await freshDatabase()
  try {
    await runRounds("PostgreSQL", database.url)
  } finally {
    await database.drop()
  }
})

async function runRounds(store: string, databaseUrl: string | undefined): Promise<void> {
  const dataFolder = await mkdtemp(join(tmpdir(), "parlor-resume-"))
  const model = await startFakeModel({ tokenMs: TOKEN_MS, words: WORDS, toolFor: () => undefined })
  try {
    const random = seededRandom(chooseSeed(`resume on ${store}`))
    expectProof(store, await resumeRun({ rounds: ROUNDS, random, model, server: { dataFolder, databaseUrl } }))
  } finally {
    await model.close()
    await rm(dataFolder, { recursive: true, force: true })
  }
}

/** Rounds whose kill came too late prove nothing. */
function expectProof(store: string, run: ResumeRun): void {
  console.info(`${store}: ${JSON.stringify(run)}`)
  expect(run.cut / run.rounds).toBeGreaterThan(LEAST_CUT)
  expect(run.tookMs.median).toBeLessThan(RESUMED_MS)
  expect(run.tookMs.p95).toBeLessThan(Math.max(RESUMED_MS, STARTS * run.startMs.most))
}
