/** The syntax of references inside a word, shared by the parser and the printer so that they cannot disagree. */

/** Allowed before a reference, as in `(@critic)`. */
export const OPENERS = /^[([{"'«“‘]+/
/** After a reference these belong to the sentence, as in `@critic, look`. */
export const CLOSERS = /(?<![)\]}"'»”’.,;:!?…])[)\]}"'»”’.,;:!?…]+$/
/** What may follow a reference without a space: the end of a sentence or a bracket. */
export const CLOSING = /^[)\]}"'»”’.,;:!?…]*(?:\s|$)/

const HEX = /(?:%[0-9a-f]{2})+/gi

/** Percent-encodes whitespace, which ends a word, and characters that would be parsed as something else. */
export function encodeReference(text: string, special: RegExp = /[%\s\p{Cc}]/gu): string {
  return text.replace(special, percent).replace(CLOSERS, (closers) => [...closers].map(percent).join(""))
}

/** An invalid `%` sequence stands for itself: a path may contain a percent sign. */
export function decodeReference(word: string): string {
  return word.replace(HEX, (encoded) => {
    try {
      const decoded = decodeURIComponent(encoded)
      return decoded.includes("\u0000") ? encoded : decoded
    } catch {
      return encoded
    }
  })
}

export function percent(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (!character.isWellFormed()) return character
  return code < 0x80 ? `%${code.toString(16).toUpperCase().padStart(2, "0")}` : encodeURIComponent(character)
}
