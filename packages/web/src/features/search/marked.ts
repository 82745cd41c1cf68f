/** Splits a snippet into plain text and matched words, without Markdown syntax. Pure. */
import { plainSnippet, type SearchHitView } from "@parlor/protocol"

export type Piece = { readonly text: string; readonly isFound: boolean; readonly at: number }

export function piecesOf(snippet: SearchHitView["snippet"]): readonly Piece[] {
  const { text, marks } = plainSnippet(snippet)
  const pieces: Piece[] = []
  let at = 0
  for (const [start, end] of marks) {
    if (start > at) pieces.push({ text: text.slice(at, start), isFound: false, at })
    pieces.push({ text: text.slice(start, end), isFound: true, at: start })
    at = end
  }
  if (at < text.length) pieces.push({ text: text.slice(at), isFound: false, at })
  return pieces
}
