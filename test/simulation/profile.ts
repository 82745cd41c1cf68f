/** What kind of run a seed gives. */
import type { Random } from "../faults/random.ts"

export type Profile = {
  readonly machines: number
  readonly conversations: number
  /** How likely one commit, one read fails. */
  readonly storeFaults: number
  readonly outages: boolean
  readonly crashes: boolean
  readonly pauses: boolean
  readonly latency: boolean
  readonly modelFaults: boolean
  readonly fallback: boolean
  readonly budgetTokens: number | undefined
  readonly onStop: "hold" | "drain" | "clear" | undefined
  readonly onError: "hold" | "retry" | "continue" | undefined
  readonly queueLimit: number
  /** A small one has the conversation compacted again and again. */
  readonly window: number
  readonly charsPerToken: number
}

export function profileOf(random: Random, oneMachine: boolean): Profile {
  const calm = random.chance(0.15)
  return {
    machines: oneMachine ? 1 : random.pick([1, 2, 2, 3]),
    conversations: random.pick([1, 1, 2, 3]),
    storeFaults: calm ? 0 : random.pick([0, 0, 0.01, 0.03]),
    outages: !calm && random.chance(0.4),
    crashes: !calm && random.chance(0.6),
    pauses: !calm && random.chance(0.4),
    latency: random.chance(0.6),
    modelFaults: random.chance(0.7),
    fallback: random.chance(0.3),
    budgetTokens: random.chance(0.2) ? random.int(40, 200) * 40 : undefined,
    onStop: random.chance(0.2) ? random.pick(["drain", "clear", "hold"]) : undefined,
    queueLimit: random.pick([3, 8, 14]),
    window: random.pick([1_000, 2_000, 100_000]),
    charsPerToken: random.pick([2, 2.5, 3, 4, 6]),
    onError: random.pick([undefined, undefined, undefined, "hold", "retry", "continue"]),
  }
}
