/** How wide the pane beside the conversation is, in hundredths of the room there is. Pure. */
export const LEAST = 25
export const MOST = 70
export const USUAL = 42
const STEP = 2

export function bounded(percent: number): number {
  return Number.isFinite(percent) ? Math.round(Math.min(MOST, Math.max(LEAST, percent))) : USUAL
}

/** Where a key moves it; undefined for keys that do not. The pane is at the right: left makes it wider. */
export function movedBy(key: string, percent: number): number | undefined {
  if (key === "ArrowLeft") return bounded(percent + STEP)
  if (key === "ArrowRight") return bounded(percent - STEP)
  if (key === "Home") return MOST
  if (key === "End") return LEAST
  return undefined
}

/** From where the pointer is, within the room from `left` to `right`. */
export function underPointer(x: number, room: { readonly left: number; readonly right: number }): number {
  return bounded(((room.right - x) / (room.right - room.left)) * 100)
}

/** What was kept, as text. */
export function keptWidth(text: string | undefined): number {
  return text === undefined || text.trim() === "" ? USUAL : bounded(Number(text))
}
