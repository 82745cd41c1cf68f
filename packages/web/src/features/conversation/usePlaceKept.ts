import { type RefObject, useEffect, useLayoutEffect, useRef } from "react"

type Read = { readonly row: string; readonly top: number }

/**
 * When older messages come in above, what is read stays where it is, to the pixel. The list anchors its rows by itself;
 * the row that was the first one may lose its name or gain a day above it, and that is made up for here.
 */
export function usePlaceKept(scroller: RefObject<HTMLDivElement | null>, oldest: string | undefined): void {
  const read = useRef<Read>(undefined)
  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    const note = () => {
      read.current = readIn(element)
    }
    element.addEventListener("scroll", note, { passive: true })
    return () => element.removeEventListener("scroll", note)
  }, [scroller])
  // biome-ignore lint/correctness/useExhaustiveDependencies: older messages above are what moves the place
  useLayoutEffect(() => {
    const element = scroller.current
    const before = read.current
    if (element === null || before === undefined) return
    const body = element.querySelector(`[data-row="${CSS.escape(before.row)}"] [data-body]`)
    if (body === null) return
    const moved = topIn(element, body) - before.top
    if (moved !== 0) element.scrollTop += moved
  }, [oldest, scroller])
}

/** The first message of which something is in view. */
function readIn(scroller: HTMLElement): Read | undefined {
  for (const row of scroller.querySelectorAll<HTMLElement>("[data-row]")) {
    const body = row.querySelector("[data-body]")
    if (body === null || topIn(scroller, row) + row.offsetHeight <= 0) continue
    return { row: row.dataset.row ?? "", top: topIn(scroller, body) }
  }
  return undefined
}

function topIn(scroller: HTMLElement, element: Element): number {
  return element.getBoundingClientRect().top - scroller.getBoundingClientRect().top
}
