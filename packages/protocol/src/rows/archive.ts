/** Archives: the ranges that compactions summarized. */
import { z } from "zod"
import { messageId, millis } from "./fields.ts"

/**
 * A range of the conversation that the model sees as a summary (CPT-2). It covers the messages from `fromOrd` to
 * `toOrd`; in force from event `began` until `ended`, so that a branch sees its state at the fork.
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
  /** As measured when it was made: the messages it was measured on may be in it (CPT-11). */
  charsPerToken: z.number().positive().optional(),
  archivedAt: millis,
  /** The newest message the model saw when it was made: a rollback to before it puts the archive out of force (RBK-10). */
  madeOrd: z.number().int().nullable(),
  began: z.number().int(),
  ended: z.number().int().nullable(),
})
export type ArchiveRow = z.infer<typeof archiveRow>
