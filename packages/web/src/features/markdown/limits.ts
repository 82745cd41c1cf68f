/**
 * How much formatting the page renders (SEC-35). Pure, and linear in the length of the text.
 *
 * The markdown parser needs quadratic time for some texts, and a stack as deep as their nesting. So each part of a
 * message is measured before it is parsed, and a part beyond a limit is shown as plain text. The measure may only
 * overestimate: unless a paragraph certainly ends, it is assumed to continue.
 */
import type { Piece } from "./pieces.ts"

/** Nesting depth of quotes and lists. */
export const MAX_DEPTH = 12
/** Formatting characters in one paragraph: the parser compares each with those before it. */
export const MAX_PARAGRAPH_MARKS = 500
/** Opening marks whose counterpart is searched, times the characters that may have to be scanned. */
const MAX_PARAGRAPH_SCAN = 500_000
/** Marks, lines and cells of tables in one message. */
export const MAX_MESSAGE_MARKS = 8_000
/** Characters of one message that are parsed. Code and plain paragraphs are not parsed and do not count. */
export const MAX_MESSAGE_CHARS = 65_536

const FORMULA_MARKS = 4
const DEPTH_MARKS = 2
const COLUMNS_PER_LEVEL = 2
const TAB_COLUMNS = 4

/** For each piece, whether it is rendered as markdown. Once a message is over a limit, no later piece is. */
export function formatted(pieces: readonly Piece[], isPlain: (text: string) => boolean): readonly boolean[] {
  let chars = 0
  let marks = 0
  return pieces.map((piece) => {
    if (piece.kind === "code") return true
    if (chars + piece.text.length > MAX_MESSAGE_CHARS || marks > MAX_MESSAGE_MARKS) return isPlain(piece.text)
    if (isPlain(piece.text)) return true
    const cost = marksIn(piece.text)
    if (cost === undefined) return false
    chars += piece.text.length
    marks += cost
    return marks <= MAX_MESSAGE_MARKS
  })
}

/** The marks of a text, or undefined when one of its paragraphs or its depth is over a limit. */
export function marksIn(text: string): number | undefined {
  let marks = 0
  let paragraph = EMPTY
  for (let at = 0; at < text.length; ) {
    const found = text.indexOf("\n", at)
    const end = found === -1 ? text.length : found
    const line = text.slice(at, end)
    at = end + 1
    if (line.trim() === "") {
      paragraph = EMPTY
      continue
    }
    const depth = depthOf(line)
    if (depth > MAX_DEPTH) return undefined
    paragraph = extended(paragraph, line, depth)
    if (paragraph.marks > MAX_PARAGRAPH_MARKS || paragraph.scans * paragraph.chars > MAX_PARAGRAPH_SCAN)
      return undefined
    marks += 1 + DEPTH_MARKS * paragraph.depth + paragraph.lineMarks
    if (marks > MAX_MESSAGE_MARKS) return marks
  }
  return marks
}

type Paragraph = {
  readonly lines: number
  readonly chars: number
  readonly marks: number
  readonly scans: number
  readonly depth: number
  /** The marks of its last line. */
  readonly lineMarks: number
  /** Cells that each line may have, because a delimiter row above may have started a table. */
  readonly width: number
  /** Cells of the first line, if a delimiter row after it would certainly make it a table. */
  readonly head: number
  /** It is certainly a table so far. */
  readonly isTable: boolean
}

const EMPTY: Paragraph = {
  lines: 0,
  chars: 0,
  marks: 0,
  scans: 0,
  depth: 0,
  lineMarks: 0,
  width: 0,
  head: 0,
  isTable: false,
}

const ROW = /^ {0,3}\|/
const DASHES = /^[\s|:-]+$/
/** The same inside quotes and lists. */
const MAYBE_DASHES = /^[\s\d|:>*+.)-]+$/
/** Certainly ends the paragraph above it: a bullet or a heading, not indented enough to be anything else. */
const FRESH = /^ {0,3}(?:[-+*][ \t]+\S|#{1,6}[ \t])/

function extended(before: Paragraph, line: string, depth: number): Paragraph {
  const { marks, scans, pipes } = countsOf(line)
  const isRow = ROW.test(line)
  const mayDivide = pipes > 0 && line.includes("-") && MAYBE_DASHES.test(line)
  const width = Math.max(before.width, mayDivide ? pipes + 1 : 0)
  const divides = before.lines === 1 && isRow && DASHES.test(line) && cellsOf(line) === before.head
  // Each cell is parsed separately. A line that is not a row may begin a paragraph that later row-like lines continue.
  const isTable = isRow && (before.isTable || divides)
  const from = isTable || FRESH.test(line) ? EMPTY : before
  return {
    lines: before.lines + 1,
    chars: from.chars + line.length + 1,
    marks: from.marks + marks,
    scans: from.scans + scans,
    depth: Math.max(before.depth, depth),
    lineMarks: marks + Math.max(width, pipes),
    width,
    head: before.lines === 0 && isRow && !line.includes("\\") ? cellsOf(line) : 0,
    isTable,
  }
}

function cellsOf(line: string): number {
  return line.trim().replace(/^\|/, "").replace(/\|$/, "").split("|").length
}

type Counts = { readonly marks: number; readonly scans: number; readonly pipes: number }

function countsOf(line: string): Counts {
  let marks = 0
  let scans = 0
  let pipes = 0
  for (let at = 0; at < line.length; at++) {
    const char = line.charAt(at)
    switch (char) {
      case "|":
        pipes += 1
        break
      case "`":
      case "<":
        if (char === "<" || line.charAt(at - 1) !== "`") {
          marks += 1
          scans += 1
        }
        break
      case "*":
      case "_":
      case "~":
        if (line.charAt(at - 1) !== char) marks += 1
        break
      case "$":
        marks += FORMULA_MARKS
        break
      case "[":
      case "]":
      case "\\":
      case "&":
        marks += 1
        break
    }
  }
  return { marks, scans, pipes }
}

/** How deeply a line is nested in quotes and lists, from its prefix. Two columns count as one level. */
function depthOf(line: string): number {
  let markers = 0
  let columns = 0
  for (let at = 0; at < line.length && markers <= MAX_DEPTH; ) {
    const length = line.charAt(at) === " " || line.charAt(at) === "\t" ? 0 : markerLength(line, at)
    if (length === 0 && !isGap(line.charAt(at))) break
    markers += length === 0 ? 0 : 1
    columns += length > 0 ? 0 : line.charAt(at) === "\t" ? TAB_COLUMNS : 1
    at += Math.max(1, length)
  }
  return markers === 0 ? 0 : markers + Math.floor(Math.max(0, columns - markers) / COLUMNS_PER_LEVEL)
}

const MAX_DIGITS = 9

/** The length of `>`, `-` or `12.` at a position in a line, or 0. */
function markerLength(line: string, at: number): number {
  const char = line.charAt(at)
  if (char === ">") return 1
  if ((char === "-" || char === "+" || char === "*") && isGap(line.charAt(at + 1))) return 1
  let end = at
  while (end - at < MAX_DIGITS && line.charAt(end) >= "0" && line.charAt(end) <= "9") end += 1
  const isNumber = end > at && (line.charAt(end) === "." || line.charAt(end) === ")") && isGap(line.charAt(end + 1))
  return isNumber ? end - at + 1 : 0
}

function isGap(char: string): boolean {
  return char === " " || char === "\t" || char === ""
}
