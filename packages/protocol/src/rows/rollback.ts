/** Going back. */
import { z } from "zod"
import { messageId, millis } from "./fields.ts"

/** One file as a rollback found it and as it left it; null where there was none. */
const restoredFile = z.object({
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
