/** How a conversation stands: one row. */
import { z } from "zod"
import type { StreamId } from "../ids.ts"
import { messageId, millis, problemNote, turnId } from "./fields.ts"
import { usage } from "./usage.ts"

export const statusState = z.enum(["idle", "busy", "retrying", "waiting", "error"])

/** Where a branch hangs: its history goes on above, in the parent as it was then (BRA-1, BRA-2). */
const origin = z.object({
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
