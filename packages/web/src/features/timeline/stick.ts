/**
 * Whether a list sticks to its newest message, derived from scroll events.
 *
 * Only scrolling up leaves the bottom. Growing text also moves the bottom away, and a shrinking list or a growing view
 * also moves the scroll position up; neither counts as scrolling. Moving up further than the change of size explains does,
 * with some tolerance because the list may have shrunk and grown again. Rows that are measured while a conversation opens
 * change the size by any amount, so then a hand must have been at work. Coming near the bottom sticks to it again.
 */
export const nearPx = 40
const SHRUNK_MORE = 2

export type Scroll = { readonly top: number; readonly height: number; readonly view: number }

/** `isTouched`: the person has just used a wheel, a key, a finger or the pointer. */
export function sticks(before: boolean, last: Scroll, now: Scroll, isTouched: boolean): boolean {
  if (belowPx(now) <= nearPx) return true
  if (now.view < last.view) return before
  const isResized = now.height !== last.height || now.view !== last.view
  if (isResized && !isTouched) return before
  const taken = Math.max(0, last.height - now.height) + now.view - last.view
  return last.top - now.top > SHRUNK_MORE * taken ? false : before
}

/** The distance to the bottom. */
export function belowPx(scroll: Scroll): number {
  return scroll.height - scroll.top - scroll.view
}
