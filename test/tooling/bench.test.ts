/**
 * A guard against gross regressions: the CPU of a short turn, beside a server that stores nothing, in the same run. Both
 * are slower on a busy or a slow machine; their ratio changes less.
 */
import { expect, test } from "vitest"
import { shortTurns } from "../../scripts/bench/phases.ts"
import { parlor, raw, type System } from "../../scripts/bench/systems.ts"

const TURNS = 1_500
const CONVERSATIONS = 16
/** As measured for the first turns of a server, most of whose code is not compiled yet. */
const RECORDED_RATIO = 7
const GROSS = 1.5

test.runIf(process.platform === "linux")(
  "[OPS-30] a short turn costs about as much CPU as it did, beside a server that stores nothing",
  { timeout: 300_000 },
  async () => {
    const limit = await cpuOf(raw)
    const ours = await cpuOf(parlor("sqlite"))
    process.stdout.write(`CPU of a short turn: ${ours.toFixed(2)} ms, ${(ours / limit).toFixed(1)} times raw\n`)
    expect(ours / limit).toBeLessThan(RECORDED_RATIO * GROSS)
  },
)

async function cpuOf(system: System): Promise<number> {
  const figures = await shortTurns(system, CONVERSATIONS, { seconds: 0, turns: TURNS })
  return figures[`b: ${CONVERSATIONS} conversations, CPU ms`] ?? Number.NaN
}
