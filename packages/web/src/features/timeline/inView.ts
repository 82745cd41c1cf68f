/**
 * Which rows of a timeline are mounted: the visible ones, a few around them, and those with state to keep. Pure
 * (TAB-5).
 */
import { MAX_MOUNTED } from "../tab/mounted.ts"

const MAX_HELD = 10

export type InView = {
  readonly startIndex: number
  readonly endIndex: number
  readonly overscan: number
  readonly count: number
}

/**
 * `held`: rows that stay mounted because they have the focus or text typed into an ask. There are few; beyond the
 * budget they are unmounted as well.
 */
export function rowsToMount(
  { startIndex, endIndex, overscan, count }: InView,
  held: readonly number[] = [],
): readonly number[] {
  const first = Math.max(0, startIndex - overscan)
  const last = Math.min(count - 1, endIndex + overscan)
  const kept = [...new Set(held)]
    .filter((row) => row >= 0 && row < count && (row < first || row > last))
    .slice(0, MAX_HELD)
  const most = Math.min(last, first + MAX_MOUNTED - kept.length - 1)
  const rows = Array.from({ length: Math.max(0, most - first + 1) }, (_, place) => first + place)
  return [...rows, ...kept].sort((a, b) => a - b)
}
