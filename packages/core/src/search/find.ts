/**
 * The search algorithm, over any store's index: newest texts with all words, or else any of them, then ranked.
 *
 * The rank is BM25 with three simplifications that limit its cost: a word counts as common from `COUNTED` texts on, the
 * average length of a text is a constant, and for very common words only the newest `CANDIDATES` texts are considered.
 */
import type { Millis } from "@parlor/protocol"
import { parseQuery, type QueryWord } from "./words.ts"

export { messageText } from "../text/searchable.ts"
export { type IndexedText, indexedText, type QueryWord } from "./words.ts"

export const COUNTED = 2_000
const CANDIDATES = 200

const SATURATION = 1.2
const LENGTH_MATTERS = 0.5
const USUAL_LENGTH = 100
/** The weight of a word that only starts with the search word. */
const BEGINNING_COUNTS = 0.5
const RECENCY_COUNTS = 0.15
const RECENCY_HALVES_MS = 90 * 24 * 60 * 60 * 1_000

export type IndexEntry = {
  /** Increases from one indexed text to the next. */
  readonly id: number
  readonly at: Millis
  /** As returned by `indexedText`. */
  readonly line: string
  readonly length: number
}

export interface WordIndex<E extends IndexEntry> {
  /** For each word, the number of texts that contain it; at most `COUNTED`. */
  counts(words: readonly QueryWord[]): Promise<readonly number[]>
  /** Texts that contain all of these words, newest first. */
  newest(words: readonly QueryWord[], limit: number): Promise<readonly E[]>
}

export async function findTexts<E extends IndexEntry>(
  index: WordIndex<E>,
  typed: string,
  options: { readonly limit: number; readonly now: Millis },
): Promise<readonly (E & { readonly score: number })[]> {
  const words = await withoutNeedlessBeginnings(index, parseQuery(typed))
  if (words.length === 0) return []
  const counts = words.length === 1 ? [0] : await index.counts(words)
  const most = Math.max(options.limit, CANDIDATES)
  const all = words.length > 1 && counts.includes(0) ? [] : await index.newest(words, most)
  const found = all.length === 0 && words.length > 1 ? await withAny(index, words, counts, most) : all
  const scored = found.map((entry) => ({ ...entry, score: score(entry, words, counts, options.now) }))
  return scored.sort((a, b) => b.score - a.score || b.at - a.at || b.id - a.id).slice(0, options.limit)
}

/** A word with enough texts of its own does not need prefix matches, which rank lower and are expensive to find. */
async function withoutNeedlessBeginnings<E extends IndexEntry>(
  index: WordIndex<E>,
  words: readonly QueryWord[],
): Promise<readonly QueryWord[]> {
  const beginning = words.find(({ prefix }) => prefix)
  if (beginning === undefined) return words
  const whole = { word: beginning.word, prefix: false }
  const [count = 0] = await index.counts([whole])
  return count < CANDIDATES ? words : words.map((word) => (word === beginning ? whole : word))
}

/** Texts of the rarest word first, so that a common one does not crowd them out. */
async function withAny<E extends IndexEntry>(
  index: WordIndex<E>,
  words: readonly QueryWord[],
  counts: readonly number[],
  most: number,
): Promise<readonly E[]> {
  const known = words.map((word, i) => ({ word, count: counts[i] ?? 0 })).filter(({ count }) => count > 0)
  const found = new Map<number, E>()
  for (const { word } of known.sort((a, b) => a.count - b.count)) {
    if (found.size >= most) break
    for (const entry of await index.newest([word], most)) {
      if (found.size < most || found.has(entry.id)) found.set(entry.id, entry)
    }
  }
  return [...found.values()]
}

export function hasWord(line: string, word: QueryWord): boolean {
  return timesIn(` ${line} `, word) > 0
}

function score(entry: IndexEntry, words: readonly QueryWord[], counts: readonly number[], now: Millis): number {
  const line = ` ${entry.line} `
  const halfWay = SATURATION * (1 - LENGTH_MATTERS + (LENGTH_MATTERS * entry.length) / USUAL_LENGTH)
  let sum = 0
  for (const [i, word] of words.entries()) {
    const times = timesIn(line, word)
    if (times > 0) sum += (rarity(counts[i] ?? 0) * times * (SATURATION + 1)) / (times + halfWay)
  }
  const age = Math.max(0, now - entry.at)
  return sum * (1 + RECENCY_COUNTS * 2 ** (-age / RECENCY_HALVES_MS))
}

function rarity(count: number): number {
  return Math.log(1 + (COUNTED + 0.5) / (Math.min(count, COUNTED) + 0.5))
}

/** How often the word occurs in a line with a space at each end. */
function timesIn(line: string, { word, prefix }: QueryWord): number {
  let times = 0
  for (let at = line.indexOf(` ${word}`); at >= 0; at = line.indexOf(` ${word}`, at + 1)) {
    const rest = at + 1 + word.length
    const end = line.indexOf(" ", rest)
    const colon = line.indexOf(":", rest)
    const wordEnd = colon >= 0 && colon < end ? colon : end
    if (wordEnd > rest && !prefix) continue
    const count = wordEnd === end ? 1 : Number(line.slice(colon + 1, end))
    times += wordEnd === rest ? count : BEGINNING_COUNTS * count
  }
  return times
}
