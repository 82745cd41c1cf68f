import { isLong, rounds } from "../support/rounds.ts"

/** Half of the seeds of a run; two test files share them so that two cores do. */
export const SHARE = rounds({ usual: 120, long: 2_000 })
export const LIMIT_MS = isLong ? 4 * 3_600_000 : 600_000
