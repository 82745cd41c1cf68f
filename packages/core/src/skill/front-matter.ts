/**
 * Parses the front matter of a Markdown file: keys and strings between two `---` lines. Pure.
 *
 * Supports the part of YAML that such files use: plain, quoted and block strings, comments; lists and maps are ignored.
 * A colon inside a plain string, which YAML forbids but everyone writes, is accepted.
 */

export class FrontMatterError extends Error {
  /** In the file, from 1. */
  readonly line: number

  constructor(message: string, line: number) {
    super(message)
    this.name = "FrontMatterError"
    this.line = line
  }
}

export type FrontMatter = {
  /** Strings by key; undefined for a key with a list or a map. */
  readonly values: ReadonlyMap<string, string | undefined>
  /** What follows each key on its line, as written. */
  readonly lines: ReadonlyMap<string, string>
  readonly body: string
}

const FENCE = /^---[ \t]*$/
const ENTRY = /^([A-Za-z][\w-]*)[ \t]*:(?:[ \t](.*)|)$/s
const BLOCK = /^([|>])([+-]?)[ \t]*(?:#.*)?$/

export function parseFrontMatter(text: string): FrontMatter {
  const lines = text
    .replace(/^\ufeff/, "")
    .replace(/\r\n?/g, "\n")
    .split("\n")
  if (!FENCE.test(lines[0] ?? "")) throw new FrontMatterError('The file does not start with a line "---"', 1)
  const end = lines.findIndex((line, index) => index > 0 && FENCE.test(line))
  if (end < 0) throw new FrontMatterError('The front matter has no closing line "---"', 1)
  const values = new Map<string, string | undefined>()
  const written = new Map<string, string>()
  let at = 1
  while (at < end) {
    const line = lines[at] ?? ""
    const number = at + 1
    at += 1
    if (isBlank(line) || line.startsWith("#")) continue
    if (line.startsWith("\t")) throw new FrontMatterError("A line is indented with a tab", number)
    const [, key, value = ""] = ENTRY.exec(line) ?? []
    if (key === undefined) throw new FrontMatterError(`"${line.trim()}" is not of the form "key: text"`, number)
    if (values.has(key)) throw new FrontMatterError(`"${key}" appears twice`, number)
    const deeper: string[] = []
    while (at < end && isDeeper(lines[at] ?? "")) deeper.push(lines[at++] ?? "")
    written.set(key, value.trim())
    values.set(key, textAt(value.trim(), deeper, number))
  }
  return {
    values,
    lines: written,
    body: lines
      .slice(end + 1)
      .join("\n")
      .trim(),
  }
}

function textAt(value: string, deeper: readonly string[], line: number): string | undefined {
  const block = BLOCK.exec(value)
  if (block !== null) return blockText(deeper, block[1] === ">", block[2] ?? "")
  if (value.startsWith('"')) return doubleQuoted([value, ...deeper.map((one) => one.trim())].join(" ").trim(), line)
  if (value.startsWith("'")) return singleQuoted([value, ...deeper.map((one) => one.trim())].join(" ").trim(), line)
  if (/^[[{&*!%@`]/.test(value)) return undefined
  const first = withoutComment(value)
  const more = deeper.filter((one) => !isBlank(one)).map((one) => withoutComment(one.trim()))
  if (first === "") return more.length === 0 ? "" : undefined
  return [first, ...more].join(" ").trim()
}

/** Indented lines without the indentation of the first; folded lines are joined up to an empty line. */
function blockText(deeper: readonly string[], folded: boolean, chomp: string): string {
  const first = deeper.find((line) => !isBlank(line)) ?? ""
  const indent = first.length - first.trimStart().length
  const lines = deeper.map((line) => line.slice(Math.min(indent, line.length - line.trimStart().length)).trimEnd())
  const text = folded ? lines.join("\n").replace(/(?<=\S)\n(?=\S)/g, " ") : lines.join("\n")
  const trimmed = text.replace(/(?<!\n)\n+$/, "")
  return chomp === "-" || trimmed === "" ? trimmed : `${trimmed}\n`
}

function doubleQuoted(text: string, line: number): string {
  const [, inner, rest = ""] = /^"((?:[^"\\]|\\.)*)"(.*)$/s.exec(text) ?? []
  if (inner === undefined) throw new FrontMatterError('A string that begins with " does not end with one', line)
  checkRest(rest, line)
  try {
    return JSON.parse(`"${inner.replace(/\t/g, "\\t")}"`) as string
  } catch {
    throw new FrontMatterError(`"${inner}" contains an invalid escape`, line)
  }
}

function singleQuoted(text: string, line: number): string {
  const [, inner, rest = ""] = /^'((?:[^']|'')*)'(.*)$/s.exec(text) ?? []
  if (inner === undefined) throw new FrontMatterError("A string that begins with ' does not end with one", line)
  checkRest(rest, line)
  return inner.replaceAll("''", "'")
}

function checkRest(rest: string, line: number): void {
  if (rest.trim() !== "" && !/^\s+#/.test(rest))
    throw new FrontMatterError(`"${rest.trim()}" is unexpected after the end of a quoted string`, line)
}

function withoutComment(text: string): string {
  if (text.startsWith("#")) return ""
  const at = text.search(/\s#/)
  return at === -1 ? text : text.slice(0, at).trimEnd()
}

/** Belongs to the key above: indented, or a list at the same depth, or empty. */
function isDeeper(line: string): boolean {
  return isBlank(line) || /^ /.test(line) || /^- /.test(line)
}

function isBlank(line: string): boolean {
  return line.trim() === ""
}
