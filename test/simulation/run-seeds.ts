/** Runs seeds and says which of them failed, why, and how to run one again. */
import { expect } from "vitest"
import { type Counts, sumOf } from "./counts.ts"
import { type Options, type Outcome, simulate } from "./simulation.ts"

export const STEPS = 200
const SHOWN = 5

export const givenSeed = Number(process.env.PARLOR_SEED) || undefined

export async function runSeeds(seeds: Iterable<number>, options: Partial<Options> = {}): Promise<Counts> {
  const failed: Outcome[] = []
  const counts: Counts[] = []
  // Stack traces of planned errors would take a third of the time.
  const { stackTraceLimit } = Error
  if (givenSeed === undefined) Error.stackTraceLimit = 0
  for (const seed of seeds) {
    const outcome = await simulate({ steps: STEPS, ...options, seed })
    counts.push(outcome.counts)
    if (outcome.failures.length > 0) failed.push(outcome)
    await new Promise((resolve) => setImmediate(resolve))
  }
  Error.stackTraceLimit = stackTraceLimit
  if (failed.length > 0) expect.fail(failed.slice(0, SHOWN).map(describeFailure).join("\n\n"))
  return sumOf(counts)
}

export function seedsFrom(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index)
}

/** Half of them from `first` on, the same in every run; half are new ones. */
export function mixedSeeds(first: number, count: number): number[] {
  const fresh = 1_000_000 + Math.floor(Math.random() * 1_000_000_000)
  const half = Math.floor(count / 2)
  console.info(`new seeds of this run: ${fresh} to ${fresh + count - half - 1}`)
  return [...seedsFrom(first, half), ...seedsFrom(fresh, count - half)]
}

function describeFailure({ seed, failures }: Outcome): string {
  const lines = failures.map(({ check, rule, detail, step }) => `  step ${step}, ${check} [${rule}]: ${detail}`)
  return [`PARLOR_SEED=${seed} npm test -- test/simulation/simulation.test.ts`, ...lines.slice(0, SHOWN)].join("\n")
}
