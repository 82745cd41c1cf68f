/** Rolling back and taking it back (RBK-1 to RBK-10). */
import { z } from "zod"
import { limits } from "../limits.ts"
import { conversationParams } from "../requests.ts"
import { composerInput, messageRow } from "../rows/message.ts"
import { rollbackRow } from "../rows/rollback.ts"
import { type DescribedRoute, ok } from "./route.ts"

const id = z.string().min(1).max(limits.nameLength)
const flag = z.enum(["true", "false"]).transform((value) => value === "true")

const rollbackPreview = z.object({
  /** What would dim, oldest first, with the beginning of each text: of many, the newest. */
  messages: z.array(
    messageRow.pick({ id: true, ord: true, role: true, author: true, at: true }).extend({ text: z.string() }),
  ),
  /** How many they are in all. */
  count: z.number().int(),
  files: z.array(
    z.object({
      path: z.string(),
      /** What becomes of it: earlier content, back from being deleted, gone, or left as it is: too large to keep a copy of. */
      change: z.enum(["restored", "recreated", "removed", "kept"]),
      /** Edited by hand since the last write Parlor knows of. */
      conflict: z.boolean(),
      /** From what is there now to what will be; null for what is not text, too long to compare, or stays. */
      diff: z.string().nullable(),
    }),
  ),
})
export type RollbackPreview = z.infer<typeof rollbackPreview>

const rolledBack = z.object({
  rollback: rollbackRow,
  /** What was typed, when the message is to be edited. */
  edited: z.object({ message: z.string(), text: z.string(), composer: composerInput.nullable() }).nullable(),
})

export const rollbackRoutes = {
  previewRollback: {
    needs: "read",
    summary: "What a rollback to this message would do to messages and files",
    heavy: true,
    params: conversationParams,
    query: z.object({ to: id, edit: flag.default(false) }),
    answer: ok(rollbackPreview),
  },
  rollBack: {
    needs: "write",
    summary: "Dims everything after a message of the person, and puts the files back; a running turn is stopped first",
    params: conversationParams,
    body: z.strictObject({
      to: id,
      scope: rollbackRow.shape.scope.default("both"),
      /** The message itself dims too, and its text comes back. */
      edit: z.boolean().default(false),
    }),
    answer: ok(rolledBack),
  },
  cancelRollback: {
    needs: "write",
    summary: "Takes the newest rollback back; what came after it dims in turn",
    params: conversationParams.extend({ rollback: id }),
    answer: ok(z.object({ rollback: rollbackRow })),
  },
} as const satisfies Record<string, DescribedRoute>
