/**
 * Whether a list keeps to its newest message, from what the scroll position did.
 *
 * The person leaves the bottom by scrolling up, and only so: text that grows below also moves the bottom away, and that
 * must not be mistaken for a wish. Coming near the bottom again takes it up again.
 */
export const nearPx = 40

export type Scroll = { readonly top: number; readonly height: number; readonly view: number }

export function sticks(before: boolean, last: Scroll, now: Scroll): boolean {
  if (belowPx(now) <= nearPx) return true
  if (now.top < last.top && now.height >= last.height && now.view >= last.view) return false
  return before
}

/** How much of the list is below what is in view. */
export function belowPx(scroll: Scroll): number {
  return scroll.height - scroll.top - scroll.view
}
