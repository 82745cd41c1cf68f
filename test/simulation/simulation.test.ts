/**
 * Random runs of a whole Parlor, checked after every commit, answer and step: QUE, TRN and the log under them.
 *
 * Half of the seeds are the same in every run, half are new and printed. `PARLOR_SEED=7` runs that one seed again,
 * `PARLOR_LONG=1` runs many more. `simulation-2.test.ts` has the other half of the work.
 */
import { describe, expect, test } from "vitest"
import { rounds } from "../support/rounds.ts"
import type { CountName } from "./counts.ts"
import { givenSeed, mixedSeeds, runSeeds, STEPS, seedsFrom } from "./run-seeds.ts"
import { regressionSeeds } from "./seeds.ts"
import { LIMIT_MS, SHARE } from "./share.ts"
import { simulate } from "./simulation.ts"

const TWICE = 6
const fixedSeeds = new Set(seedsFrom(1, SHARE / 2))
const ON_SQLITE = rounds({ usual: 6, long: 200 })

/** What has to have happened at least, for a hundred seeds: a run in which it did not proves little. */
const leastOfHundred: Partial<Record<CountName, number>> = {
  ok: 5_000,
  refused: 500,
  done: 1_000,
  stopped: 300,
  failed: 20,
  sentNow: 150,
  steered: 50,
  guests: 300,
  answered: 100,
  expired: 3,
  retried: 100,
  triedAgain: 1,
  takeovers: 60,
  truncated: 200,
  toolsUnknown: 20,
  archives: 100,
  repeatedKeys: 100,
  crashes: 60,
  pauses: 20,
  drains: 30,
  faults: 500,
}

describe.runIf(givenSeed === undefined)("simulation", () => {
  test("the rules of queue and turn hold in every seed", { timeout: LIMIT_MS }, async () => {
    const counts = await runSeeds(mixedSeeds(1, SHARE))
    for (const [name, least] of Object.entries(leastOfHundred))
      expect(counts[name as CountName], name).toBeGreaterThanOrEqual((least * SHARE) / 100)
  })

  test("seeds that once found something, those that do not run anyway", { timeout: LIMIT_MS }, async () => {
    await runSeeds(regressionSeeds.filter((seed) => !fixedSeeds.has(seed)))
  })

  test("a seed gives the same run every time", { timeout: LIMIT_MS }, async () => {
    for (const seed of seedsFrom(1, TWICE)) {
      const [first, second] = [await simulate({ seed, steps: STEPS }), await simulate({ seed, steps: STEPS })]
      expect(second.transcript() === first.transcript(), `PARLOR_SEED=${seed} differs`).toBe(true)
    }
  })

  test("the same on SQLite", { timeout: LIMIT_MS }, async () => {
    await runSeeds(seedsFrom(1, ON_SQLITE), { store: "sqlite", steps: 100 })
  })
})

test.runIf(givenSeed !== undefined)("the given seed", { timeout: LIMIT_MS }, async () => {
  await runSeeds([givenSeed ?? 0])
})
