import { isLong } from "./run-seeds.ts"

/** Half of the seeds of a run: 2,000 with `npm test`, 50,000 when there is time. */
export const SHARE = isLong ? 25_000 : 1_000
export const LIMIT_MS = isLong ? 4 * 3_600_000 : 600_000
