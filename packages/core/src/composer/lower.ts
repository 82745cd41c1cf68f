/**
 * What a person's message says to a model (CMP-13). Pure.
 *
 * - A command that a handler resolved is not shown as typed: the context inserted for it stands for it. Other commands,
 *   mentions, symbols, branches and kinds nobody here knows are shown as typed.
 * - A file is named, not included: `[file src/a.ts lines 10-20]`.
 * - An attachment is named in the text where it was put; its content goes along in the form the provider takes, text as a
 *   marked block. One that does not fit any more is only described: `[attachment plan.pdf, application/pdf, 120 kB]`.
 * - What a handler inserted, and what a program sent, are marked blocks.
 */
import {
  type AttachmentPart,
  type ComposerNode,
  lineRange,
  type MessageRow,
  type Part,
  sizeWords,
} from "@parlor/protocol"
import type { ModelAttachment } from "../ports/model.ts"
import { isBlank, type Piece, written } from "../text/tags.ts"
import { block, oneLine } from "./block.ts"
import { triggerNote } from "./trigger-note.ts"

/** Contents by hash, as far as they fit a request. `attached.ts` loads them. */
export type Attached = ReadonlyMap<string, AttachedContent>
export type AttachedContent =
  | { readonly kind: "data"; readonly data: Uint8Array }
  /** The first so many bytes of it. */
  | { readonly kind: "text"; readonly text: string; readonly bytes: number }
  | { readonly kind: "refused" }

export type LoweredMessage = { readonly pieces: readonly Piece[]; readonly attachments: readonly ModelAttachment[] }

export const NOTHING_ATTACHED: Attached = new Map()

/** A message that attaches nothing says the same in every turn to come. */
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
    pieces: apartFrom(withNote(pieces, message)),
    attachments: parts.flatMap((part) => (part.type === "attachment" ? carried(part, attached) : [])),
  }
}

/** Last, so that what was said is read first (TRG-1). */
function withNote(pieces: readonly Piece[], { trigger }: MessageRow): readonly Piece[] {
  const note = triggerNote(trigger)
  return pieces.length === 0 || note === "" ? pieces : [...pieces, { ours: note }]
}

function apartFrom(pieces: readonly Piece[]): readonly Piece[] {
  return pieces.flatMap((piece, index) => (index === 0 ? [piece] : [BETWEEN, piece]))
}

/** Between two things that are said. */
export const BETWEEN: Piece = { theirs: "\n\n" }

export function personText(message: MessageRow): string {
  return written(lowerPerson(message).pieces)
}

/** What was typed, with its nodes as a model is to see them. */
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
    pieces.push(apart(pieces, shown))
    end = node.end
  }
  pieces.push(source.slice(end))
  for (const attachment of unplaced) pieces.push(apart(pieces, named(attachment, attached)))
  const text = pieces.join("")
  return resolved.size > 0 ? text.trim() : text
}

/** Undefined: as it was typed. */
function shownAs(node: ComposerNode, index: number, resolved: ReadonlySet<unknown>): string | undefined {
  if (node.kind === "slash_command") return resolved.has(node.name) || resolved.has(index) ? "" : undefined
  if (node.kind !== "file" || typeof node.path !== "string") return undefined
  const lines = lineRange(node)
  const range =
    lines === undefined ? "" : lines.from === lines.to ? ` line ${lines.from}` : ` lines ${lines.from}-${lines.to}`
  return `[file ${oneLine(node.path)}${range}]`
}

/** A descriptor does not run into the word before it. */
function apart(pieces: readonly string[], shown: string): string {
  const before = pieces.findLast((piece) => piece !== "")
  return shown !== "" && before !== undefined && /[^\s(]$/u.test(before) ? ` ${shown}` : shown
}

/** Names of commands, or places in the list of nodes, that inserted context stands for. */
function resolvedCommands(parts: readonly Part[]): ReadonlySet<unknown> {
  return new Set(
    parts.flatMap((part) => {
      const command = part.type === "context" ? fieldsOf(part.metadata).command : undefined
      return command === undefined ? [] : [command]
    }),
  )
}

function contextBlock({ kind, title, content, metadata }: Extract<Part, { type: "context" }>): string {
  const { origin, url, source } = fieldsOf(metadata)
  const from = [origin, url, source].find((value) => typeof value === "string")
  return block("context", { kind, title, origin: String(from ?? ""), untrusted: "true" }, content)
}

function named({ hash, name, mediaType, bytes }: AttachmentPart, attached: Attached): string {
  const kind = attached.get(hash)?.kind
  if (kind === "data" || kind === "text") return `[attachment ${oneLine(name)}]`
  const why = kind === "refused" ? ": the model cannot take it" : ""
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
