/**
 * The rows of a conversation, one schema per collection (LOG-2).
 *
 * Rows are never sparse: what is absent is an explicit null, because a published reader (StreamDB) merges updates.
 */
import { z } from "zod"
import { type ComposerInput, type ComposerNode, nodeDefect } from "./composer/node.ts"
import { spanDefect } from "./composer/spans.ts"
import type { AskId, MessageId, Millis, StreamId, TurnId } from "./ids.ts"
import { jsonValue } from "./json-value.ts"
import { limits } from "./limits.ts"
import { wellFormedText } from "./text.ts"

const millis = z.number().int().nonnegative()
const messageId = z.string().transform((id) => id as MessageId)
const turnId = z.string().transform((id) => id as TurnId)
const askId = z.string().transform((id) => id as AskId)

export const usage = z.object({
  inputTokens: z.number().nonnegative(),
  outputTokens: z.number().nonnegative(),
  reasoningTokens: z.number().nonnegative(),
  cachedTokens: z.number().nonnegative(),
  /** In millionths of a dollar, by the model's price; 0 where no price is known. */
  costMicros: z.number().nonnegative(),
})
export type Usage = z.infer<typeof usage>
/** What a provider reports; what it costs is our sum. */
export type TokenCounts = Omit<Usage, "costMicros">

export const problemNote = z.object({ code: z.string(), detail: z.string() })
export type ProblemNote = z.infer<typeof problemNote>

/** What a person attached (CMP-15), by the SHA-256 of its content. */
export const attachmentPart = z.object({
  type: z.literal("attachment"),
  hash: z.string(),
  name: z.string(),
  mediaType: z.string(),
  bytes: z.number(),
})
export type AttachmentPart = z.infer<typeof attachmentPart>

export const part = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("reasoning"), text: z.string() }),
  z.object({
    type: z.literal("tool"),
    call: z.string(),
    name: z.string(),
    input: z.json(),
    /** `waiting`: asked for by the model, not begun. `unknown`: begun, then cut off by a crash. */
    state: z.enum(["waiting", "started", "done", "failed", "unknown"]),
    output: z.json().nullable(),
    /** The whole output by its hash, where `output` holds its beginning only (TRN-11). */
    kept: z.string().optional(),
    error: problemNote.nullable(),
  }),
  /** What an agent's handler added to the turn, and where it is from (CMP-10). */
  z.object({
    type: z.literal("context"),
    kind: z.string(),
    title: z.string(),
    content: z.string(),
    metadata: z.json(),
  }),
  attachmentPart,
  z.object({ type: z.literal("notice"), code: z.string(), text: z.string() }),
])
export type Part = z.infer<typeof part>
export type TextPart = Extract<Part, { type: "text" | "reasoning" }>
export type ToolPart = Extract<Part, { type: "tool" }>

export const composerNode = z
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
/** Its nodes fit its source, or it is refused with a pointer to the first that does not (CMP-4). */
export const composerInput = z
  .object({ source: wellFormedText, nodes: z.array(composerNode).max(limits.composerNodes).optional() })
  .catchall(jsonValue)
  .superRefine((input, ctx) => {
    const defect = spanDefect(input)
    if (defect === undefined) return
    const params = { code: "composer.span" }
    ctx.addIssue({ code: "custom", path: ["nodes", defect.node], message: defect.detail, params })
  }) as unknown as z.ZodType<ComposerInput, ComposerInput>

/** Where a message came from when nobody typed it (TRG-1). */
export const trigger = z.object({
  source: z.enum(["schedule", "webhook", "api", "mcp-event", "self", "spawn", "sidecar", "import"]),
  firedAt: millis,
  scheduleId: z.string().nullable(),
  deliveryId: z.string().nullable(),
  headers: z.record(z.string(), z.string()).nullable(),
  subject: z.string().nullable(),
  /** How many wakeups of the agent's own led to this one, without a person in between (TRG-8). */
  depth: z.number().int().positive().optional(),
})
export type Trigger = z.infer<typeof trigger>

/** A message of a type its agent declared (CMP-1); what is typed into the composer is kept as `composer` instead. */
export const inboxMessage = z.object({ type: z.string(), payload: z.json() })
export type InboxMessage = z.infer<typeof inboxMessage>

export const messageState = z.enum(["streaming", "done", "truncated", "failed"])
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

export const sendMode = z.enum(["immediate", "queued", "paused", "steer"])
export type SendMode = z.infer<typeof sendMode>

export const queueRow = z.object({
  id: messageId,
  type: z.string(),
  payload: z.json(),
  mode: sendMode,
  position: z.string(),
  source: z.string(),
  guests: z.array(z.string()),
  /** What its payload names, in order: in the message they are its parts. */
  attachments: z.array(attachmentPart),
  trigger: trigger.nullable(),
  editedFrom: messageId.nullable(),
  version: z.number().int().positive(),
  lease: z.object({ holder: z.string(), until: millis }).nullable(),
  queuedAt: millis,
})
export type QueueRow = z.infer<typeof queueRow>

/**
 * What a step's prompt was made of, and how its model calls went (LOG-15). The messages are named, not copied: they are
 * in the log already. What is not in it is kept by its hash.
 */
export const stepNote = z.object({
  /** From 1, within its turn; one that failed counts too. */
  number: z.number().int().positive(),
  /** What it said; null when it came to nothing. */
  message: messageId.nullable(),
  /** Instructions, notes and tools, by the hash of what is kept; null when they could not be. */
  brief: z.string().nullable(),
  /** Which messages were shown: stretches from one number to another. */
  shown: z.array(z.tuple([z.number().int(), z.number().int()])),
  /** How many parts the message it answers had then: context may be added to it later. */
  questionParts: z.number().int().nonnegative(),
  /** The archive whose summary stood for what came before. */
  archive: z.string().nullable(),
  /** What went along with them; of a text so many bytes. Refused: the model took none, and was told so instead. */
  attached: z.array(z.object({ hash: z.string(), kind: z.enum(["data", "text", "refused"]), bytes: z.number() })),
  window: z.number(),
  maxOutput: z.number().nullable(),
  /** Of the request as it was sent: what is rebuilt later is compared with it. */
  fingerprint: z.string(),
  attempts: z.array(
    z.object({
      model: z.string(),
      message: messageId.nullable(),
      startedAt: millis,
      firstAt: millis.nullable(),
      /** Null when it was broken off. */
      endedAt: millis.nullable(),
      usage: usage.nullable(),
      error: z.string().nullable(),
    }),
  ),
})
export type StepNote = z.infer<typeof stepNote>

export const turnState = z.enum(["running", "retrying", "waiting", "done", "stopped", "failed", "interrupted"])
export type TurnState = z.infer<typeof turnState>
export const turnRow = z.object({
  id: turnId,
  message: messageId,
  agent: z.string(),
  /** Who answers instead of the conversation's own agent, and who after that (GST-1, GST-6). */
  guest: z.string().nullable(),
  guestsNext: z.array(z.string()),
  /** Set on a run that compacts the conversation instead of answering; `message` is then the newest one (CPT-4). */
  compaction: z.object({ keepTurns: z.number().int().nonnegative() }).nullable(),
  state: turnState,
  steps: z.number().int().nonnegative(),
  /** The last message of each standard turn its handler has run: after a crash none of them is run again (CMP-12). */
  runs: z.array(messageId),
  usage,
  startedAt: millis,
  endedAt: millis.nullable(),
  error: problemNote.nullable(),
  /** The last event before it: where to begin reading what happened in it. Null after an import. */
  began: z.number().int().nonnegative().nullable(),
  /** Of its newest step; those of the earlier ones are in the log. */
  step: stepNote.nullable(),
})
export type TurnRow = z.infer<typeof turnRow>

export const statusState = z.enum(["idle", "busy", "retrying", "waiting", "error"])
export type StatusState = z.infer<typeof statusState>
/** Where a branch hangs: its history goes on above, in the parent as it was then (BRA-1, BRA-2). */
export const origin = z.object({
  branch: z.string(),
  /** The stream the history goes on in: the parent's, or one above it. Internal. */
  stream: z
    .number()
    .int()
    .transform((id) => id as StreamId),
  /** The last message of the parent that belongs to it; null for none. */
  message: messageId.nullable(),
  ord: z.number().int(),
  /** That stream's log as far as it counts: as it went when the branch was made, or before its message was dimmed. */
  seq: z.number().int(),
  /** How many streams its history goes through above its own. */
  depth: z.number().int().positive(),
})
export type Origin = z.infer<typeof origin>

export const statusRow = z.object({
  state: statusState,
  busyWith: z.enum(["turn", "compaction", "rollback"]).nullable(),
  held: z.object({ reason: z.enum(["stopped", "error", "asked"]), since: millis }).nullable(),
  turn: turnId.nullable(),
  message: messageId.nullable(),
  attempt: z.number().int().nullable(),
  retryAt: millis.nullable(),
  error: problemNote.nullable(),
  /** Totals of the whole conversation (TRN-14). */
  usage,
  /** Tokens the person allowed beyond the agent's budget for a conversation, and beyond that for a person. */
  grantedTokens: z.number().nonnegative(),
  personGrantedTokens: z.number().nonnegative(),
  title: z.string(),
  preview: z.string(),
  pinned: z.boolean(),
  archived: z.boolean(),
  ephemeral: z.boolean(),
  unread: z.boolean(),
  origin: origin.nullable(),
  /** The path of the file changed last. */
  latestFile: z.string().nullable(),
  files: z.number().int().nonnegative(),
  activityAt: millis,
  since: millis,
})
export type StatusRow = z.infer<typeof statusRow>

export const askRow = z.object({
  id: askId,
  turn: turnId,
  /** The tool call it is about, when it is about one. */
  call: z.string().nullable(),
  kind: z.enum(["approval", "question", "form"]),
  title: z.string(),
  detail: z.string(),
  options: z.array(z.string()).nullable(),
  schema: z.json().nullable(),
  expiresAt: millis.nullable(),
  state: z.enum(["open", "answered", "expired", "withdrawn"]),
  answer: z.json().nullable(),
  answeredBy: z.string().nullable(),
})
export type AskRow = z.infer<typeof askRow>

export const commandRow = z.object({
  name: z.string(),
  description: z.string(),
  arguments: z.array(
    z.object({
      name: z.string(),
      type: z.enum(["string", "number", "boolean"]),
      required: z.boolean(),
      description: z.string(),
    }),
  ),
  owner: z.string().nullable(),
})
export type CommandRow = z.infer<typeof commandRow>

/**
 * A stretch of the conversation that the model sees as a summary (CPT-2). It covers the messages from `fromOrd` to
 * `toOrd`; in force from event `began` until `ended`, so that a branch can look at it as it was.
 */
export const archiveRow = z.object({
  id: z.string(),
  from: messageId,
  to: messageId,
  fromOrd: z.number().int(),
  toOrd: z.number().int(),
  title: z.string(),
  summary: z.string(),
  tokensBefore: z.number(),
  tokensAfter: z.number(),
  archivedAt: millis,
  /** The newest message the model saw when it was made: a rollback to before it puts the archive out of force (RBK-10). */
  madeOrd: z.number().int().nullable(),
  began: z.number().int(),
  ended: z.number().int().nullable(),
})
export type ArchiveRow = z.infer<typeof archiveRow>

/** One file as a rollback found it and as it left it; null where there was none. */
export const restoredFile = z.object({
  path: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  /** It had been edited by hand since the last write Parlor knows of (RBK-7). */
  conflict: z.boolean(),
})
/**
 * Messages after `toOrd` up to `fromOrd` are dimmed while it is in force: from event `began` until `ended` (RBK-1).
 * One that cancels another says which: cancelling it brings that one back (RBK-6).
 */
export const rollbackRow = z.object({
  id: z.string(),
  /** Null: rolled back to before the first message. */
  to: messageId.nullable(),
  from: messageId.nullable(),
  toOrd: z.number().int(),
  fromOrd: z.number().int(),
  scope: z.enum(["both", "conversation", "files"]),
  /** `applying`: the files are being put back; a crash leaves it so and the next owner finishes it (RBK-9). */
  state: z.enum(["applying", "done"]),
  cancels: z.string().nullable(),
  files: z.array(restoredFile),
  /** Changes of files from this one on came with it or after it; null when it left the files alone. */
  change: z.string().nullable(),
  at: millis,
  began: z.number().int(),
  ended: z.number().int().nullable(),
  /** The times before that it was in force, when cancelling its cancel brought it back. */
  earlier: z.array(z.object({ began: z.number().int(), ended: z.number().int() })),
})
export type RestoredFile = z.infer<typeof restoredFile>
export type RollbackRow = z.infer<typeof rollbackRow>

/** A file of the workspace as Parlor last saw or wrote it. */
export const fileRow = z.object({
  path: z.string(),
  hash: z.string(),
  bytes: z.number().int().nonnegative(),
  /** `agent:<name>`, `person`, or `hand`: found changed on disk. */
  by: z.string(),
  turn: turnId.nullable(),
  at: millis,
})
export type FileRow = z.infer<typeof fileRow>

/** One change of one file: what was there before and after, by content (WSP-2). `ord` is of the newest message then. */
export const changeRow = z.object({
  id: z.string(),
  ord: z.number().int(),
  path: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  /** Of what is there after it, and of what was before; 0 for nothing. */
  bytes: z.number().int().nonnegative(),
  bytesBefore: z.number().int().nonnegative(),
  by: z.string(),
  turn: turnId.nullable(),
  at: millis,
})
export type ChangeRow = z.infer<typeof changeRow>

/** A branch of this conversation, in its parent's log (BRA-4). */
export const branchRow = z.object({
  branch: z.string(),
  from: messageId.nullable(),
  ephemeral: z.boolean(),
  at: millis,
})
export type BranchRow = z.infer<typeof branchRow>

/** What a change of a feed's row is about, where somebody outside may want to be told. */
export const feedNews = z.discriminatedUnion("event", [
  z.object({
    event: z.literal("turn.finished"),
    turn: turnId,
    message: messageId,
    state: z.enum(["done", "stopped", "failed"]),
    /** The beginning of what was said last. */
    said: z.string(),
  }),
  z.object({
    event: z.literal("ask.opened"),
    turn: turnId,
    ask: askId,
    kind: z.enum(["approval", "question", "form"]),
    title: z.string(),
  }),
])
export type FeedNews = z.infer<typeof feedNews>

/** One row per conversation in its person's feed (LOG-14). */
export const feedRow = z.object({
  agent: z.string(),
  branch: z.string(),
  /** The conversation it is a branch of. */
  parent: z.string().nullable(),
  title: z.string(),
  preview: z.string(),
  activityAt: millis,
  state: statusState,
  held: z.boolean(),
  queued: z.number().int(),
  asks: z.number().int(),
  unread: z.boolean(),
  latestFile: z.string().nullable(),
  pinned: z.boolean(),
  archived: z.boolean(),
  ephemeral: z.boolean(),
  /** Used so far, and allowed beyond the budget for a person: what that budget is reckoned from (TRN-14). */
  tokens: z.number().nonnegative(),
  grantedTokens: z.number().nonnegative(),
  news: feedNews.nullable(),
})
export type FeedRow = z.infer<typeof feedRow>

export const emptyUsage: Usage = { inputTokens: 0, outputTokens: 0, reasoningTokens: 0, cachedTokens: 0, costMicros: 0 }

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    costMicros: a.costMicros + b.costMicros,
  }
}

export type { Millis }
