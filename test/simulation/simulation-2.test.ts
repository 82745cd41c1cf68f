/** The second half of the seeds: see `simulation.test.ts`. */
import { test } from "vitest"
import { givenSeed, mixedSeeds, runSeeds } from "./run-seeds.ts"
import { LIMIT_MS, SHARE } from "./share.ts"

test.runIf(givenSeed === undefined)(
  "the rules of queue and turn hold in every seed",
  { timeout: LIMIT_MS },
  async () => {
    await runSeeds(mixedSeeds(SHARE + 1, SHARE))
  },
)
