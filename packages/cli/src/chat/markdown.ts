/**
 * Markdown as styled lines of a terminal, line by line, as it streams in. Pure but for the code fence that is open.
 *
 * Takes text that is safe for a terminal (`plain`): every escape sequence in the result is one of ours. Only lines of
 * messages are rendered; they are indented, and all other lines are notes and names.
 */
import { styleText } from "node:util"
import { INDENT } from "../transcript.ts"

type Style = Parameters<typeof styleText>[0]

const FENCE = /^ {0,3}(?:```|~~~)/
const NOTE = `${INDENT}· `

export class Markdown {
  #isCode = false

  /** A complete line. */
  line(line: string): string {
    const rendered = this.peek(line)
    if (!line.startsWith(INDENT)) this.#isCode = line === "" && this.#isCode
    else if (FENCE.test(line.slice(INDENT.length))) this.#isCode = !this.#isCode
    return rendered
  }

  /** A line that may still grow. */
  peek(line: string): string {
    if (!line.startsWith(INDENT) || line.startsWith(NOTE)) return line
    const text = line.slice(INDENT.length)
    if (FENCE.test(text)) return INDENT + styled("dim", text)
    return INDENT + (this.#isCode ? styled("cyan", text) : block(text))
  }
}

function block(text: string): string {
  const [, hashes, title] = /^(#{1,6}) +(\S.*)$/.exec(text) ?? []
  if (hashes !== undefined && title !== undefined) return styled("bold", plainInline(title))
  if (/^ {0,3}([-*_])(?: *\1){2,} *$/.test(text)) return styled("dim", "─".repeat(RULE_COLUMNS))
  const [, before, quoted] = /^( *)> ?(.*)$/.exec(text) ?? []
  if (before !== undefined && quoted !== undefined) return `${before}${styled("dim", "│")} ${inline(quoted)}`
  const [, space, item] = /^( *)[-*+] +(\S.*)$/.exec(text) ?? []
  if (space !== undefined && item !== undefined) return `${space}• ${inline(item)}`
  return inline(text)
}

const RULE_COLUMNS = 20

const LONGEST_LINE = 4_000
const ESCAPABLE = "\\`*_~[]()#+.!>-"
/** Longer marks first. */
const SPANS = [
  { mark: "`", style: "cyan" },
  { mark: "**", style: "bold" },
  { mark: "*", style: "italic" },
  { mark: "_", style: "italic" },
  { mark: "~~", style: "strikethrough" },
] as const

type Paint = (style: Style, text: string) => string

/** Emphasis, code and links. Spans do not nest. */
function inline(text: string, paint: Paint = styled): string {
  if (text.length > LONGEST_LINE) return text
  let shown = ""
  for (let at = 0; at < text.length; ) {
    const found = spanAt(text, at, paint)
    shown += found?.shown ?? text[at]
    at = found?.end ?? at + 1
  }
  return shown
}

/** Without styles of its own, inside of a style. */
function plainInline(text: string): string {
  return inline(text, (_, part) => part)
}

type Span = { readonly shown: string; readonly end: number }

function spanAt(text: string, at: number, paint: Paint): Span | undefined {
  const next = text[at + 1] ?? ""
  if (text[at] === "\\") return next !== "" && ESCAPABLE.includes(next) ? { shown: next, end: at + 2 } : undefined
  if (text[at] === "[") return linkAt(text, at, paint)
  const span = SPANS.find(({ mark }) => text.startsWith(mark, at))
  if (span === undefined) return undefined
  const { mark, style } = span
  const start = at + mark.length
  const close = text.indexOf(mark, start)
  if (close <= start) return undefined
  const inside = text.slice(start, close)
  const end = close + mark.length
  const isInWord = mark === "_" && (isWord(text[at - 1]) || isWord(text[end]))
  if (isInWord || (mark !== "`" && inside.trim() !== inside)) return undefined
  return { shown: paint(style, inside), end }
}

function linkAt(text: string, at: number, paint: Paint): Span | undefined {
  const middle = text.indexOf("](", at)
  const close = middle < 0 ? -1 : text.indexOf(")", middle)
  if (close < 0) return undefined
  const label = text.slice(at + 1, middle)
  const url = text.slice(middle + 2, close)
  if (label === "" || label.includes("[") || url === "" || /\s/.test(url)) return undefined
  const shown = label === url ? paint("underline", url) : `${paint("underline", label)} ${paint("dim", `(${url})`)}`
  return { shown, end: close + 1 }
}

function isWord(char: string | undefined): boolean {
  return char !== undefined && /[\p{L}\p{N}_]/u.test(char)
}

function styled(style: Style, text: string): string {
  return text === "" ? "" : styleText(style, text, { validateStream: false })
}
