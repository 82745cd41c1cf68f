/** Finds words in the loaded messages, including collapsed parts. Ignores case and accents. Pure. */
import type { MessageRow, Part } from "@parlor/protocol"
import { t } from "../../texts/en/find.ts"
import { numberText } from "../../texts/format.ts"
import { partWords } from "../message/partWords.ts"

export type Spoken = Pick<MessageRow, "id" | "parts">
/** A hit: the nth occurrence in a part of a message. */
export type Hit = {
  readonly message: string
  readonly index: number
  readonly part: number
  readonly nth: number
  /** Hidden until the part is expanded. */
  readonly isFolded: boolean
}
export type Stretch = readonly [start: number, end: number]

/** The most hits that are collected. */
export const MAX_HITS = 10_000

/** In the order of the conversation. */
export function findIn(messages: readonly Spoken[], query: string): readonly Hit[] {
  const wanted = lettersOf(query.trim()).text
  if (wanted === "") return []
  const hits: Hit[] = []
  for (const [index, message] of messages.entries()) {
    for (const [part, { seen, folded }] of wordsIn(message.parts).entries()) {
      const open = countIn(seen, wanted)
      const all = open + countIn(folded, wanted)
      for (let nth = 0; nth < all && hits.length < MAX_HITS; nth++)
        hits.push({ message: message.id, index, part, nth, isFolded: nth >= open })
    }
  }
  return hits
}

/** Every occurrence of the words in a text. */
export function stretchesIn(text: string, query: string): readonly Stretch[] {
  const wanted = lettersOf(query.trim()).text
  if (wanted === "") return []
  const { text: plain, at } = lettersOf(text)
  const found: Stretch[] = []
  for (let place = plain.indexOf(wanted); place !== -1; place = plain.indexOf(wanted, place + wanted.length)) {
    const last = place + wanted.length - 1
    found.push(at === undefined ? [place, last + 1] : [at[place] ?? 0, (at[last] ?? 0) + 1])
  }
  return found
}

/** The next or previous hit, wrapping around. Starts at the newest hit, the most likely one. */
export function stepFrom(hits: readonly Hit[], now: Hit | undefined, by: 1 | -1): Hit | undefined {
  if (hits.length === 0) return undefined
  const place = placeOf(hits, now)
  if (place === -1) return hits.at(-1)
  return hits[(place + by + hits.length) % hits.length]
}

export function placeOf(hits: readonly Hit[], now: Hit | undefined): number {
  if (now === undefined) return -1
  return hits.findIndex((hit) => hit.message === now.message && hit.part === now.part && hit.nth === now.nth)
}

export function countWords(hits: readonly Hit[], now: Hit | undefined): string {
  if (hits.length === 0) return t("noMatches")
  const place = placeOf(hits, now)
  const all = hits.length >= MAX_HITS ? `${numberText(MAX_HITS)}+` : numberText(hits.length)
  return place === -1 ? t("allFound", { all }) : t("valueOfAll", { value: place + 1, all })
}

/** A part's text without Markdown syntax. */
export function wordsOf(part: Part): { readonly seen: string; readonly folded: string } {
  const { seen, folded } = partWords(part)
  return { seen: part.type === "text" ? unmarked(seen) : seen, folded }
}

function unmarked(text: string): string {
  return text
    .replace(/^ {0,3}(?:```|~~~)[^\n]*$/gm, "")
    .replace(/!?\[([^[\]\n]*)\](?:\((?:(?!\]\()[^)\n])*\)|\[[^[\]\n]*\])/g, "$1")
    .replace(/\*\*|__|~~|(?<![\p{L}\p{N}])[*_](?=\S)|(?<=\S)[*_](?![\p{L}\p{N}])|`/gu, "")
    .replace(/^ {0,3}(?:#{1,6}|>|[-+*]|\d+[.)]) +/gm, "")
}

type Letters = { readonly seen: string; readonly folded: string }

const known = new WeakMap<Spoken["parts"], readonly Letters[]>()

function wordsIn(parts: Spoken["parts"]): readonly Letters[] {
  const before = known.get(parts)
  if (before !== undefined) return before
  const words = parts.map((part) => {
    const { seen, folded } = wordsOf(part)
    return { seen: lettersOf(seen).text, folded: lettersOf(folded).text }
  })
  known.set(parts, words)
  return words
}

function countIn(text: string, wanted: string): number {
  let count = 0
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) count += 1
  return count
}

/** `at`: the original index of each character; omitted when identical. */
function lettersOf(text: string): { readonly text: string; readonly at?: readonly number[] } {
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
