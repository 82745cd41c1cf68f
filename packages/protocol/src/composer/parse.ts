/**
 * Parses typed text into references (CMP-5). Used by the page and the command line, never by the server (CMP-6).
 *
 * A word is a run of non-whitespace characters. Each word is parsed by itself and is a reference if it has one of these forms:
 *
 *   /name                    a slash command; letters, digits, `-`, `_`, `.`, `:`. A known one counts anywhere; an
 *                            unknown one only as the first word of a line: the agent sees it (CMP-14),
 *                            and `look in /tmp` stays a sentence. `//name` and `/usr/bin` are text.
 *   @name                    an agent of that name; without a list of agents, any valid agent name
 *   @src/main.ts             a file: the path contains a slash or a dot
 *   @file:Makefile           a file of any other name
 *   @src/main.ts:10-20       lines 10 to 20 of it; `:10` is line 10
 *   @branch:name             a branch
 *   @attachment:<hash>       an attachment that was uploaded before
 *   #name                    a symbol; `#1` is text
 *
 * Opening brackets and quotes before `@` and `#`, and punctuation after any reference, belong to the sentence:
 * `(@critic, @src/a.ts)` has two. Whitespace inside a name or path is percent-encoded, `my%20file.txt`;
 * `%` alone stands for itself. There are no quotes around names: a quote that is never closed would swallow what follows.
 *
 * Only references become nodes; the gaps are plain text. `printComposer` is the inverse.
 */
import { composerNodes } from "./limits.ts"
import { type ComposerInput, type ComposerNode, nodeDefect, type UncheckedNode } from "./node.ts"
import { CLOSERS, decodeReference, OPENERS } from "./words.ts"

export type ParseOptions = {
  /** Names of the known commands. */
  readonly commands?: readonly string[]
  /** Names of the known agents. */
  readonly agents?: readonly string[]
}

/** What a word refers to, without its position. */
type Reference = { readonly kind: string; readonly [more: string]: unknown }

const COMMAND = /^[\p{L}\p{N}][\p{L}\p{N}._:-]{0,63}$/u
const AGENT = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/
const EXPLICIT = /^(file|branch|attachment):(.+)$/su
const LINES = /^(.+):([1-9]\d{0,8})(?:-([1-9]\d{0,8}))?$/su
const SYMBOL = /^(?:[\p{L}_$]|%[0-9a-f]{2})/iu
const NEW_LINE = /[\n\r\u2028\u2029]/

export function parseComposer(source: string, options: ParseOptions = {}): ComposerInput {
  const nodes: ComposerNode[] = []
  let end = 0
  for (const { 0: word, index } of source.matchAll(/\S+/gu)) {
    if (nodes.length === composerNodes) break
    const isFirst = end === 0 || NEW_LINE.test(source.slice(end, index))
    const node = nodeOf(word, index, isFirst, options)
    if (node !== undefined) nodes.push(node)
    end = index + word.length
  }
  return nodes.length === 0 ? { source } : { source, nodes }
}

function nodeOf(word: string, index: number, isFirst: boolean, options: ParseOptions): ComposerNode | undefined {
  const opened = OPENERS.exec(word)?.[0].length ?? 0
  const raw = word.slice(opened).replace(CLOSERS, "")
  const reference = referenceOf(raw, isFirst && opened === 0, options)
  if (reference === undefined || (reference.kind === "slash_command" && opened > 0)) return undefined
  const start = index + opened
  const node: UncheckedNode = { start, end: start + raw.length, raw, ...reference }
  return nodeDefect(node) === undefined ? (node as ComposerNode) : undefined
}

function referenceOf(raw: string, isFirst: boolean, options: ParseOptions): Reference | undefined {
  const body = raw.slice(1)
  switch (raw[0]) {
    case "/": {
      const isCommand = options.commands?.includes(body) || (isFirst && COMMAND.test(body))
      return isCommand ? { kind: "slash_command", name: body } : undefined
    }
    case "@":
      return atReference(body, options.agents)
    case "#":
      return SYMBOL.test(body) ? { kind: "symbol", name: decodeReference(body) } : undefined
    default:
      return undefined
  }
}

function atReference(body: string, agents: readonly string[] | undefined): Reference | undefined {
  if (agents === undefined ? AGENT.test(body) : agents.includes(body)) return { kind: "mention", name: body }
  const [, form, rest = ""] = EXPLICIT.exec(body) ?? []
  if (form === "branch") return { kind: "branch", name: decodeReference(rest) }
  if (form === "attachment") return { kind: "attachment", hash: rest }
  if (form === "file") return fileReference(rest)
  return /[./]/.test(body) ? fileReference(body) : undefined
}

function fileReference(body: string): Reference {
  const [, path, first, last = first] = LINES.exec(body) ?? []
  const from = Number(first)
  const to = Number(last)
  if (path === undefined || to < from) return { kind: "file", path: decodeReference(body) }
  return { kind: "file", path: decodeReference(path), lines: { from, to } }
}
