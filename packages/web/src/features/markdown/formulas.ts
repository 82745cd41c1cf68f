/**
 * Formulas in a text: `$x$`, `$$x$$`, `\(x\)` and `\[x\]`. Pure.
 *
 * A dollar sign also means money and shell variables, so a single one opens a formula only before a non-space, and
 * closes it only after a non-space and not before a letter or digit. Other dollar signs are escaped, so that the parser
 * agrees. Code is left alone.
 */
export type Formulas = {
  /** In the syntax of the math parser: inline in `$`, blocks in `$$`. */
  readonly text: string
  readonly has: boolean
}

/** A longer formula is shown as source: typesetting it would take too long. */
export const MAX_FORMULA_CHARS = 2_000

const MAY_HAVE = /\$|\\\(|\\\[/

export function formulasIn(text: string): Formulas {
  if (!MAY_HAVE.test(text)) return { text, has: false }
  let out = ""
  let has = false
  for (let at = 0; at < text.length; ) {
    const skipped = codeEnd(text, at)
    const found = skipped === undefined ? formulaAt(text, at) : undefined
    if (skipped !== undefined) {
      out += text.slice(at, skipped)
      at = skipped
    } else if (found !== undefined) {
      has = true
      out += written(text, at, found)
      at = found.end
    } else if (text[at] === "\\") {
      out += text.slice(at, at + 2)
      at += 2
    } else {
      out += text[at] === "$" ? "\\$" : text[at]
      at += 1
    }
  }
  return has ? { text: out, has } : { text, has: false }
}

type Found = { readonly tex: string; readonly end: number; readonly display: boolean }

function formulaAt(text: string, at: number): Found | undefined {
  const found = text[at] === "$" ? dollars(text, at) : text[at] === "\\" ? brackets(text, at) : undefined
  if (found === undefined || found.tex.trim() === "" || found.tex.length > MAX_FORMULA_CHARS) return undefined
  return /\n[ \t]*\n/.test(found.tex) ? undefined : found
}

function dollars(text: string, at: number): Found | undefined {
  if (text.startsWith("$$", at)) {
    const close = text.indexOf("$$", at + 2)
    return close === -1 ? undefined : { tex: text.slice(at + 2, close), end: close + 2, display: true }
  }
  if (isSpace(text[at + 1]) || isWord(text[at - 1])) return undefined
  const most = Math.min(text.length, at + 1 + MAX_FORMULA_CHARS)
  for (let close = at + 1; close < most; close++) {
    if (text[close] === "\\") close += 1
    else if (text[close] === "`" || (text[close] === "\n" && text[close + 1] === "\n")) return undefined
    else if (text[close] === "$") {
      if (isSpace(text[close - 1]) || isWord(text[close + 1])) return undefined
      return { tex: text.slice(at + 1, close), end: close + 1, display: false }
    }
  }
  return undefined
}

/** A bracket may be escaped for other reasons: it is a formula only if the content looks like one. */
function brackets(text: string, at: number): Found | undefined {
  const open = text[at + 1]
  if (open !== "(" && open !== "[") return undefined
  const close = text.indexOf(open === "(" ? "\\)" : "\\]", at + 2)
  if (close === -1) return undefined
  const tex = text.slice(at + 2, close)
  return /[\\^_={}]/.test(tex) ? { tex, end: close + 2, display: open === "[" } : undefined
}

/** A formula on its own lines becomes a block; any other stays inline. */
function written(text: string, at: number, { tex, end, display }: Found): string {
  const lineStart = text.lastIndexOf("\n", at - 1) + 1
  const lead = text.slice(lineStart, at)
  const lineEnd = text.indexOf("\n", end) === -1 ? text.length : text.indexOf("\n", end)
  const isAlone = display && lead.trim() === "" && text.slice(end, lineEnd).trim() === ""
  if (!isAlone) return `$${tex.replace(/(?<!\s)\s*\n\s*/g, " ").trim()}$`
  const lines = tex.trim().split("\n")
  return ["$$", ...lines.map((line) => lead + line.trim()), `${lead}$$`].join("\n")
}

/** Where the code starting here ends; undefined if none starts. */
function codeEnd(text: string, at: number): number | undefined {
  const isLineStart = at === 0 || text[at - 1] === "\n"
  if (isLineStart) {
    const fence = /^[ \t]*(?:[-*+>][ \t]+)*(`{3,}|~{3,})/.exec(text.slice(at, at + 40))?.[1]
    if (fence !== undefined) {
      const close = text.indexOf(`\n`, at)
      const closing = close === -1 ? -1 : text.indexOf(fence, close)
      return closing === -1 ? text.length : closing + fence.length
    }
    const end = indentedEnd(text, at)
    if (end !== undefined) return end
  }
  if (text[at] !== "`") return undefined
  const marks = /^`+/.exec(text.slice(at, at + 20))?.[0] ?? "`"
  for (let close = text.indexOf(marks, at + marks.length); close !== -1; close = text.indexOf(marks, close + 1)) {
    if (text[close - 1] !== "`" && text[close + marks.length] !== "`") return close + marks.length
  }
  return at + marks.length
}

/** Indented code follows an empty line and is indented four more than the block before it, which may be a list. */
function indentedEnd(text: string, at: number): number | undefined {
  const own = indentOf(text, at)
  if (own < CODE_INDENT || own === EMPTY) return undefined
  let last = at - 1
  while (last >= 0 && isSpace(text[last])) last -= 1
  if (last >= 0 && text.indexOf("\n", last) === at - 1) return undefined
  const before = text.slice(text.lastIndexOf("\n", last) + 1, last + 1)
  const least = widthOf(LEAD.exec(before)?.[0] ?? "") + CODE_INDENT
  let end = at
  while (end < text.length && indentOf(text, end) >= least) end = lineEndFrom(text, end)
  return end === at ? undefined : end
}

const CODE_INDENT = 4
/** The indent of an empty line, which belongs to the surrounding block. */
const EMPTY = Number.POSITIVE_INFINITY
/** The prefix of a line: whitespace and list markers. */
const LEAD = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*/

/** The indentation of a line. */
function indentOf(text: string, at: number): number {
  let first = at
  while (text[first] === " " || text[first] === "\t") first += 1
  return text[first] === "\n" || first === text.length ? EMPTY : widthOf(text.slice(at, first))
}

function widthOf(lead: string): number {
  return lead.replaceAll("\t", "    ").length
}

function lineEndFrom(text: string, at: number): number {
  const found = text.indexOf("\n", at)
  return found === -1 ? text.length : found + 1
}

function isSpace(char: string | undefined): boolean {
  return char === undefined || /\s/.test(char)
}

function isWord(char: string | undefined): boolean {
  return char !== undefined && /[\p{L}\p{N}]/u.test(char)
}
