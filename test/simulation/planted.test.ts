import { describe, expect, test } from "vitest"
import { plantedFaults } from "./planted.ts"
import { simulate } from "./simulation.ts"

const SEEDS = 150
const STEPS = 200

describe("a planted fault is found", () => {
  test.each(plantedFaults)("$name", { timeout: 180_000 }, async (fault) => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { failures } = await simulate({ seed, steps: STEPS, fault })
      if (failures.length === 0) continue
      const found = failures.map((failure) => `${failure.check} [${failure.rule}] ${failure.detail}`)
      if (failures.some(({ check }) => fault.caughtBy.includes(check))) return
      if (seed === SEEDS) expect.fail(`found by others only:\n${found.join("\n")}`)
    }
    expect.fail(`not found by ${fault.caughtBy.join(" or ")} in ${SEEDS} seeds`)
  })
})
