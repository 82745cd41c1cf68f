/**
 * How a person's message is shown to a model (CMP-13). Pure.
 *
 * - A command that a handler resolved is marked where it stood, `[skill deploy]` or `[command search]`, and the context
 *   inserted for it follows (CMP-21). Other commands, mentions, symbols, branches and unknown kinds are shown as typed.
 * - A file is named, not included: `[file src/a.ts lines 10-20]`.
 * - An attachment is named at its place in the text; its content is sent in the form the provider accepts, text as a
 *   marked block. One that no longer fits is only described: `[attachment plan.pdf, application/pdf, 120 kB]`.
 * - Context inserted by a handler, and messages sent by a program, are marked blocks.
 */
import {
  type AttachmentPart,
  type ComposerNode,
  lineRange,
  type MessageRow,
  type Part,
  sizeWords,
} from "@parlor/protocol"
import { SKILL_CONTEXT } from "../agent/handler.ts"
import type { ModelAttachment } from "../ports/model.ts"
import { isBlank, type Piece, written } from "../text/tags.ts"
import { block, oneLine } from "./block.ts"
import { triggerNote } from "./trigger-note.ts"

/** Contents by hash, as far as they fit the request. Loaded by `attached.ts`. */
export type Attached = ReadonlyMap<string, AttachedContent>
export type AttachedContent =
  | { readonly kind: "data"; readonly data: Uint8Array }
  /** The beginning of the text, as much as fits. */
  | { readonly kind: "text"; readonly text: string; readonly bytes: number }
  | { readonly kind: "refused" }

export type LoweredMessage = { readonly pieces: readonly Piece[]; readonly attachments: readonly ModelAttachment[] }

export const NOTHING_ATTACHED: Attached = new Map()

/** A message without attachments is the same in every later turn. */
const lowered = new WeakMap<MessageRow, LoweredMessage>()

export function lowerPerson(message: MessageRow, attached: Attached = NOTHING_ATTACHED): LoweredMessage {
  if (message.parts.some((part) => part.type === "attachment")) return lower(message, attached)
  const known = lowered.get(message)
  if (known !== undefined) return known
  const made = lower(message, attached)
  lowered.set(message, made)
  return made
}

function lower(message: MessageRow, attached: Attached): LoweredMessage {
  const { parts, inbox } = message
  const said: Piece = inbox
    ? { ours: block("message", { type: inbox.type }, JSON.stringify(inbox.payload)) }
    : { theirs: typedText(message, attached) }
  const blocks = parts.flatMap((part) => {
    if (part.type === "attachment") return inlined(part, attached)
    return part.type === "context" ? [contextBlock(part)] : []
  })
  const pieces = [said, ...blocks.map((ours) => ({ ours }))].filter((piece) => !isBlank([piece]))
  return {
    pieces: separated(withNote(pieces, message)),
    attachments: parts.flatMap((part) => (part.type === "attachment" ? carried(part, attached) : [])),
  }
}

/** Last, so that the message itself is read first (TRG-1). */
function withNote(pieces: readonly Piece[], { trigger }: MessageRow): readonly Piece[] {
  const note = triggerNote(trigger)
  return pieces.length === 0 || note === "" ? pieces : [...pieces, { ours: note }]
}

function separated(pieces: readonly Piece[]): readonly Piece[] {
  return pieces.flatMap((piece, index) => (index === 0 ? [piece] : [BETWEEN, piece]))
}

/** Between two messages or blocks. */
export const BETWEEN: Piece = { theirs: "\n\n" }

export function personText(message: MessageRow): string {
  return written(lowerPerson(message).pieces)
}

/** The typed text, with its nodes as a model sees them. */
function typedText({ parts, composer }: MessageRow, attached: Attached): string {
  const source = parts.map((part) => (part.type === "text" ? part.text : "")).join("")
  const nodes = composer?.source === source ? (composer.nodes ?? []) : []
  const attachments = parts.filter((part) => part.type === "attachment")
  const resolved = resolvedCommands(parts)
  const unplaced = new Set(attachments)
  const pieces: string[] = []
  let end = 0
  for (const [index, node] of nodes.entries()) {
    const attachment = node.kind === "attachment" ? attachments.find(({ hash }) => hash === node.hash) : undefined
    if (attachment) unplaced.delete(attachment)
    const shown = attachment ? named(attachment, attached) : shownAs(node, index, resolved)
    if (shown === undefined) continue
    pieces.push(source.slice(end, node.start))
    pieces.push(withSpace(pieces, shown))
    end = node.end
  }
  pieces.push(source.slice(end))
  for (const attachment of unplaced) pieces.push(withSpace(pieces, named(attachment, attached)))
  return pieces.join("")
}

/** Undefined: shown as typed. */
function shownAs(node: ComposerNode, index: number, resolved: Resolved): string | undefined {
  if (node.kind === "slash_command") {
    const what = resolved.get(index) ?? resolved.get(node.name)
    return what === undefined ? undefined : `[${what} ${oneLine(node.name)}]`
  }
  if (node.kind !== "file" || typeof node.path !== "string") return undefined
  const lines = lineRange(node)
  const range =
    lines === undefined ? "" : lines.from === lines.to ? ` line ${lines.from}` : ` lines ${lines.from}-${lines.to}`
  return `[file ${oneLine(node.path)}${range}]`
}

/** Keeps a descriptor from running into the word before it. */
function withSpace(pieces: readonly string[], shown: string): string {
  const before = pieces.findLast((piece) => piece !== "")
  return shown !== "" && before !== undefined && /[^\s(]$/u.test(before) ? ` ${shown}` : shown
}

/** Names of commands, or indexes of nodes, that inserted context stands for, and what they are called there. */
type Resolved = ReadonlyMap<unknown, "skill" | "command">

function resolvedCommands(parts: readonly Part[]): Resolved {
  return new Map(
    parts.flatMap((part) => {
      const command = part.type === "context" ? fieldsOf(part.metadata).command : undefined
      if (part.type !== "context" || command === undefined) return []
      return [[command, part.kind === SKILL_CONTEXT ? "skill" : "command"] as const]
    }),
  )
}

function contextBlock(part: Extract<Part, { type: "context" }>): string {
  const { kind, title, content, metadata, instructions } = part
  if (instructions === true) return block("skill", { name: title }, content)
  const { origin, url, source } = fieldsOf(metadata)
  const from = [origin, url, source].find((value) => typeof value === "string")
  return block("context", { kind, title, origin: String(from ?? ""), untrusted: "true" }, content)
}

function named({ hash, name, mediaType, bytes }: AttachmentPart, attached: Attached): string {
  const kind = attached.get(hash)?.kind
  if (kind === "data" || kind === "text") return `[attachment ${oneLine(name)}]`
  const why = kind === "refused" ? ": not supported by the model" : ""
  return `[attachment ${oneLine(name)}, ${oneLine(mediaType)}, ${sizeWords(bytes)}${why}]`
}

function inlined({ hash, name, mediaType }: AttachmentPart, attached: Attached): readonly string[] {
  const content = attached.get(hash)
  return content?.kind === "text"
    ? [block("attachment", { name, type: mediaType, untrusted: "true" }, content.text)]
    : []
}

function carried({ hash, name, mediaType }: AttachmentPart, attached: Attached): readonly ModelAttachment[] {
  const content = attached.get(hash)
  return content?.kind === "data" ? [{ name, mediaType, data: content.data }] : []
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}
