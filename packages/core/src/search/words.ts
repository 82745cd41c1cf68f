/**
 * Splits texts and queries into words, alike for every store. Pure, and free of imports: writer threads load it alone.
 *
 * Case, width, accents and invisible characters are ignored. Scripts with spaces are split into words. For scripts
 * without them (Chinese, Japanese, Thai, …) every character and every pair of neighbors is a word, so that a query can
 * be one or two characters long.
 */

/** How much of one text is indexed. The rest is not found. */
const INDEXED_CHARS = 65_536
const INDEXED_WORDS = 20_000
const WORD_CHARS = 64
const QUERY_CHARS = 1_000
const QUERY_WORDS = 16
/** Shorter prefixes would match nearly everything. */
const PREFIX_CHARS = 3

export type IndexedText = {
  /** Each word once, with its count if there are several: `deploy plan:3`. */
  readonly line: string
  /** The number of words. */
  readonly length: number
}

export type QueryWord = {
  readonly word: string
  /** Also matches longer words that start with it. */
  readonly prefix: boolean
}

export function indexedText(text: string): IndexedText {
  const counts = new Map<string, number>()
  let length = 0
  const add = (word: string) => {
    const count = counts.get(word)
    if (count !== undefined) counts.set(word, count + 1)
    else if (counts.size < INDEXED_WORDS) counts.set(word, 1)
  }
  for (const run of runsOf(text.slice(0, INDEXED_CHARS))) {
    const characters = isSpaceless(run) ? [...run] : undefined
    length += characters?.length ?? 1
    if (characters === undefined) add(cut(run))
    else for (const word of [...pairs(characters), ...characters]) add(word)
  }
  let line = ""
  for (const [word, count] of counts) line += count === 1 ? ` ${word}` : ` ${word}:${count}`
  return { line: line.slice(1), length }
}

/** The words of a typed query, each once. Empty if there is nothing to search for. */
export function parseQuery(text: string): readonly QueryWord[] {
  const words = new Map<string, boolean>()
  const runs = runsOf(text.slice(0, QUERY_CHARS))
  for (const [i, run] of runs.entries()) {
    const isLast = i === runs.length - 1
    const prefix = isLast && !isSpaceless(run) && run.length >= PREFIX_CHARS
    for (const word of isSpaceless(run) ? spacelessQuery(run) : [cut(run)]) {
      if (words.size >= QUERY_WORDS && !words.has(word)) continue
      words.set(word, prefix || (words.get(word) ?? false))
    }
  }
  return [...words].map(([word, prefix]) => ({ word, prefix }))
}

/** The same words, for highlighting. */
export function queryWords(text: string): readonly string[] {
  return parseQuery(text).map(({ word }) => word)
}

const ASCII = /^[\0-\x7f]*$/
const ASCII_RUN = /[a-z0-9]+/g
/** ASCII letters and digits, and everything beyond ASCII. */
const PIECE = /[^\0-/:-`{-\x7f]+/g
const SPACELESS =
  "\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Hang}\\p{scx=Bopo}\\p{sc=Yiii}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}" +
  "\\p{sc=Mymr}\\p{sc=Tibt}\\p{sc=Lana}\\p{sc=Tale}\\p{sc=Talu}\\p{sc=Java}\\p{sc=Bali}"
const STARTS_SPACELESS = new RegExp(`^[${SPACELESS}]`, "u")
const RUN = new RegExp(
  `(?:(?=[${SPACELESS}])[\\p{L}\\p{N}\\p{M}])+|(?:(?![${SPACELESS}])[\\p{L}\\p{N}\\p{M}])+|\\p{Extended_Pictographic}`,
  "gu",
)

/** Runs of one kind: a word, characters of a script without spaces, or a pictograph. */
function runsOf(text: string): readonly string[] {
  const lower = text.toLowerCase()
  if (ASCII.test(lower)) return lower.match(ASCII_RUN) ?? []
  const runs: string[] = []
  let folded = 0
  for (const piece of lower.match(PIECE) ?? []) {
    if (ASCII.test(piece)) {
      runs.push(piece)
      continue
    }
    // Some characters expand to many.
    if (folded >= INDEXED_CHARS) break
    const bare = foldText(piece)
    folded += bare.length
    for (const run of bare.match(RUN) ?? []) runs.push(run)
  }
  return runs
}

/** Diacritics of Latin, Greek, Cyrillic, Hebrew and Arabic letters; invisible joiners and variation selectors. */
const UNSEEN =
  /[\u0300-\u036f]|[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]|[\u064b-\u065f\u0670]|\u0640|[\ufe00-\ufe0f]|\p{Cf}/gu
const ALIKE: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  ħ: "h",
  ı: "i",
  ł: "l",
  þ: "th",
  ς: "σ",
}
const ALIKE_LETTERS = new RegExp(`[${Object.keys(ALIKE).join("")}]`, "g")

function foldText(text: string): string {
  const bare = text.normalize("NFKC").toLowerCase().normalize("NFKD").replace(UNSEEN, "").normalize("NFC")
  return bare.replace(ALIKE_LETTERS, (letter) => ALIKE[letter] ?? letter).slice(0, INDEXED_CHARS)
}

function isSpaceless(run: string): boolean {
  return run.charCodeAt(0) > 0x7f && STARTS_SPACELESS.test(run)
}

function pairs(characters: readonly string[]): string[] {
  return characters.slice(1).map((character, i) => (characters[i] ?? "") + character)
}

function spacelessQuery(run: string): readonly string[] {
  const characters = [...run]
  return characters.length === 1 ? characters : pairs(characters)
}

/** Never inside a character. */
function cut(run: string): string {
  if (run.length <= WORD_CHARS) return run
  const unit = run.charCodeAt(WORD_CHARS)
  return run.slice(0, unit >= 0xdc00 && unit <= 0xdfff ? WORD_CHARS - 1 : WORD_CHARS)
}
