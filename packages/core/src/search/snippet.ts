/**
 * A short excerpt of a text around the search words. Pure.
 *
 * Case, accents and width are ignored as in the index; the excerpt itself is as written, with its lines: `plainSnippet`
 * removes Markdown syntax for people.
 */

export type Snippet = {
  readonly text: string
  /** The positions of the words in `text`: start and end, in UTF-16 units. */
  readonly marks: [number, number][]
}

const LENGTH = 200
/** How much text to show before the first word. */
const LEAD = 60
const MAX_MARKS = 20
/** Only the beginning of a longer text is searched. */
const LOOKED_AT = 200_000
/** The text is folded chunk by chunk until the words are found: folding costs more than searching. */
const PART = 4_096
/** A word may begin in one chunk and end in the next. */
const OVERLAP = 256
/** Folding non-ASCII text is slow, so no more than this is folded. */
const FOLDED_SLOWLY = 32_768

export function snippetOf(text: string, words: readonly string[]): Snippet {
  const looked = text.slice(0, LOOKED_AT)
  const wanted = words.map((word) => foldText(word).text).filter((word) => word !== "")
  const first = firstMatch(looked, wanted)
  const from = first === undefined ? 0 : wordStart(looked, Math.max(0, first - LEAD))
  const to = wholeEnd(looked, Math.min(looked.length, from + LENGTH))
  const begin = from > 0 ? "…" : ""
  const written = looked.slice(from, to)
  const shown = written.replace(/[^\S\n]/g, " ")
  const marks = marksIn(foldText(written), wanted).map(([start, end]): [number, number] => [
    start + begin.length,
    end + begin.length,
  ])
  return { text: `${begin}${shown}${to < text.length ? "…" : ""}`, marks }
}

type Folded = {
  readonly text: string
  /** The original position of each folded unit, and one more for the end. */
  readonly at: (index: number) => number
}

const ASCII = /^[\0-\x7f]*$/

function foldText(text: string): Folded {
  if (ASCII.test(text)) return { text: text.toLowerCase(), at: (index) => index }
  let folded = ""
  const at: number[] = []
  let index = 0
  for (const character of text) {
    const plain =
      character < "\x80" ? character.toLowerCase() : character.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()
    folded += plain
    for (let unit = 0; unit < plain.length; unit++) at.push(index)
    index += character.length
  }
  at.push(index)
  return { text: folded, at: (unit) => at[unit] ?? index }
}

/** The position of the first search word in the text. */
function firstMatch(text: string, wanted: readonly string[]): number | undefined {
  let slowly = 0
  for (let start = 0; start < text.length && slowly < FOLDED_SLOWLY; ) {
    const part = text.slice(start, wholeEnd(text, Math.min(text.length, start + PART + OVERLAP)))
    if (!ASCII.test(part)) slowly += part.length
    const folded = foldText(part)
    const found = wanted.map((word) => folded.text.indexOf(word)).filter((index) => index >= 0)
    if (found.length > 0) return start + folded.at(Math.min(...found))
    start = wholeEnd(text, start + PART)
  }
  return undefined
}

function marksIn(folded: Folded, wanted: readonly string[]): [number, number][] {
  const marks: [number, number][] = []
  for (const word of wanted) {
    for (let index = folded.text.indexOf(word); index >= 0; index = folded.text.indexOf(word, index + word.length)) {
      if (marks.length >= MAX_MARKS) break
      marks.push([folded.at(index), folded.at(index + word.length)])
    }
  }
  return merged(marks.sort((a, b) => a[0] - b[0] || b[1] - a[1]))
}

/** Merges ranges that touch or overlap. */
function merged(marks: readonly [number, number][]): [number, number][] {
  const merged: [number, number][] = []
  for (const [start, end] of marks) {
    const last = merged.at(-1)
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end)
    else merged.push([start, end])
  }
  return merged
}

function wordStart(text: string, from: number): number {
  if (from === 0) return 0
  const space = text.slice(from, from + LEAD / 2).search(/\s/)
  return space < 0 ? wholeEnd(text, from) : from + space + 1
}

/** Never inside a character. */
function wholeEnd(text: string, end: number): number {
  const unit = text.charCodeAt(end)
  return unit >= 0xdc00 && unit <= 0xdfff ? end + 1 : end
}
