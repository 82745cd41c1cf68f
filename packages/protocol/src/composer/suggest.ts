/** Suggestions while typing: when they open, and which match. Pure. */

/** The word at the caret, when it may become a chip. */
export type TypedSign = {
  readonly sign: "/" | "@"
  readonly query: string
  /** From the sign to the caret, in code units. */
  readonly length: number
}

/** The placeholder for a chip in the text before the caret. */
export const OBJECT = "\uFFFC"

const LONGEST_QUERY = 120

const COMMAND = /(?:^|[\s\uFFFC])(\/([\p{L}\p{N}._:-]*))$/u
const REFERENCE = /(?:^|[\s\uFFFC([{"'«“‘])(@([^\s\uFFFC@]*))$/u

/**
 * `before`: the line up to the caret, with `OBJECT` for each chip. Only the start of a word is a trigger: `and/or`,
 * `me@home` and `/usr/bin` are text.
 */
export function triggerIn(before: string): TypedSign | undefined {
  for (const [sign, pattern] of [
    ["/", COMMAND],
    ["@", REFERENCE],
  ] as const) {
    const [, word = "", query = ""] = pattern.exec(before) ?? []
    if (word !== "" && query.length <= LONGEST_QUERY) return { sign, query, length: word.length }
  }
  return undefined
}

/** The best matches first, at most `most`. */
export function bestMatches<T>(
  query: string,
  all: readonly T[],
  nameOf: (one: T) => string,
  most: number,
): readonly T[] {
  const wanted = query.toLocaleLowerCase()
  return all
    .flatMap((one) => {
      const rank = rankOf(wanted, nameOf(one).toLocaleLowerCase())
      return rank === undefined ? [] : [{ one, rank, name: nameOf(one) }]
    })
    .sort((a, b) => a.rank - b.rank || a.name.localeCompare(b.name))
    .slice(0, most)
    .map(({ one }) => one)
}

/** Ranks a prefix of the name first, then of its last path segment, then of any word, then any substring. */
function rankOf(wanted: string, name: string): number | undefined {
  if (wanted === "") return 0
  if (name.startsWith(wanted)) return 0
  if (name.slice(name.lastIndexOf("/") + 1).startsWith(wanted)) return 1
  const at = name.indexOf(wanted)
  if (at < 0) return undefined
  return /[\p{L}\p{N}]/u.test(name[at - 1] ?? "") ? 3 : 2
}
