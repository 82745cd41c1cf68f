/** Scrolls a list to the reading position and holds it there until the row heights are measured. */
import { movedFrom, type Read, rowIn } from "./readRow.ts"

/** Rows are measured as they come into view, and each may move the others. */
const FRAMES = 30
const CALM_FRAMES = 3

/** `aim` scrolls to the estimated position while the row is not mounted. Returns a cancel function. */
export function standAt(scroller: HTMLElement, read: Read, aim: () => void): () => void {
  let frame = 0
  let calm = 0
  let left = FRAMES
  let isOver = false
  /** Whether it is in position. */
  const stand = () => {
    const moved = movedFrom(scroller, read)
    if (moved === undefined) aim()
    else if (Math.abs(moved) < 1) return true
    else scroller.scrollTop += moved
    return false
  }
  // Runs after the list's own observer, which moves measured rows, and corrects the position before the next paint.
  const watch = new ResizeObserver(() => void stand())
  const look = () => {
    const row = rowIn(scroller, read.row)
    if (row !== null) watch.observe(row)
    return stand()
  }
  const end = () => {
    isOver = true
    cancelAnimationFrame(frame)
    watch.disconnect()
  }
  const step = () => {
    calm = look() ? calm + 1 : 0
    if (calm < CALM_FRAMES && left-- > 0) frame = requestAnimationFrame(step)
    else end()
  }
  step()
  // The target row is mounted when this task ends, but not painted yet.
  queueMicrotask(() => isOver || look())
  return end
}
