/** Rollbacks. */
import { z } from "zod"
import { messageId, millis } from "./fields.ts"

/** One file before and after a rollback; null if there was none. */
const restoredFile = z.object({
  path: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  /** It had been edited outside of Parlor since the last recorded write (RBK-7). */
  conflict: z.boolean(),
})

/**
 * Messages after `toOrd` up to `fromOrd` are dimmed while it is in force: from event `began` until `ended` (RBK-1).
 * A rollback that cancels another names it: canceling it restores that one (RBK-6).
 */
export const rollbackRow = z.object({
  id: z.string(),
  /** Null: rolled back to before the first message. */
  to: messageId.nullable(),
  from: messageId.nullable(),
  toOrd: z.number().int(),
  fromOrd: z.number().int(),
  scope: z.enum(["both", "conversation", "files"]),
  /** `applying`: the files are being restored; after a crash, the next owner finishes it (RBK-9). */
  state: z.enum(["applying", "done"]),
  cancels: z.string().nullable(),
  files: z.array(restoredFile),
  /** File changes from this one on belong to the rollback or came later; null if it left the files alone. */
  change: z.string().nullable(),
  at: millis,
  began: z.number().int(),
  ended: z.number().int().nullable(),
  /** Earlier periods in which it was in force, if canceling its cancellation restored it. */
  earlier: z.array(z.object({ began: z.number().int(), ended: z.number().int() })),
})
export type RestoredFile = z.infer<typeof restoredFile>
export type RollbackRow = z.infer<typeof rollbackRow>
