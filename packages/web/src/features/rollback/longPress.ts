/**
 * Long press on touch screens. Moving is scrolling, and lifting early is a tap.
 *
 *   none ──touch──▶ waiting ──450 ms──▶ held ──touch elsewhere──▶ none
 *                      └──moved, lifted──▶ none
 */
export const LONG_MS = 450
const STILL_PX = 10

type Point = { readonly clientX: number; readonly clientY: number }

export function longPressOn(element: HTMLElement, onHeld: (isHeld: boolean) => void): () => void {
  const left = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let from: Point | undefined
  const rest = () => clearTimeout(timer)
  const page = element.ownerDocument
  element.addEventListener(
    "pointerdown",
    (event) => {
      if (event.pointerType !== "touch") return
      from = event
      rest()
      timer = setTimeout(() => onHeld(true), LONG_MS)
    },
    left,
  )
  element.addEventListener("pointermove", (event) => from && hasMoved(from, event) && rest(), left)
  for (const name of ["pointerup", "pointercancel"]) element.addEventListener(name, rest, left)
  page.addEventListener(
    "pointerdown",
    (event) => (event.target instanceof Node && element.contains(event.target)) || onHeld(false),
    left,
  )
  return () => {
    rest()
    left.abort()
  }
}

export function hasMoved(from: Point, to: Point): boolean {
  return Math.hypot(to.clientX - from.clientX, to.clientY - from.clientY) > STILL_PX
}
