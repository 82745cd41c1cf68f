import { test } from "vitest"
import { runSeeds, seedsFrom } from "./run-seeds.ts"

test("speed", { timeout: 600_000 }, async () => {
  for (const first of [1, 51, 101, 151]) {
    const c = process.cpuUsage(),
      t = performance.now()
    await runSeeds(seedsFrom(first, 50))
    process.stderr.write(
      `${first}: ${(process.cpuUsage(c).user / 50000).toFixed(1)} ms user, ${((performance.now() - t) / 50).toFixed(1)} ms wall\n`,
    )
  }
})
