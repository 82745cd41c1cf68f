/** The message being read, and its position in the view. */
export type Read = { readonly row: string; readonly top: number }

/** The first visible message. */
export function readIn(scroller: HTMLElement): Read | undefined {
  for (const row of scroller.querySelectorAll<HTMLElement>("[data-row]")) {
    const body = row.querySelector("[data-body]")
    if (body === null || topIn(scroller, row) + row.offsetHeight <= 0) continue
    return { row: row.dataset.row ?? "", top: topIn(scroller, body) }
  }
  return undefined
}

/** A message's distance from its target position; undefined while not mounted. */
export function movedFrom(scroller: HTMLElement, { row, top }: Read): number | undefined {
  const body = rowIn(scroller, row)?.querySelector("[data-body]")
  return body == null ? undefined : topIn(scroller, body) - top
}

export function rowIn(scroller: HTMLElement, row: string): Element | null {
  return scroller.querySelector(`[data-row="${CSS.escape(row)}"]`)
}

function topIn(scroller: HTMLElement, element: Element): number {
  return element.getBoundingClientRect().top - scroller.getBoundingClientRect().top
}
