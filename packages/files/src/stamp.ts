/**
 * Identifies a state of a file without reading it. Programs can set the size and the time of a file as they like, but not
 * when the file system last changed it. That clock is coarse: a file that has just changed could change again without
 * a difference, so it has no stamp yet.
 */
import type { BigIntStats } from "node:fs"

/** The clocks of some file systems count whole seconds. */
const COARSE_MS = 2_000

export function stampOf({ dev, ino, ctimeNs, ctimeMs }: BigIntStats, now: number): string | undefined {
  return Math.abs(now - Number(ctimeMs)) < COARSE_MS ? undefined : `${dev}.${ino}.${ctimeNs}`
}
