/**
 * Splits code into colored tokens. Pure, and one pass: it knows comments, strings, numbers, keywords and calls, which is
 * most of what colors tell a reader, for the common languages at once. A separate chunk: see useTokens.ts.
 */
export type TokenKind = "comment" | "string" | "number" | "keyword" | "call" | "tag"
export type Token = { readonly kind: TokenKind | undefined; readonly text: string }

/** Longer code is shown without colors. */
const MAX_CHARS = 20_000

type Family = "c" | "hash" | "sql" | "markup" | "json" | "lua"

const families: Readonly<Record<string, Family>> = {
  bash: "hash",
  dockerfile: "hash",
  ini: "hash",
  make: "hash",
  makefile: "hash",
  perl: "hash",
  py: "hash",
  python: "hash",
  r: "hash",
  rb: "hash",
  ruby: "hash",
  sh: "hash",
  shell: "hash",
  toml: "hash",
  yaml: "hash",
  yml: "hash",
  zsh: "hash",
  sql: "sql",
  html: "markup",
  svg: "markup",
  vue: "markup",
  xml: "markup",
  json: "json",
  jsonc: "json",
  jsonl: "json",
  lua: "lua",
  haskell: "lua",
  hs: "lua",
}
const plain: ReadonlySet<string> = new Set(["", "text", "txt", "plain", "plaintext", "console", "output", "diff", "md"])

const STRINGS = `"(?:[^"\\\\\\n]|\\\\.)*"?|'(?:[^'\\\\\\n]|\\\\.)*'?`
const NUMBER = "\\b\\d[\\w.]*"
const WORD = "[A-Za-z_$][\\w$]*"

const comments: Readonly<Record<Family, string>> = {
  c: "//[^\\n]*|/\\*[^*]*(?:\\*(?!/)[^*]*)*(?:\\*/)?",
  json: "//[^\\n]*",
  hash: "#[^\\n]*",
  sql: "--[^\\n]*",
  lua: "--[^\\n]*",
  markup: "<!--[^-]*(?:-(?!->)[^-]*)*(?:-->)?",
}

const keywords: ReadonlySet<string> = new Set(
  `abstract and as async await begin bool boolean break case catch char class const continue def default defer del do done
double elif else elsif end enum esac except export extends extern false fi final finally float fn for from func function
global go goto if impl implements import in instanceof int interface is lambda let local long loop match mod module mut
namespace new nil none not null of or override package pass private protected pub public raise readonly ref return self
short signed sizeof static string struct super switch template then this throw throws trait true try type typedef typeof
undefined union unsigned until use using val var virtual void volatile when where while with yield
None True False Self select insert update delete create alter drop table index view into values set join left right inner
outer on group by order having limit offset distinct primary key foreign references constraint exists between like`.split(
    /\s+/,
  ),
)

/** Undefined where no colors help. */
export function tokensOf(language: string, code: string): readonly Token[] | undefined {
  const name = language.toLowerCase()
  if (plain.has(name) || code.length > MAX_CHARS) return undefined
  const family = families[name] ?? "c"
  const tokens: Token[] = []
  let at = 0
  for (const match of code.matchAll(patterns[family])) {
    if (match.index > at) tokens.push({ kind: undefined, text: code.slice(at, match.index) })
    at = match.index + match[0].length
    tokens.push({ kind: kindOf(match, code[at], family), text: match[0] })
  }
  if (at < code.length) tokens.push({ kind: undefined, text: code.slice(at) })
  return tokens
}

const TEMPLATE = "|`[^`]*`?"
const TAG = "|(?<tag></?[A-Za-z][\\w:-]*|/?>)"
const REST = `|(?<number>${NUMBER})|(?<word>${WORD})`

const patterns: Readonly<Record<Family, RegExp>> = {
  c: new RegExp(`(?<comment>${comments.c})|(?<string>${STRINGS}${TEMPLATE})${REST}`, "g"),
  hash: new RegExp(`(?<comment>${comments.hash})|(?<string>${STRINGS})${REST}`, "g"),
  json: new RegExp(`(?<comment>${comments.json})|(?<string>${STRINGS})${REST}`, "g"),
  lua: new RegExp(`(?<comment>${comments.lua})|(?<string>${STRINGS})${REST}`, "g"),
  markup: new RegExp(`(?<comment>${comments.markup})|(?<string>${STRINGS})${TAG}${REST}`, "g"),
  sql: new RegExp(`(?<comment>${comments.sql})|(?<string>${STRINGS})${REST}`, "g"),
}

function kindOf({ groups = {}, 0: text }: RegExpMatchArray, next: string | undefined, family: Family): Token["kind"] {
  if (groups.comment !== undefined) return "comment"
  if (groups.string !== undefined) return family === "json" && next === ":" ? "tag" : "string"
  if (groups.tag !== undefined) return "tag"
  if (groups.number !== undefined) return "number"
  if (family === "markup") return undefined
  if (keywords.has(family === "sql" ? text.toLowerCase() : text)) return "keyword"
  return next === "(" ? "call" : undefined
}
