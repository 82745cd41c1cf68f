/**
 * How often a growing piece is rendered again. Pure.
 *
 * Parsing time grows with a piece's length, and a long table or list can't be split. It is rendered less often then, to
 * keep the page responsive.
 */
const SHORT_CHARS = 3_000
const CHARS_PER_MS = 40
const SLOWEST_MS = 400

export function paceMs(chars: number): number {
  return chars < SHORT_CHARS ? 0 : Math.min(SLOWEST_MS, Math.round(chars / CHARS_PER_MS))
}
