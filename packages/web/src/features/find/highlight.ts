/** Shows words where they stand in the page, without touching it: by the browser's own highlights. */
import { stretchesIn } from "./find.ts"

const FOUND = "found"
const FOUND_NOW = "found-now"

export type Shown = {
  readonly query: string
  /** The one that is gone to: which in which message. */
  readonly now: { readonly message: string; readonly nth: number } | undefined
}

/** Where the words stand in the messages that are in the page. A browser that cannot mark them still goes to them. */
export function highlight(root: HTMLElement, { query, now }: Shown): Range | undefined {
  const all: Range[] = []
  let current: Range | undefined
  for (const row of root.querySelectorAll<HTMLElement>("[data-row]")) {
    const body = row.querySelector<HTMLElement>("[data-body]")
    const ranges = body === null ? [] : rangesIn(body, query)
    all.push(...ranges)
    if (now !== undefined && row.dataset.row === now.message) current = ranges[Math.min(now.nth, ranges.length - 1)]
  }
  if (canMark()) {
    CSS.highlights.set(FOUND, new Highlight(...all))
    CSS.highlights.set(FOUND_NOW, new Highlight(...(current === undefined ? [] : [current])))
  }
  return current
}

export function clearHighlight(): void {
  if (!canMark()) return
  CSS.highlights.delete(FOUND)
  CSS.highlights.delete(FOUND_NOW)
}

function canMark(): boolean {
  return typeof Highlight !== "undefined" && "highlights" in CSS
}

/** Words may go across elements: a letter of them may be bold. */
function rangesIn(element: HTMLElement, query: string): readonly Range[] {
  const nodes: { readonly node: Text; readonly start: number }[] = []
  let text = ""
  const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  for (let node = walk.nextNode(); node !== null; node = walk.nextNode()) {
    if (!(node instanceof Text) || node.parentElement?.closest("button, figcaption, summary, .katex-mathml")) continue
    nodes.push({ node, start: text.length })
    text += node.data
  }
  const placeAt = (offset: number) => {
    const found = nodes.findLast(({ start }) => start <= offset)
    return found && { node: found.node, offset: Math.min(offset - found.start, found.node.length) }
  }
  return stretchesIn(text, query).flatMap(([start, end]) => {
    const [from, last] = [placeAt(start), placeAt(end - 1)]
    if (from === undefined || last === undefined) return []
    const range = new Range()
    range.setStart(from.node, from.offset)
    range.setEnd(last.node, last.offset + 1)
    return [range]
  })
}
