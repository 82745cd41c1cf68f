/** Bodies, queries and answers of the HTTP surface. docs/spec/http.md */
import { z } from "zod"
import { collections } from "./collections.ts"
import { COMPOSER_INPUT, SYSTEM_TYPES } from "./constants.ts"
import type { MessageId } from "./ids.ts"
import { jsonValue } from "./json-value.ts"
import { limits } from "./limits.ts"
import { agentName, branchName, messageType, personName } from "./names.ts"
import { archiveRow } from "./rows/archive.ts"
import { askRow } from "./rows/ask.ts"
import { branchRow } from "./rows/feed.ts"
import { problemNote } from "./rows/fields.ts"
import { composerInput, messageRow } from "./rows/message.ts"
import { queueRow, sendMode } from "./rows/queue.ts"
import { rollbackRow } from "./rows/rollback.ts"
import { slashCommandRow } from "./rows/slash-command.ts"
import { statusRow } from "./rows/status.ts"
import { turnRow, turnState } from "./rows/turn.ts"
import { usage } from "./rows/usage.ts"
import { wellFormedText } from "./text.ts"

const count = (fallback: number, max: number) => z.coerce.number().int().min(1).max(max).default(fallback)
const flag = z.enum(["true", "false"]).transform((value) => value === "true")

/** Sent by a program, with nobody at the keyboard (TRG-1). Its identity comes from its credential. */
const apiTrigger = z.strictObject({
  /** A second send with the same id gets the same answer as the first (TRG-2). */
  deliveryId: wellFormedText.min(1).max(limits.deliveryIdLength).optional(),
  headers: z
    .record(
      z.string().regex(/^[a-z0-9-]{1,64}$/, "Header names must be lowercase letters, digits and hyphens."),
      wellFormedText.max(limits.triggerHeaderLength),
    )
    .refine(
      (headers) => Object.keys(headers).length <= limits.triggerHeaders,
      `At most ${limits.triggerHeaders} headers are allowed.`,
    )
    .optional(),
})

const sendOptions = {
  mode: sendMode.default("immediate"),
  position: z.string().max(limits.positionLength).optional(),
  /** The sender. The credential identifies them; this may only repeat it (CMP-17). */
  from: personName.optional(),
  /** One agent that answers instead of the conversation's own: short for `guests` with one name. */
  guest: agentName.optional(),
  /** Agents that answer instead of the conversation's own, in this order. Default: the mentioned agents (GST-6). */
  guests: z.array(agentName).max(limits.guests).optional(),
  /** The message that this one replaces, after a rollback to edit it (RBK-3). */
  editedFrom: z
    .string()
    .min(1)
    .max(limits.nameLength)
    .transform((id) => id as MessageId)
    .optional(),
  trigger: apiTrigger.optional(),
}
/** A message type that an agent declares. Composer input has its own schema; clients cannot send system types (CMP-23). */
export const declaredType = messageType
  .refine((type) => !SYSTEM_TYPES.includes(type), { error: "Only Parlor sends messages of this type.", abort: true })
  // Aborts here: otherwise errors of an invalid composer input would be reported against this schema.
  .refine((type) => type !== COMPOSER_INPUT, { error: "This is not a valid composer input.", abort: true })
/** `{ "text": "hi" }` is short for a composer input with that source. */
export const sendBody = z
  .union([
    z.strictObject({ text: wellFormedText.min(1, "The message is empty."), ...sendOptions }),
    z.strictObject({ type: z.literal(COMPOSER_INPUT), payload: composerInput, ...sendOptions }),
    z.strictObject({ type: declaredType, payload: jsonValue, ...sendOptions }),
  ])
  .refine(({ guest, guests }) => guest === undefined || guests === undefined, {
    error: "Provide `guest` or `guests`, not both.",
    path: ["guest"],
  })
export type SendBody = z.input<typeof sendBody>
export const sent = z.object({
  message: z.string(),
  outcome: z.enum(["started", "queued", "steering"]),
  place: z.number().int().optional(),
  turn: z.string().optional(),
  offset: z.string(),
  txid: z.string(),
  /** Why the outcome is not what the mode asked for. */
  note: problemNote.optional(),
})
export type Sent = z.infer<typeof sent>
/** A send that did not wait for its reply, or not long enough: then `state` is set (API-20). */
export const accepted = sent.extend({ state: z.literal("running").optional() })
/** A send that waited: the reply, or the ask it waits for. */
export const reply = sent.extend({
  state: z.enum(["done", "stopped", "failed", "interrupted", "asking"]),
  /** The text of all its messages. */
  text: z.string(),
  /** In order; the newest ones if they are too large for one response (LOG-25). */
  messages: z.array(messageRow),
  ask: askRow.nullable(),
  error: problemNote.nullable(),
})
export type Reply = z.infer<typeof reply>

export const agentView = z.object({
  name: z.string(),
  description: z.string(),
  model: z.string(),
  /** The model that new conversations of the caller begin with, if it is another one (SET-9). */
  modelForNew: z.string().optional(),
  slashCommands: z.array(slashCommandRow),
})
export type AgentView = z.infer<typeof agentView>

/** Dimmed ranges of the parent conversations as of the fork: after `toOrd`, up to `fromOrd`. */
const inherited = z.array(z.object({ toOrd: z.number().int(), fromOrd: z.number().int() }))

export const snapshot = z.object({
  agent: z.string(),
  person: z.string(),
  branch: z.string(),
  title: z.string(),
  status: statusRow,
  messages: z.array(messageRow),
  older: z.string().nullable(),
  /** The first messages in the queue, as many as fit in one page; `queued` is the total. */
  queue: z.array(queueRow),
  queued: z.number().int(),
  asks: z.array(askRow),
  slashCommands: z.array(slashCommandRow),
  archives: z.array(archiveRow),
  rollbacks: z.array(rollbackRow),
  /** The failed ones among the newest turns, without the records of their steps (MSG-9). */
  turns: z.array(turnRow.extend({ step: z.null() })),
  inherited,
  branches: z.array(branchRow),
  files: z.object({ count: z.number().int(), latest: z.string().nullable() }),
  usage,
  offset: z.string(),
})
export type Snapshot = z.infer<typeof snapshot>

export const messagePage = z.object({ messages: z.array(messageRow), older: z.string().nullable(), inherited })
export type MessagePage = z.infer<typeof messagePage>

/** In the order they will start. `later` is the cursor of the next page. */
export const queuePage = z.object({ queue: z.array(queueRow), later: z.string().nullable() })
export type QueuePage = z.infer<typeof queuePage>
export const queueQuery = z.object({ after: z.string().max(limits.cursorLength).optional() })

export const conversationPage = z.object({
  conversations: z.array(collections.conversations),
  cursor: z.string().nullable(),
})
export type ConversationPage = z.infer<typeof conversationPage>

const label = wellFormedText.trim().min(1, "A label cannot be empty.").max(limits.labelLength)
export const marksBody = z.strictObject({
  title: wellFormedText.max(limits.titleLength).optional(),
  pinned: z.boolean().optional(),
  archived: z.boolean().optional(),
  labels: z
    .array(label)
    .max(limits.labels)
    .transform((all) => [...new Set(all)])
    .optional(),
  /** Undoes a deletion whose grace period is not over (ADR-10). */
  deleted: z.literal(false).optional(),
  read: z.boolean().optional(),
})
export type Marks = z.infer<typeof marksBody>

export const stopBody = z.strictObject({
  turn: z.string().optional(),
  onQueue: z.enum(["hold", "drain", "clear"]).optional(),
})
export const stopped = z.object({ turn: z.string(), state: turnState })

export const conversationParams = z.object({ agent: agentName, branch: branchName })
/** A conversation of the caller, in responses. */
export const conversationPlace = z.object({ agent: z.string(), branch: z.string() })
const version = z.number().int().positive()
const queuedId = z.string().min(1).max(limits.nameLength)
/** Editable fields of a queued message, and the version that was read (QUE-7). */
export const editBody = z.strictObject({
  text: wellFormedText.min(1, "The message is empty.").optional(),
  /** Must match the message's own type. */
  payload: jsonValue.optional(),
  mode: sendMode.exclude(["steer"]).optional(),
  before: queuedId.optional(),
  after: queuedId.optional(),
  version,
})
export type EditBody = z.infer<typeof editBody>
export const queuedView = z.object({ message: queueRow })
export const leaseBody = z.strictObject({ holder: wellFormedText.min(1).max(limits.nameLength) })
export const heldView = z.object({ held: statusRow.shape.held, queued: z.number().int() })
export const answerBody = z.strictObject({
  answer: z.json(),
  /** Allows the tool from now on: in this conversation, or in every conversation with this agent (ASK-4). */
  always: z.enum(["conversation", "agent"]).optional(),
})
/** Null takes it back. */
export const feedbackBody = z.strictObject({ feedback: z.enum(["up", "down"]).nullable() })
export const queuedParams = conversationParams.extend({ message: queuedId })
export const askParams = conversationParams.extend({ ask: queuedId })

/** `metrics`: reading how the server works, and nothing of anybody (OPS-10). */
export const scope = z.enum(["read", "write", "manage", "metrics"])
export type Scope = z.infer<typeof scope>
export const keyBody = z.strictObject({
  name: wellFormedText.min(1).max(limits.nameLength),
  scopes: z.array(scope).min(1).default(["read", "write"]),
  actFor: personName.regex(/\*$/, "An act-for prefix ends in an asterisk, as in telegram:*").nullable().default(null),
  /** With `actFor`: whether it may also act as its creator. A key without `actFor` always does. */
  asMaker: z.boolean().default(false),
  expiresAt: z.number().int().positive().nullable().default(null),
})
export const keyView = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(scope),
  actFor: z.string().nullable(),
  asMaker: z.boolean(),
  /** The key that created it; it is revoked together with that key. */
  madeBy: z.string().nullable(),
  createdAt: z.number(),
  expiresAt: z.number().nullable(),
  revokedAt: z.number().nullable(),
})
export type KeyView = z.infer<typeof keyView>

export const listQuery = z.object({
  agent: agentName.optional(),
  archived: flag.default(false),
  ephemeral: flag.default(false),
  cursor: z.string().max(512).optional(),
  limit: count(limits.listConversationsDefault, limits.listConversations),
})
/** Comma-separated names; a comma or percent sign within a name is percent-encoded twice. */
export const deleteQuery = z.object({
  branches: z.string().max(limits.headerBytes).optional(),
  /** Deletes when the grace period is over, so that it can be undone (ADR-10). */
  undoable: flag.default(false),
})
export const snapshotQuery = z.object({ messages: count(limits.snapshotMessagesDefault, limits.snapshotMessages) })
export const historyQuery = z.object({
  before: z.string().max(64).optional(),
  limit: count(limits.pageMessagesDefault, limits.pageMessages),
})
export const eventsQuery = z.object({
  offset: z.string().optional(),
  live: z.enum(["long-poll", "sse"]).optional(),
  cursor: z.string().max(64).optional(),
  view: z.enum(["log", "state"]).default("log"),
  messages: count(limits.snapshotMessagesDefault, limits.snapshotMessages),
})
/** `steps`: whether turns include the record of their newest step, for the inspector (LOG-15). */
export const conversationEventsQuery = eventsQuery.extend({ steps: flag.default(false) })
export const exportQuery = z.object({ memory: flag.default(false) })
export const importQuery = z.object({ agent: agentName, branch: branchName.default("main") })

/** An error on the wire: RFC 9457. */
export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  code: z.string(),
  detail: z.string(),
  pointer: z.string().optional(),
  /** Set when a quota is exceeded: bytes, or conversations. */
  used: z.number().int().optional(),
  allowed: z.number().int().optional(),
})
