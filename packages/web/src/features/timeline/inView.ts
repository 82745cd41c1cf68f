/** Which rows of a timeline are mounted: what is in view and a little around it, and what must not be lost. Pure (TAB-5). */
import { MOST_MOUNTED } from "../tab/mounted.ts"

const MOST_HELD = 10

export type InView = {
  readonly startIndex: number
  readonly endIndex: number
  readonly overscan: number
  readonly count: number
}

/**
 * `held`: rows that stay wherever one scrolls, because something in them would be lost: the focus, what was typed into an
 * ask. There are few of them; beyond the budget they go as well.
 */
export function rowsToMount(
  { startIndex, endIndex, overscan, count }: InView,
  held: readonly number[] = [],
): readonly number[] {
  const first = Math.max(0, startIndex - overscan)
  const last = Math.min(count - 1, endIndex + overscan)
  const kept = [...new Set(held)]
    .filter((row) => row >= 0 && row < count && (row < first || row > last))
    .slice(0, MOST_HELD)
  const most = Math.min(last, first + MOST_MOUNTED - kept.length - 1)
  const rows = Array.from({ length: Math.max(0, most - first + 1) }, (_, place) => first + place)
  return [...rows, ...kept].sort((a, b) => a - b)
}
