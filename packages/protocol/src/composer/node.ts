/**
 * What a composer's input is made of: the text as it was typed, and a flat list of the pieces of it that mean something
 * (CMP-2, CMP-3). No schemas here, so that a page can use it without loading them.
 */
import { limits } from "../limits.ts"

/** A piece of the source. Unknown fields are kept and passed on. */
export type ComposerNode = {
  readonly kind: string
  readonly start: number
  readonly end: number
  readonly raw: string
  readonly [more: string]: unknown
}
export type ComposerInput = {
  readonly source: string
  readonly nodes?: readonly ComposerNode[] | undefined
  readonly [more: string]: unknown
}
export type NodeKind = "text" | "slash_command" | "file" | "symbol" | "branch" | "mention" | "attachment"

/** The field that says what a node refers to; none for text and unknown kinds. */
const references: ReadonlyMap<string, "name" | "path" | "hash"> = new Map([
  ["slash_command", "name"],
  ["symbol", "name"],
  ["branch", "name"],
  ["mention", "name"],
  ["file", "path"],
  ["attachment", "hash"],
] as const)

const HASH = /^[0-9a-f]{64}$/

export type NamedNode<Kind extends NodeKind> = ComposerNode & { readonly kind: Kind; readonly name: string }
export type FileNode = ComposerNode & { readonly kind: "file"; readonly path: string }
export type AttachmentNode = ComposerNode & { readonly kind: "attachment"; readonly hash: string }
export type LineRange = { readonly from: number; readonly to: number }

/** The missing field of a node of a known kind, with an error message. Unknown kinds have no required fields. */
export function nodeDefect(node: ComposerNode): { readonly field: string; readonly detail: string } | undefined {
  const field = references.get(node.kind)
  if (field === undefined) return undefined
  const value = node[field]
  if (typeof value !== "string" || value === "" || value.length > limits.referenceLength)
    return {
      field,
      detail: `A ${node.kind} node needs a ${field} of 1 to ${limits.referenceLength} characters.`,
    }
  if (field === "hash" && !HASH.test(value))
    return { field, detail: "An attachment node needs the hash from the upload response: 64 lowercase hex digits." }
  return undefined
}

/** The slash commands of an input, in order. */
export function slashCommands(input: ComposerInput): readonly NamedNode<"slash_command">[] {
  return (input.nodes ?? []).filter((node): node is NamedNode<"slash_command"> => node.kind === "slash_command")
}

/** The text after a command, up to the next one. Handlers parse their arguments from it. */
export function textAfter(input: ComposerInput, command: ComposerNode): string {
  const next = slashCommands(input).find((other) => other.start >= command.end && other !== command)
  return input.source.slice(command.end, next?.start).trim()
}

/** The line range of a file reference, if it has a valid one. */
export function lineRange(node: ComposerNode): LineRange | undefined {
  const { lines } = node
  if (typeof lines !== "object" || lines === null || Array.isArray(lines)) return undefined
  const { from, to } = lines as { readonly from?: unknown; readonly to?: unknown }
  if (typeof from !== "number" || typeof to !== "number") return undefined
  return Number.isSafeInteger(from) && Number.isSafeInteger(to) && 1 <= from && from <= to ? { from, to } : undefined
}
