/**
 * Splits a text into pieces that can be parsed independently. Pure.
 *
 * While a reply streams only its last piece changes, so only that one is parsed again (TAB-7). A code block is its own
 * piece and is never parsed. A text is split where markdown certainly begins a new block: at a fence, and before a plain
 * paragraph or a heading that follows an empty line. Splits depend only on the text before them, so a growing text keeps
 * its pieces. A text with definitions is not split, because they may be used anywhere in it.
 */
export type Piece =
  | { readonly kind: "prose"; readonly text: string }
  | { readonly kind: "code"; readonly language: string; readonly text: string }

/** Shorter texts are not split. */
const LEAST_CHARS = 600
/** A longer text is split even if it has definitions: as one piece it would not be parsed at all (SEC-35). */
const MAX_WHOLE_CHARS = 65_536

const DEFINITION = /^ {0,3}\[[^\]\n]+\]:/m
const FENCE = /^(`{3,}(?!`)|~{3,}(?!~))([^\n]*)$/
/** Begins a new block after an empty line: not indented, and not a list, quote, table or tag. */
const FRESH = /^(?:#{1,6} |[\p{L}\p{Lo}"'(“„«¿¡])/u
const NUMBERED = /^\d/

export function piecesOf(text: string): readonly Piece[] {
  if (text.length <= MAX_WHOLE_CHARS && DEFINITION.test(text)) return [{ kind: "prose", text }]
  const pieces: Piece[] = []
  const take = (prose: string) => {
    if (prose.trim() !== "") pieces.push({ kind: "prose", text: prose })
  }
  let from = 0
  let inFormula = false
  let afterEmpty = true
  for (let at = 0; at < text.length; ) {
    const end = endOfLine(text, at)
    const line = text.slice(at, end)
    const fence = inFormula ? null : openingFence(line)
    if (fence !== null) {
      const code = codeFrom(text, end + 1, fence.marks)
      // Formulas can also be written as code blocks, and are typeset.
      if (fence.language !== "math") {
        take(text.slice(from, at))
        pieces.push({ kind: "code", language: fence.language, text: code.text })
        from = code.next
      }
      at = code.next
      afterEmpty = true
      continue
    }
    if (line.startsWith("$$") && line.indexOf("$$", 2) === -1) inFormula = !inFormula
    else if (!inFormula && afterEmpty && at - from >= LEAST_CHARS && FRESH.test(line) && !NUMBERED.test(line)) {
      take(text.slice(from, at))
      from = at
    }
    afterEmpty = line.trim() === ""
    at = end + 1
  }
  take(text.slice(from))
  return pieces
}

type Fence = { readonly marks: string; readonly language: string }

function openingFence(line: string): Fence | null {
  const found = FENCE.exec(line)
  const [marks = "", info = ""] = found?.slice(1) ?? []
  // Backticks in the rest of the line make it inline code.
  if (found === null || (marks.startsWith("`") && info.includes("`"))) return null
  return { marks, language: info.trim().split(/\s/, 1)[0] || "text" }
}

/** Up to the closing line, or to the end of the text while it streams. */
function codeFrom(text: string, start: number, marks: string): { readonly text: string; readonly next: number } {
  for (let at = start; at < text.length; ) {
    const end = endOfLine(text, at)
    if (closes(text.slice(at, Math.min(end, at + MAX_MARKS)), marks))
      return { text: text.slice(start, Math.max(start, at - 1)), next: end + 1 }
    at = end + 1
  }
  return { text: text.slice(start).replace(/\n$/, ""), next: text.length }
}

const MAX_MARKS = 200

function closes(line: string, marks: string): boolean {
  const bare = line.replace(/^ {0,3}/, "").trimEnd()
  return bare.length >= marks.length && bare === marks.charAt(0).repeat(bare.length)
}

function endOfLine(text: string, at: number): number {
  const found = text.indexOf("\n", at)
  return found === -1 ? text.length : found
}

/** Letters, digits and punctuation, without any character that has a meaning in markdown. */
const PLAIN = /^[\p{L}\p{N}\p{M} .,;:?'"()%/–—…“”„‘’‚\-+=\n]*$/u
const LIST_OR_LINE = /^(?:[ \t]|[-+=] |[-+=]*$|[-=]{2,}|\d+[.)])/m
const ADDRESS = /:\/\/|www\.|mailto:/i

/** Its paragraphs, if it has only plain paragraphs, as most messages of people do. These need no parser. */
export function plainParagraphs(text: string): readonly string[] | undefined {
  if (!PLAIN.test(text) || ADDRESS.test(text)) return undefined
  const paragraphs = text.split(/\n{2,}/).map((paragraph) => paragraph.replace(/^\n+/, "").trimEnd())
  const kept = paragraphs.filter((paragraph) => paragraph !== "")
  return kept.some((paragraph) => LIST_OR_LINE.test(paragraph) || / {2}\n/.test(paragraph)) ? undefined : kept
}
