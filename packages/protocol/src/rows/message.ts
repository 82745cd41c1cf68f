/** Messages, and their text while it streams. */
import { z } from "zod"
import { type ComposerInput, type ComposerNode, nodeDefect } from "../composer/node.ts"
import { spanDefect } from "../composer/spans.ts"
import { jsonValue } from "../json-value.ts"
import { limits } from "../limits.ts"
import { wellFormedText } from "../text.ts"
import { attachmentPart, messageId, millis, problemNote, trigger, turnId } from "./fields.ts"
import { usage } from "./usage.ts"

export const textPart = z.object({ type: z.literal("text"), text: z.string() })
/** `waiting`: requested by the model, not started. `unknown`: started, then interrupted by a crash. */
export const toolState = z.enum(["waiting", "started", "done", "failed", "unknown"])

const part = z.discriminatedUnion("type", [
  textPart,
  z.object({ type: z.literal("reasoning"), text: z.string() }),
  z.object({
    type: z.literal("tool"),
    call: z.string(),
    name: z.string(),
    input: z.json(),
    state: toolState,
    output: z.json().nullable(),
    /** The hash of the full output, if `output` has only its beginning (TRN-11). */
    kept: z.string().optional(),
    /** Pictures of the output, by the hash of their content (TRN-27). */
    pictures: z.array(z.object({ hash: z.string(), mediaType: z.string(), bytes: z.number().int() })).optional(),
    error: problemNote.nullable(),
    /** While it runs: since when, and what it reports (TRN-26). */
    startedAt: millis.optional(),
    progress: z
      .object({ text: z.string(), done: z.number().nonnegative().optional(), total: z.number().positive().optional() })
      .optional(),
    /** Set on a call that a hosted agent made itself: Parlor only records it (HST-3). */
    foreign: z
      .object({
        title: z.string(),
        /** read, edit, delete, move, search, execute, think, fetch, plan, other. */
        kind: z.string(),
        locations: z.array(z.object({ path: z.string(), line: z.number().int().nullable() })),
        /** Unified diffs; null if too large to compare. */
        diffs: z.array(z.object({ path: z.string(), diff: z.string().nullable() })),
      })
      .optional(),
  }),
  /** Context that an agent's handler added to the turn, with its origin (CMP-10). */
  z.object({
    type: z.literal("context"),
    kind: z.string(),
    title: z.string(),
    content: z.string(),
    metadata: z.json(),
    /** Instructions of the agent's author, such as a skill; everything else is material (CMP-22). */
    instructions: z.literal(true).optional(),
  }),
  attachmentPart,
  z.object({ type: z.literal("notice"), code: z.string(), text: z.string() }),
])
export type Part = z.infer<typeof part>
export type TextPart = Extract<Part, { type: "text" | "reasoning" }>
export type ToolPart = Extract<Part, { type: "tool" }>

const composerNode = z
  .object({
    kind: wellFormedText.min(1).max(64),
    start: z.number().int().nonnegative(),
    end: z.number().int().nonnegative(),
    raw: wellFormedText,
  })
  .catchall(jsonValue)
  .superRefine((node, ctx) => {
    const defect = nodeDefect(node)
    if (defect !== undefined) ctx.addIssue({ code: "custom", path: [defect.field], message: defect.detail })
  }) as unknown as z.ZodType<ComposerNode, ComposerNode>

/** Refused with a pointer to the first node that does not match the source (CMP-4). */
export const composerInput = z
  .object({ source: wellFormedText, nodes: z.array(composerNode).max(limits.composerNodes).optional() })
  .catchall(jsonValue)
  .superRefine((input, ctx) => {
    const defect = spanDefect(input)
    if (defect === undefined) return
    const params = { code: "composer.span" }
    ctx.addIssue({ code: "custom", path: ["nodes", defect.node], message: defect.detail, params })
  }) as unknown as z.ZodType<ComposerInput, ComposerInput>

/** A message of a type its agent declared (CMP-1); composer input is stored as `composer` instead. */
const inboxMessage = z.object({ type: z.string(), payload: z.json() })
export type InboxMessage = z.infer<typeof inboxMessage>

/**
 * What a provider needs back with a block of a reply: a signature, encrypted reasoning. In the order of the reply. A
 * block of reasoning covers the next `chars` characters of the part; without text, it stands before the part.
 */
const returnedBlock = z.discriminatedUnion("type", [
  z.object({ type: z.literal("reasoning"), part: z.number().int(), chars: z.number().int(), meta: jsonValue }),
  z.object({ type: z.literal("text"), part: z.number().int(), meta: jsonValue }),
  z.object({ type: z.literal("tool"), call: z.string(), meta: jsonValue }),
])
export type ReturnedBlock = z.infer<typeof returnedBlock>

const messageState = z.enum(["streaming", "done", "truncated", "failed"])

export const messageRow = z.object({
  id: messageId,
  ord: z.number().int(),
  role: z.enum(["person", "agent"]),
  /** Empty means the conversation's own agent or person (GST-2). */
  author: z.string(),
  turn: turnId.nullable(),
  state: messageState,
  parts: z.array(part),
  composer: composerInput.nullable(),
  inbox: inboxMessage.nullable(),
  trigger: trigger.nullable(),
  dimmed: z.boolean(),
  editedFrom: messageId.nullable(),
  usage: usage.nullable(),
  /** The size of the prompt it answers, as estimated and as the provider counted it: calibrates the next estimate (CPT-11). */
  prompt: z.object({ chars: z.number().nonnegative(), tokens: z.number().positive() }).optional(),
  /** The model that wrote it; null if no model did (MOD-11). */
  model: z.string().nullable(),
  /** What is returned to that model, and only to it, in later steps of the turn (MOD-7). */
  returned: z.array(returnedBlock).nullable(),
  /** The person's opinion of a reply (MSG-13); null if it was taken back. */
  feedback: z.enum(["up", "down"]).nullable().optional(),
  at: millis,
})
export type MessageRow = z.infer<typeof messageRow>

export const deltaRow = z.object({
  message: messageId,
  part: z.number().int().nonnegative(),
  kind: z.enum(["text", "reasoning"]),
  n: z.number().int().nonnegative(),
  text: z.string(),
})
export type DeltaRow = z.infer<typeof deltaRow>
