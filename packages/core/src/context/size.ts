/**
 * The size of a prompt. One estimate decides when to compact and what to shorten (CPT-11). Pure.
 *
 * Characters are counted the same way when a prompt is sent and when the next one is estimated, so whatever the count
 * ignores (roles, escapes, separators) cancels out: it is part of the measured characters per token.
 */
import type { ArchiveRow, MessageRow, Part } from "@parlor/protocol"
import { pickAttached } from "../composer/attached.ts"
import { kindOf } from "../composer/media.ts"
import type { ToolSpec } from "../ports/model.ts"
import type { Brief } from "./brief.ts"
import { offeredTools } from "./cut-output.ts"
import { toolSpec } from "./tool-spec.ts"

/** A cautious default for a prompt that no provider has counted yet. */
const DEFAULT_CHARS_PER_TOKEN = 3
/** A ratio outside this range says nothing about text: it was imported, or the prompt was mostly images. */
const MIN_CHARS_PER_TOKEN = 0.5
export const MAX_CHARS_PER_TOKEN = 8
/** In a shorter prompt most tokens are not text: its count may raise the estimate, but not lower it. */
const TELLING_CHARS = 4_000
/** The estimated size of an image, a document or a recording. */
const DATA_CHARS = 6_000
const MAX_WINDOWS = 4
/** The tags, names and ids around a part. */
const PART_CHARS = 40

export type Prompt = {
  readonly brief: Pick<Brief, "author" | "instructions" | "notes" | "tools">
  /** The summary of what came before the messages, and the newest message at the time. */
  readonly archive: Pick<ArchiveRow, "summary" | "madeOrd" | "charsPerToken"> | undefined
  /** The messages shown, in order. */
  readonly messages: readonly MessageRow[]
  /** The model's window in tokens. */
  readonly window: number
}

/** The size of the prompt in tokens. */
export function promptTokens(prompt: Prompt): number {
  const chars = promptChars(prompt)
  const perToken = charsPerToken(prompt)
  const { prompt: counted, ord = 0 } = countedMessage(prompt) ?? {}
  // A count from before the last compaction belongs to a mostly different prompt.
  if (counted === undefined || ord <= (prompt.archive?.madeOrd ?? 0)) return chars / perToken
  // No model accepts several windows: such a count is a provider's mistake.
  if (counted.tokens > prompt.window * MAX_WINDOWS) return chars / perToken
  return Math.max(0, counted.tokens + (chars - counted.chars) / perToken)
}

export function promptChars({ brief, archive, messages, window }: Prompt): number {
  let chars = briefChars(brief, messages) + (archive?.summary.length ?? 0)
  let attaches = false
  for (const message of messages) {
    chars += messageChars(message)
    for (const { type } of message.parts) attaches ||= type === "attachment"
  }
  if (!attaches) return chars
  for (const { part, most } of pickAttached(messages, window))
    chars += kindOf(part.mediaType) === "text" ? most : DATA_CHARS
  return chars
}

/** Derived from the provider's last count for this speaker: models count in different ways. */
export function charsPerToken(prompt: Pick<Prompt, "brief" | "archive" | "messages">): number {
  const counted = countedMessage(prompt)?.prompt
  const measured = counted === undefined ? prompt.archive?.charsPerToken : counted.chars / counted.tokens
  if (measured === undefined) return DEFAULT_CHARS_PER_TOKEN
  const most = counted !== undefined && counted.chars < TELLING_CHARS ? DEFAULT_CHARS_PER_TOKEN : MAX_CHARS_PER_TOKEN
  return Math.min(most, Math.max(MIN_CHARS_PER_TOKEN, measured))
}

/** The characters of a message as sent to a model, without attachments. */
export function messageChars(message: MessageRow): number {
  if (message.dimmed || message.state === "failed") return 0
  const known = sizes.get(message)
  if (known !== undefined) return known
  const inbox = message.inbox === null ? 0 : JSON.stringify(message.inbox.payload).length
  const chars = message.parts.reduce((sum, part) => sum + partChars(part), inbox)
  sizes.set(message, chars)
  return chars
}

const sizes = new WeakMap<MessageRow, number>()
const toolSizes = new WeakMap<ToolSpec, number>()
/** The tools of a turn are measured several times. */
const toolsSizes = new WeakMap<readonly object[], { readonly offered: number; readonly size: number }>()

function countedMessage({ brief, messages }: Pick<Prompt, "brief" | "messages">): MessageRow | undefined {
  const own = messages.findLast(({ prompt, author }) => prompt !== undefined && author === brief.author)
  return own ?? messages.findLast(({ prompt }) => prompt !== undefined)
}

function briefChars({ instructions, notes, tools }: Prompt["brief"], messages: readonly MessageRow[]): number {
  const chars = instructions.length + notes.length
  const offered = offeredTools(tools, messages)
  const known = toolsSizes.get(tools)
  if (known?.offered === offered.length) return chars + known.size
  const size = offered.reduce((sum, tool) => sum + toolChars(toolSpec(tool)), 0)
  toolsSizes.set(tools, { offered: offered.length, size })
  return chars + size
}

function toolChars(spec: ToolSpec): number {
  const known = toolSizes.get(spec)
  const size = known ?? JSON.stringify(spec).length
  if (known === undefined) toolSizes.set(spec, size)
  return size
}

function partChars(part: Part): number {
  switch (part.type) {
    case "text":
      return part.text.length
    case "context":
      return part.title.length + part.content.length + PART_CHARS
    case "tool":
      return (
        part.name.length +
        jsonChars(part.input) +
        jsonChars(part.output) +
        (part.error?.detail.length ?? 0) +
        PART_CHARS
      )
    case "attachment":
      return part.name.length + PART_CHARS
    case "reasoning":
    case "notice":
      return 0
  }
}

function jsonChars(value: unknown): number {
  return typeof value === "string" ? value.length : JSON.stringify(value ?? null).length
}
