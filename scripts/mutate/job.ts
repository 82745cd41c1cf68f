/** The files that the command and the test process exchange. */

/** The tests that reach a mutant. */
export type Reach = {
  readonly file: string
  /** Names of the tests that reach it; all tests of the file if it is reached while the file loads. */
  readonly tests: readonly string[] | "all"
}

export type MutantJob = {
  readonly id: string
  /** Reached while modules load, so they have to be reloaded. */
  readonly loading: boolean
  readonly reach: readonly Reach[]
}

export type Job =
  | { readonly kind: "cover"; readonly files: readonly string[]; readonly out: string }
  | { readonly kind: "kill"; readonly mutants: readonly MutantJob[]; readonly out: string }

export type CoverLine = {
  readonly file: string
  readonly failed: readonly string[]
  readonly loading: readonly string[]
  readonly around: readonly string[]
  readonly tests: readonly { readonly name: string; readonly ms: number; readonly reached: readonly string[] }[]
}

/** `begun` is written first, so that a mutant that hangs can be identified. */
export type KillLine = {
  readonly id: string
  readonly outcome: "begun" | "killed" | "survived" | "unsure"
  readonly by?: string
}

export const JOB_VARIABLE = "PARLOR_MUTATE_JOB"
