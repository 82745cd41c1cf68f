/**
 * How often a piece that grows is drawn again. Pure.
 *
 * Parsing takes longer the longer a piece is, and a long table or list cannot be cut. It is drawn less often then, so
 * that the page has time for everything else.
 */
const SHORT_CHARS = 3_000
const CHARS_PER_MS = 40
const SLOWEST_MS = 400

export function paceMs(chars: number): number {
  return chars < SHORT_CHARS ? 0 : Math.min(SLOWEST_MS, Math.round(chars / CHARS_PER_MS))
}
