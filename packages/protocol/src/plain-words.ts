/**
 * Strips Markdown for one-line previews: removes marks of emphasis, code, headings, quotes, lists and links, and
 * keeps the text between them. Unknown marks stay. Pure.
 *
 * The text may be an excerpt, with `…` where it was cut: then half of a mark may be left.
 */
export function plainWords(text: string): string {
  return plainSnippet({ text, marks: [] }).text
}

export type MarkedText = {
  readonly text: string
  /** The matched words: start and end, in UTF-16 code units. */
  readonly marks: readonly (readonly [number, number])[]
}

/** The same for a text with highlighted words. They stay highlighted, except in removed parts such as a link's URL. */
export function plainSnippet({ text, marks }: MarkedText): MarkedText {
  const shown = text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH - 1).toWellFormed()}…`
  let plain: Traced = { text: shown, at: Array.from({ length: shown.length }, (_, index) => index) }
  for (const pattern of MARKS) plain = without(plain, pattern)
  return { text: plain.text.replace(/\s/g, " "), marks: marks.flatMap((mark) => placeIn(plain.at, mark)) }
}

/** A preview shows far less. Some of the patterns below take more than linear time. */
const MAX_LENGTH = 1_000

type Traced = {
  readonly text: string
  /** The original position of each code unit. */
  readonly at: readonly number[]
}

/** Applied in this order. Only the group `kept` of a match stays. Pairs can be nested, so PAIR runs twice. */
const PAIR = /(\*\*|(?<!\w)__(?!\w*__)|~~|`{1,3})(?=\S)(?<kept>[^\n]*?\S)\1/dg
const MARKS: readonly RegExp[] = [
  /!?\[(?<kept>[^\]\n]*)\]\([^)\s]*(?:\)|(?=…$))/dg,
  /(?<=^…[^[\]\n]*)\]\([^)\s]*\)/dg,
  /(?<kept>^…?)[ \t]*(?:(?:#{1,6}|>|[-*+])[ \t]+)+/dgm,
  PAIR,
  PAIR,
  /(?<=^|[\s(])([*_])(?=\S)(?<kept>[^*_\n]*\S)\1(?=$|[\s.,;:!?)])/dg,
  /(?<=^…?|\s)(?:\*\*|__(?!\w*__)|`{1,3})(?=\S)/dg,
  /(?<=^…[^\n]*\S)(?:\*\*|__|~~|`{1,3})(?=$|[\s.,;:!?)…])/dg,
  /(?<kept>\s)\s+/dg,
  /^\s+|\s+$/dg,
]

function without({ text, at }: Traced, pattern: RegExp): Traced {
  let left = ""
  const places: number[] = []
  const take = (from: number, to: number): void => {
    left += text.slice(from, to)
    for (let index = from; index < to; index++) places.push(at[index] ?? 0)
  }
  let last = 0
  for (const match of text.matchAll(pattern)) {
    take(last, match.index)
    const [from, to] = match.indices?.groups?.kept ?? [0, 0]
    take(from, to)
    last = match.index + match[0].length
  }
  take(last, text.length)
  return { text: left, at: places }
}

function placeIn(at: readonly number[], [start, end]: readonly [number, number]): readonly [number, number][] {
  const from = at.findIndex((place) => place >= start && place < end)
  if (from === -1) return []
  return [[from, at.findLastIndex((place) => place < end) + 1]]
}
