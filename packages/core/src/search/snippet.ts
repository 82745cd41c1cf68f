/**
 * A short piece of a text around the words that were looked for. Pure.
 *
 * Case, accents and width are ignored as the index ignores them; the piece itself is as it was written, with its lines:
 * whoever shows it to people takes the marks of markdown away (`plainSnippet`).
 */

export type Snippet = {
  readonly text: string
  /** Where the words are in `text`: begin and end, in UTF-16 units. */
  readonly marks: [number, number][]
}

const LENGTH = 200
/** How much of it stands before the first word. */
const LEAD = 60
const MOST_MARKS = 20
/** Texts longer than this are looked at in their first part only. */
const LOOKED_AT = 200_000

export function snippetOf(text: string, words: readonly string[]): Snippet {
  const looked = text.slice(0, LOOKED_AT)
  const folded = foldText(looked)
  const wanted = words.map((word) => foldText(word).text).filter((word) => word !== "")
  const first = firstMatch(folded.text, wanted)
  const from = first === undefined ? 0 : wordStart(looked, Math.max(0, (folded.at[first] ?? 0) - LEAD))
  const to = wholeEnd(looked, Math.min(looked.length, from + LENGTH))
  const begin = from > 0 ? "…" : ""
  const shown = looked.slice(from, to).replace(/[^\S\n]/g, " ")
  const marks = marksIn(folded, wanted, from, to).map(([start, end]): [number, number] => [
    start - from + begin.length,
    end - from + begin.length,
  ])
  return { text: `${begin}${shown}${to < text.length ? "…" : ""}`, marks }
}

type Folded = {
  readonly text: string
  /** Where each unit of the folded text stood, and one more for the end. */
  readonly at: readonly number[]
}

function foldText(text: string): Folded {
  let folded = ""
  const at: number[] = []
  let index = 0
  for (const character of text) {
    const plain = character.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()
    folded += plain
    for (let unit = 0; unit < plain.length; unit++) at.push(index)
    index += character.length
  }
  at.push(index)
  return { text: folded, at }
}

function firstMatch(folded: string, wanted: readonly string[]): number | undefined {
  const found = wanted.map((word) => folded.indexOf(word)).filter((index) => index >= 0)
  return found.length === 0 ? undefined : Math.min(...found)
}

function marksIn(folded: Folded, wanted: readonly string[], from: number, to: number): [number, number][] {
  const marks: [number, number][] = []
  for (const word of wanted) {
    for (let index = folded.text.indexOf(word); index >= 0; index = folded.text.indexOf(word, index + word.length)) {
      const start = folded.at[index] ?? 0
      const end = folded.at[index + word.length] ?? 0
      if (end > to || marks.length >= MOST_MARKS) break
      if (start >= from) marks.push([start, end])
    }
  }
  return apart(marks.sort((a, b) => a[0] - b[0] || b[1] - a[1]))
}

/** Marks that touch or overlap are one. */
function apart(marks: readonly [number, number][]): [number, number][] {
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
