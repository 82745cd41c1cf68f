/**
 * Whether a list sticks to its newest message, derived from scroll events.
 *
 * The person leaves the bottom by scrolling up, and only so: text that grows below also moves the bottom away, and a
 * list that shrinks or a view that grows takes the place up with it; neither must be mistaken for a wish. Going up
 * further than that explains is one; it may have shrunk more and grown again, so much is given. Coming near the bottom
 * again takes it up again.
 */
export const nearPx = 40
const SHRUNK_MORE = 2

export type Scroll = { readonly top: number; readonly height: number; readonly view: number }

export function sticks(before: boolean, last: Scroll, now: Scroll): boolean {
  if (belowPx(now) <= nearPx) return true
  if (now.view < last.view) return before
  const taken = Math.max(0, last.height - now.height) + now.view - last.view
  return last.top - now.top > SHRUNK_MORE * taken ? false : before
}

/** The distance to the bottom. */
export function belowPx(scroll: Scroll): number {
  return scroll.height - scroll.top - scroll.view
}
