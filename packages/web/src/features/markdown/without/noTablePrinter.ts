/** Replaces `markdown-table`, with which tables are written: the page only reads markdown. */
export function markdownTable(): never {
  throw new Error("The page does not write markdown.")
}
