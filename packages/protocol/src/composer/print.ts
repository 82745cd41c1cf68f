/**
 * Prints text and chips, as the composer shows them, into the source and nodes that are sent (CMP-5).
 *
 * Printing round-trips: if its commands and agents are known,
 * `parseComposer(printed.source)` finds every chip at the position of its printed node, whatever text surrounds it.
 */
import { type ComposerInput, type ComposerNode, type LineRange, lineRange } from "./node.ts"
import { CLOSING, encodeReference, percent } from "./words.ts"

/** A node; its position is ignored. Text and unknown kinds print their `raw`. */
export type Chip =
  | { readonly kind: "slash_command" | "mention" | "symbol" | "branch"; readonly name: string }
  | { readonly kind: "file"; readonly path: string; readonly lines?: LineRange }
  | { readonly kind: "attachment"; readonly hash: string }
  | { readonly kind: string; readonly raw: string }

/** Adds a space where a reference would otherwise run into its neighbor. */
export function printComposer(chips: readonly Chip[]): ComposerInput {
  const nodes: ComposerNode[] = []
  let source = ""
  let isBehindReference = false
  for (const chip of withJoinedText(chips)) {
    const reference = referenceWord(chip)
    const word = reference ?? ("raw" in chip ? chip.raw : "")
    const runsInto = reference === undefined ? isBehindReference && !CLOSING.test(word) : /\S$/u.test(source)
    if (runsInto) source += " "
    if (chip.kind !== "text")
      nodes.push({ ...chip, start: source.length, end: source.length + word.length, raw: word } as ComposerNode)
    source += word
    isBehindReference = reference !== undefined
  }
  return nodes.length === 0 ? { source } : { source, nodes }
}

/** Joins adjacent texts, so that all of what follows a reference is considered. */
function withJoinedText(chips: readonly Chip[]): readonly Chip[] {
  const result: Chip[] = []
  for (const chip of chips) {
    const last = result.at(-1)
    if (chip.kind !== "text" || !("raw" in chip)) result.push(chip)
    else if (last?.kind === "text" && "raw" in last)
      result[result.length - 1] = { kind: "text", raw: last.raw + chip.raw }
    else if (chip.raw !== "") result.push(chip)
  }
  return result
}

/** How a reference is typed; undefined for text. */
function referenceWord(chip: Chip): string | undefined {
  const { kind } = chip
  if (kind === "slash_command" && "name" in chip) return `/${chip.name}`
  if (kind === "mention" && "name" in chip) return `@${chip.name}`
  if (kind === "branch" && "name" in chip) return `@branch:${encodeReference(chip.name)}`
  if (kind === "symbol" && "name" in chip) return `#${symbolWord(chip.name)}`
  if (kind === "attachment" && "hash" in chip) return `@attachment:${chip.hash}`
  if (kind === "file" && "path" in chip) return fileWord(chip.path, lineRange(chip))
  return undefined
}

function symbolWord(name: string): string {
  const [first = ""] = name
  return encodeReference(name).replace(/^[^\p{L}_$%]/u, () => percent(first))
}

function fileWord(path: string, lines: LineRange | undefined): string {
  const word = encodeReference(path, /[%:\s\p{Cc}]/gu)
  const range = lines === undefined ? "" : lines.from === lines.to ? `:${lines.from}` : `:${lines.from}-${lines.to}`
  return /[./]/.test(word) ? `@${word}${range}` : `@file:${word}${range}`
}
