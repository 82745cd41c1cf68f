/**
 * A composer's input: the text as typed, and a flat list of its meaningful parts
 * (CMP-2, CMP-3). No schemas here, so that a page can use it without loading them.
 */
import { referenceLength } from "./limits.ts"

type BaseNode<Kind extends string> = {
  readonly kind: Kind
  /** In UTF-16 code units of the source. */
  readonly start: number
  readonly end: number
  /** The source from `start` to `end`. */
  readonly raw: string
}

export type LineRange = { readonly from: number; readonly to: number }

export type TextNode = BaseNode<"text">
export type SlashCommandNode = BaseNode<"slash_command"> & { readonly name: string }
export type FileNode = BaseNode<"file"> & { readonly path: string; readonly lines?: LineRange | undefined }
export type SymbolNode = BaseNode<"symbol"> & { readonly name: string }
export type BranchNode = BaseNode<"branch"> & { readonly name: string }
/** An agent. */
export type MentionNode = BaseNode<"mention"> & { readonly name: string }
/** The hash is the one of the upload; the rest is for people who read it. */
export type AttachmentNode = BaseNode<"attachment"> & {
  readonly hash: string
  readonly name?: string
  readonly mediaType?: string
  readonly bytes?: number
}
type KnownNode = TextNode | SlashCommandNode | FileNode | SymbolNode | BranchNode | MentionNode | AttachmentNode
export type NodeKind = KnownNode["kind"]

/**
 * A node of a kind that Parlor does not know: stored and passed on with all its fields. The server accepts any kind;
 * in types your own kinds begin with `x-`, so that comparing `kind` with a known one leaves only nodes of that kind.
 */
export type OtherNode = BaseNode<`x-${string}`> & { readonly [more: string]: unknown }

/** A piece of the source. Fields that Parlor does not know are stored and passed on. */
export type ComposerNode = KnownNode | OtherNode
export type NodeOf<Kind extends NodeKind> = Extract<KnownNode, { readonly kind: Kind }>

export type ComposerInput = {
  readonly source: string
  readonly nodes?: readonly ComposerNode[] | undefined
}

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

/** A node as a client wrote it, before its fields are checked. */
export type UncheckedNode = BaseNode<string> & { readonly [more: string]: unknown }

/** The missing field of a node of a known kind, with an error message. Unknown kinds have no required fields. */
export function nodeDefect(node: UncheckedNode): { readonly field: string; readonly detail: string } | undefined {
  const field = references.get(node.kind)
  if (field === undefined) return undefined
  const value = node[field]
  if (typeof value !== "string" || value === "" || value.length > referenceLength)
    return {
      field,
      detail: `A ${node.kind} node needs a ${field} of 1 to ${referenceLength} characters.`,
    }
  if (field === "hash" && !HASH.test(value))
    return { field, detail: "An attachment node needs the hash from the upload response: 64 lowercase hex digits." }
  return undefined
}

/** The nodes of one kind, in order. */
export function nodesOf<Kind extends NodeKind>({ nodes = [] }: ComposerInput, kind: Kind): readonly NodeOf<Kind>[] {
  return nodes.filter((node): node is NodeOf<Kind> => node.kind === kind)
}

/** The slash commands of an input, in order. */
export function slashCommands(input: ComposerInput): readonly SlashCommandNode[] {
  return nodesOf(input, "slash_command")
}

/** The text after a command, up to the next one. Handlers parse their arguments from it. */
export function textAfter(input: ComposerInput, command: SlashCommandNode): string {
  const next = slashCommands(input).find((other) => other.start >= command.end && other !== command)
  return input.source.slice(command.end, next?.start).trim()
}

/** The line range of a file reference, if it has a valid one. */
export function lineRange(node: Pick<FileNode, "lines">): LineRange | undefined {
  const lines: unknown = node.lines
  if (typeof lines !== "object" || lines === null || Array.isArray(lines)) return undefined
  const { from, to } = lines as { readonly from?: unknown; readonly to?: unknown }
  if (typeof from !== "number" || typeof to !== "number") return undefined
  return Number.isSafeInteger(from) && Number.isSafeInteger(to) && 1 <= from && from <= to ? { from, to } : undefined
}
