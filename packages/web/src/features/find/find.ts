/** Finding words in the messages that are loaded. Pure. Capitals and accents do not matter. */
import type { MessageRow } from "@parlor/protocol"

export type Spoken = Pick<MessageRow, "id" | "parts">
/** Where the words are: the which-th of them in which message. */
export type Hit = { readonly message: string; readonly index: number; readonly nth: number }
export type Stretch = readonly [start: number, end: number]

/** Beyond it nobody goes through them one by one. */
export const MOST_HITS = 10_000

/** In the order of the conversation. */
export function findIn(messages: readonly Spoken[], query: string): readonly Hit[] {
  const wanted = folded(query.trim()).text
  if (wanted === "") return []
  const hits: Hit[] = []
  for (const [index, message] of messages.entries()) {
    const count = countIn(foldedWords(message), wanted)
    for (let nth = 0; nth < count && hits.length < MOST_HITS; nth++) hits.push({ message: message.id, index, nth })
  }
  return hits
}

/** Every place of the words in a text, as they stand in it. */
export function stretchesIn(text: string, query: string): readonly Stretch[] {
  const wanted = folded(query.trim()).text
  if (wanted === "") return []
  const { text: plain, at } = folded(text)
  const found: Stretch[] = []
  for (let place = plain.indexOf(wanted); place !== -1; place = plain.indexOf(wanted, place + wanted.length)) {
    const last = place + wanted.length - 1
    found.push(at === undefined ? [place, last + 1] : [at[place] ?? 0, (at[last] ?? 0) + 1])
  }
  return found
}

/**
 * The hit to go to from another: the next or the one before, round and round. The first time it is the newest one, which
 * is what one most likely looks for.
 */
export function stepFrom(hits: readonly Hit[], now: Hit | undefined, by: 1 | -1): Hit | undefined {
  if (hits.length === 0) return undefined
  const place = placeOf(hits, now)
  if (place === -1) return hits.at(-1)
  return hits[(place + by + hits.length) % hits.length]
}

const MOST_WANTED_CHARS = 80

/** What to look for, from what was selected: a few words, not half a page. */
export function wantedFrom(selected: string): string {
  const words = selected.trim()
  return words.length > MOST_WANTED_CHARS || words.includes("\n") ? "" : words
}

export function placeOf(hits: readonly Hit[], now: Hit | undefined): number {
  return now === undefined ? -1 : hits.findIndex((hit) => hit.message === now.message && hit.nth === now.nth)
}

export function countWords(hits: readonly Hit[], now: Hit | undefined): string {
  if (hits.length === 0) return "Nothing found"
  const place = placeOf(hits, now)
  const all = hits.length >= MOST_HITS ? `${MOST_HITS.toLocaleString()} and more` : hits.length.toLocaleString()
  return place === -1 ? `${all} found` : `${(place + 1).toLocaleString()} of ${all}`
}

/** What a message says without the marks of markdown, which are not seen. */
export function wordsOf({ parts }: Pick<Spoken, "parts">): string {
  return parts
    .flatMap((part) => {
      if (part.type === "text") return [unmarked(part.text)]
      if (part.type === "notice") return [part.text]
      return part.type === "attachment" ? [part.name] : []
    })
    .join("\n")
}

function unmarked(text: string): string {
  return text
    .replace(/^ {0,3}(?:```|~~~)[^\n]*$/gm, "")
    .replace(/!?\[([^\]\n]*)\](?:\([^)\n]*\)|\[[^\]\n]*\])/g, "$1")
    .replace(/\*\*|__|~~|(?<![\p{L}\p{N}])[*_](?=\S)|(?<=\S)[*_](?![\p{L}\p{N}])|`/gu, "")
    .replace(/^ {0,3}(?:#{1,6}|>|[-+*]|\d+[.)]) +/gm, "")
}

const known = new WeakMap<Spoken["parts"], string>()

function foldedWords(message: Spoken): string {
  const before = known.get(message.parts)
  if (before !== undefined) return before
  const words = folded(wordsOf(message)).text
  known.set(message.parts, words)
  return words
}

function countIn(text: string, wanted: string): number {
  let count = 0
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) count += 1
  return count
}

/** `at`: which letter of the text each of these stands for; left out when it is the same one. */
function folded(text: string): { readonly text: string; readonly at?: readonly number[] } {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
  if (/^[\x00-\x7f]*$/.test(text)) return { text: text.toLowerCase() }
  let out = ""
  const at: number[] = []
  for (let index = 0; index < text.length; index++) {
    const char = text[index] ?? ""
    const letters = char < "\x80" ? char.toLowerCase() : char.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()
    out += letters
    for (let letter = 0; letter < letters.length; letter++) at.push(index)
  }
  return { text: out, at }
}
