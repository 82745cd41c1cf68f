/**
 * A beginning of markdown as plain words, for a line of a list: marks of emphasis, code, headings, quotes, lists and links
 * go, what they stand around stays. Of an unknown mark nothing is lost. Pure.
 */
export function plainWords(text: string): string {
  return text
    .replace(/!?\[([^\]\n]*)\]\([^)\s]*\)/g, "$1")
    .replace(/^[ \t]*(?:#{1,6}|>|[-*+])[ \t]+/gm, "")
    .replace(/(\*\*|__|~~|`{1,3})(?=\S)([^\n]*?\S)\1/g, "$2")
    .replace(/(^|[\s(])([*_])(?=\S)([^*_\n]*\S)\2(?=$|[\s.,;:!?)])/g, "$1$3")
    .replace(/(^|\s)(?:\*\*|__|`{1,3})(?=\S)/g, "$1")
    .replace(/\s+/g, " ")
    .trim()
}
