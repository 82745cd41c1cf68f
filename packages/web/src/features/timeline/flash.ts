/** Shows which row of a list was gone to: in view, focused, and tinted for a moment. */
const FRAMES = 60
const FLASH_MS = 1_800

/** Rows come into the page as they come into view, so it may take some frames until it is there. Returns what ends it. */
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
  const colour = getComputedStyle(element).getPropertyValue("--color-tint")
  shown.animate([{ backgroundColor: colour, outline: `6px solid ${colour}` }, { backgroundColor: "transparent" }], {
    duration: FLASH_MS,
    easing: "ease-in",
  })
}
