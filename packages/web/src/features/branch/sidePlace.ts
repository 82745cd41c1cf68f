/** The width of the side pane, in percent of the available width. Pure. */
export const LEAST = 25
export const MOST = 70
export const USUAL = 42
const STEP = 2

export function bounded(percent: number): number {
  return Number.isFinite(percent) ? Math.round(Math.min(MOST, Math.max(LEAST, percent))) : USUAL
}

/**
 * The width after a key press; undefined for other keys. The pane is on the right, so the left arrow makes it wider.
 */
export function movedBy(key: string, percent: number): number | undefined {
  if (key === "ArrowLeft") return bounded(percent + STEP)
  if (key === "ArrowRight") return bounded(percent - STEP)
  if (key === "Home") return MOST
  if (key === "End") return LEAST
  return undefined
}

/** The width for a pointer position between `left` and `right`. */
export function underPointer(x: number, room: { readonly left: number; readonly right: number }): number {
  return bounded(((room.right - x) / (room.right - room.left)) * 100)
}

/** Parses the stored width. */
export function keptWidth(text: string | undefined): number {
  return text === undefined || text.trim() === "" ? USUAL : bounded(Number(text))
}
