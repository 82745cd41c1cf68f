/** Readable names of branches, derived from message text. Pure (BRA-6). */
const LENGTH = 40
/** Much shorter than a message may be: only its beginning is used. */
const LOOK_AT = 400

export function nameFrom(text: string, otherwise: string): string {
  const words = text.slice(0, LOOK_AT).toWellFormed().normalize("NFC").toLowerCase().match(WORD) ?? []
  let name = ""
  for (const word of words) {
    const longer = name === "" ? word : `${name}-${word}`
    if (length(longer) > LENGTH) break
    name = longer
  }
  return name || [...(words[0] ?? "")].slice(0, LENGTH).join("") || otherwise
}

/** The name itself, then with numbers. */
export function numbered(name: string, count: number): string {
  return count === 1 ? name : `${name}-${count}`
}

const WORD = /[\p{L}\p{N}\p{M}]+/gu

function length(text: string): number {
  return [...text].length
}
