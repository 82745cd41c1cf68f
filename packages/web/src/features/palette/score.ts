/**
 * Fuzzy score: the typed letters must appear in order. Pure.
 *
 * Scores higher for prefixes, word starts, adjacent letters and short texts. Every typed word must match.
 */
const START = 16
const WORD = 10
const TOGETHER = 12
const LETTER = 1
const SKIPPED = 0.2
/** Longer texts are truncated. */
const LONGEST = 200

/** Undefined without a match. Empty input matches everything equally. */
export function score(typed: string, words: string): number | undefined {
  const text = plain(words.slice(0, LONGEST))
  let sum = 0
  for (const piece of plain(typed).split(/\s+/).filter(Boolean)) {
    const fits = pieceScore(piece, text)
    if (fits === undefined) return undefined
    sum += fits
  }
  return sum === 0 ? 0 : sum - text.length * 0.02
}

/** The best score over all occurrences of the first letter. */
function pieceScore(piece: string, text: string): number | undefined {
  let best: number | undefined
  for (let at = text.indexOf(piece[0] ?? ""); at !== -1; at = text.indexOf(piece[0] ?? "", at + 1)) {
    const found = scoreFrom(piece, text, at)
    if (found === undefined) break
    if (best === undefined || found > best) best = found
  }
  return best
}

function scoreFrom(piece: string, text: string, start: number): number | undefined {
  let sum = 0
  let last = start - 1
  let at = start
  for (const letter of piece) {
    at = text.indexOf(letter, last + 1)
    if (at === -1) return undefined
    const isTogether = at === last + 1 && at > start
    sum += LETTER + (at === 0 ? START : isTogether ? TOGETHER : isWordStart(text, at) ? WORD : 0)
    sum -= (at - last - 1) * SKIPPED
    last = at
  }
  return sum
}

function isWordStart(text: string, at: number): boolean {
  return /[^\p{L}\p{N}]/u.test(text[at - 1] ?? " ")
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII, which needs no work
const ASCII = /^[\x00-\x7f]*$/

/** Lowercase without accents. The final sigma is normalized, because typing may end anywhere. */
function plain(text: string): string {
  const small = text.toLowerCase()
  return ASCII.test(small) ? small : small.normalize("NFD").replace(/\p{M}/gu, "").replaceAll("ς", "σ")
}
