/** The status of a conversation: one row. */
import { z } from "zod"
import type { StreamId } from "../ids.ts"
import { messageId, millis, problemNote, turnId } from "./fields.ts"
import { modelSettings } from "./model-settings.ts"
import { usage } from "./usage.ts"

export const statusState = z.enum(["idle", "busy", "retrying", "waiting", "error"])

/** The fork point of a branch: its earlier history is in the parent as of the fork (BRA-1, BRA-2). */
const origin = z.object({
  branch: z.string(),
  /** The stream with the earlier history: the parent's, or an ancestor's. Internal. */
  stream: z
    .number()
    .int()
    .transform((id) => id as StreamId),
  /** The last message of the parent that the branch includes; null for none. */
  message: messageId.nullable(),
  ord: z.number().int(),
  /** The last event of that stream that counts: its end when the branch was created, or just before its message was dimmed. */
  seq: z.number().int(),
  /** How many ancestor streams its history spans. */
  depth: z.number().int().positive(),
})
export type Origin = z.infer<typeof origin>

/** Why no queued message starts, and until when (QUE-5, QUE-6, QUE-20). */
const held = z.object({
  reason: z.enum(["stopped", "error", "asked"]),
  since: millis,
  /** When the queue continues by itself, by the store's clock. Absent: only a person resumes it. */
  until: millis.optional(),
  /** The queue then continues only for messages from triggers; people's messages wait for a person (QUE-21). */
  only: z.literal("triggers").optional(),
})

/** A failed message that will be tried again, or is being tried again (QUE-20, TRN-24). */
const again = z.object({
  message: messageId,
  /** The turn that failed first. */
  turn: turnId,
  /** Who answers: the agent that failed and those after it. Empty for the conversation's own agent alone. */
  guests: z.array(z.string()),
  unattended: z.boolean(),
  /** How many times it has been tried again, including the next time. */
  tries: z.number().int().positive(),
  /** By the store's clock. */
  at: millis,
})
export type Again = z.infer<typeof again>

export const statusRow = z.object({
  state: statusState,
  busyWith: z.enum(["turn", "compaction", "rollback"]).nullable(),
  held: held.nullable(),
  again: again.nullable(),
  /** Failed turns in a row. */
  failures: z.number().int().nonnegative(),
  turn: turnId.nullable(),
  message: messageId.nullable(),
  attempt: z.number().int().nullable(),
  retryAt: millis.nullable(),
  error: problemNote.nullable(),
  /** Totals of the whole conversation (TRN-14). */
  usage,
  /** Tokens the person allowed beyond the agent's budget per conversation, and per person. */
  grantedTokens: z.number().nonnegative(),
  personGrantedTokens: z.number().nonnegative(),
  /** Null: as the agent's author set them (MOD-3). */
  settings: modelSettings.nullable(),
  /** The session of a hosted agent that knows this conversation; null if there is none (HST-10). */
  session: z.string().nullable().optional(),
  title: z.string(),
  /** Who wrote the title; `words`: the beginning of a message. Null for a row from before this was known (ADR-13). */
  titledBy: z.enum(["words", "model", "person"]).nullable(),
  /** How often a model was asked for a title. */
  titleTries: z.number().int().nonnegative(),
  preview: z.string(),
  pinned: z.boolean(),
  archived: z.boolean(),
  labels: z.array(z.string()),
  /** How many active shares it has; each change of them changes this row, so that every server hears of it (SHR-6). */
  shares: z.number().int().nonnegative().optional(),
  /** When it will be deleted, unless that is undone first (ADR-10). */
  deleteAt: millis.nullable(),
  ephemeral: z.boolean(),
  unread: z.boolean(),
  origin: origin.nullable(),
  /** The path of the most recently changed file. */
  latestFile: z.string().nullable(),
  files: z.number().int().nonnegative(),
  activityAt: millis,
  since: millis,
})
export type StatusRow = z.infer<typeof statusRow>
