/** What references look like inside a word: shared by the parser and the printer, so that they cannot disagree. */

/** May stand before a reference, as in `(@critic)`. */
export const OPENERS = /^[([{"'«“‘]+/
/** Behind a reference they belong to the sentence, as in `@critic, look`. */
export const CLOSERS = /(?<![)\]}"'»”’.,;:!?…])[)\]}"'»”’.,;:!?…]+$/
/** What may follow a reference without a space: the end of a sentence or a bracket. */
export const CLOSING = /^[)\]}"'»”’.,;:!?…]*(?:\s|$)/

const HEX = /(?:%[0-9a-f]{2})+/gi

/** White space, which ends a word, and what would be read as something else is written as `%` and two hex digits. */
export function encodeReference(text: string, special: RegExp = /[%\s\p{Cc}]/gu): string {
  return text.replace(special, percent).replace(CLOSERS, (closers) => [...closers].map(percent).join(""))
}

/** What is no proper `%` sequence stands for itself: a path may have a per cent sign in it. */
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
