/** The position of a tooltip: below its target, or above without room, and always inside the window. Pure. */
export type Box = { readonly left: number; readonly top: number; readonly width: number; readonly height: number }
export type Size = { readonly width: number; readonly height: number }

const GAP = 6
const EDGE = 8

export function tipPlace(about: Box, tip: Size, view: Size): { readonly left: number; readonly top: number } {
  const middle = about.left + about.width / 2 - tip.width / 2
  const left = Math.max(EDGE, Math.min(middle, view.width - tip.width - EDGE))
  const below = about.top + about.height + GAP
  const top = below + tip.height + EDGE <= view.height ? below : Math.max(EDGE, about.top - tip.height - GAP)
  return { left: Math.round(left), top: Math.round(top) }
}
