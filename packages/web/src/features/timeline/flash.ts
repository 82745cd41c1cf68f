/** Scrolls to a row, focuses it and tints it for a moment. */

const FRAMES = 60
const FLASH_MS = 1_800

/** Rows are mounted as they come into view, so this may take some frames. Returns a cancel function. */
export function flash(list: HTMLElement, row: string): () => void {
  let frame = 0
  let left = FRAMES
  const look = () => {
    const element = list.querySelector<HTMLElement>(`[data-row="${CSS.escape(row)}"]`)
    if (element !== null) return tint(element)
    if (left-- > 0) frame = requestAnimationFrame(look)
  }
  frame = requestAnimationFrame(look)
  return () => cancelAnimationFrame(frame)
}

function tint(element: HTMLElement): void {
  const shown = element.querySelector<HTMLElement>("article") ?? element
  shown.tabIndex = -1
  shown.focus({ preventScroll: true })
  const color = getComputedStyle(element).getPropertyValue("--color-tint")
  shown.animate([{ backgroundColor: color, outline: `6px solid ${color}` }, { backgroundColor: "transparent" }], {
    duration: FLASH_MS,
    easing: "ease-in",
  })
}
