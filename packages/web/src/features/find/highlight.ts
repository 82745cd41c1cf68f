/** Highlights words with the CSS Custom Highlight API, without changing the DOM. */
import { type Hit, stretchesIn } from "./find.ts"

const FOUND = "found"
const FOUND_NOW = "found-now"

export type Shown = {
  readonly query: string
  /** The current hit. */
  readonly now: Pick<Hit, "message" | "part" | "nth" | "isFolded"> | undefined
}

/** The ranges of the words in the rendered messages. Browsers without highlights still scroll to them. */
export function highlight(root: HTMLElement, { query, now }: Shown): Range | undefined {
  const all: Range[] = []
  let current: Range | undefined
  for (const row of root.querySelectorAll<HTMLElement>("[data-row]")) {
    for (const part of row.querySelectorAll<HTMLElement>("[data-part]")) {
      const ranges = rangesIn(part, query)
      all.push(...ranges)
      if (now === undefined || row.dataset.row !== now.message || part.dataset.part !== String(now.part)) continue
      const isThere = !now.isFolded || part.querySelector("details[open]") !== null
      if (isThere) current = ranges[Math.min(now.nth, ranges.length - 1)]
    }
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

/** The text nodes of a part, without labels, buttons and duplicated content. */
const OTHER = "[data-label], button, figcaption, summary, .katex-mathml"
const BLOCK = "p, pre, li, td, th, h1, h2, h3, h4, h5, h6, div, details"

/** A match may span inline elements, but not blocks. */
function rangesIn(element: HTMLElement, query: string): readonly Range[] {
  const nodes: { readonly node: Text; readonly start: number }[] = []
  let text = ""
  let block: Element | null = null
  const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  for (let node = walk.nextNode(); node !== null; node = walk.nextNode()) {
    if (!(node instanceof Text)) continue
    const holder = node.parentElement?.closest(`[data-words], ${OTHER}`)
    if (holder != null && !holder.matches("[data-words]")) continue
    const its = node.parentElement?.closest(BLOCK) ?? null
    if (its !== block) text += "\n"
    block = its
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
