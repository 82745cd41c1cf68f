/**
 * Markdown as plain words, for a line of a list: marks of emphasis, code, headings, quotes, lists and links go, what they
 * stand around stays. Of an unknown mark nothing is lost. Pure.
 *
 * The text may be cut out of a longer one, with `…` where that was: then one half of a mark may be there alone.
 */
export function plainWords(text: string): string {
  return plainSnippet({ text, marks: [] }).text
}

export type MarkedText = {
  readonly text: string
  /** Where the words are that were looked for: begin and end, in UTF-16 units. */
  readonly marks: readonly (readonly [number, number])[]
}

/** The same for a text in which words are marked. They stay marked, except in what goes, such as a link's address. */
export function plainSnippet({ text, marks }: MarkedText): MarkedText {
  const shown = text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH - 1).toWellFormed()}…`
  let plain: Traced = { text: shown, at: Array.from({ length: shown.length }, (_, index) => index) }
  for (const pattern of MARKS) plain = without(plain, pattern)
  return { text: plain.text.replace(/\s/g, " "), marks: marks.flatMap((mark) => placeIn(plain.at, mark)) }
}

/** A line of a list shows far less. Some of the patterns below take time that grows faster than the text. */
const MAX_LENGTH = 1_000

type Traced = {
  readonly text: string
  /** Where each unit of it stood. */
  readonly at: readonly number[]
}

/** In this order. Of each match stays what is `kept` of it. One pair may stand within another. */
const PAIR = /(\*\*|__|~~|`{1,3})(?=\S)(?<kept>[^\n]*?\S)\1/dg
const MARKS: readonly RegExp[] = [
  /!?\[(?<kept>[^\]\n]*)\]\([^)\s]*(?:\)|(?=…$))/dg,
  /(?<=^…[^[\]\n]*)\]\([^)\s]*\)/dg,
  /(?<kept>^…?)[ \t]*(?:(?:#{1,6}|>|[-*+])[ \t]+)+/dgm,
  PAIR,
  PAIR,
  /(?<=^|[\s(])([*_])(?=\S)(?<kept>[^*_\n]*\S)\1(?=$|[\s.,;:!?)])/dg,
  /(?<=^…?|\s)(?:\*\*|__|`{1,3})(?=\S)/dg,
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
