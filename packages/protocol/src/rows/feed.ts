/** A conversation in lists: among its parent's branches, and in its person's feed. */
import { z } from "zod"
import { askId, messageId, millis, turnId } from "./fields.ts"
import { statusState } from "./status.ts"

/** A branch of this conversation, in its parent's log (BRA-4). */
export const branchRow = z.object({
  branch: z.string(),
  from: messageId.nullable(),
  ephemeral: z.boolean(),
  at: millis,
})
export type BranchRow = z.infer<typeof branchRow>

/** The event behind a change of a feed row, for notifications. */
const feedNews = z.discriminatedUnion("event", [
  z.object({
    event: z.literal("turn.finished"),
    turn: turnId,
    message: messageId,
    state: z.enum(["done", "stopped", "failed"]),
    /** The beginning of the newest message. */
    said: z.string(),
    /** It failed, and its message is tried again at this time (TRN-25). */
    retryAt: millis.optional(),
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

/** In a person's feed: when what others share with them last changed (SHR-14). */
export const sharedRow = z.object({ sharedAt: millis })

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
  labels: z.array(z.string()),
  /** When it will be deleted, unless that is undone first (ADR-10). */
  deleteAt: millis.nullable(),
  /** Whether anything was ever said in it (ADR-11). Null in rows written before this field existed. */
  spoken: z.boolean().nullable(),
  ephemeral: z.boolean(),
  /** Used so far, and allowed beyond the budget: the person's budget is computed from these (TRN-14). */
  tokens: z.number().nonnegative(),
  grantedTokens: z.number().nonnegative(),
  news: feedNews.nullable(),
})
export type FeedRow = z.infer<typeof feedRow>
