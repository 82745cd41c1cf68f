/** Rolling back, and canceling a rollback (RBK-1 to RBK-10). */
import { z } from "zod"
import { limits } from "../limits.ts"
import { conversationParams } from "../requests.ts"
import { composerInput, messageRow } from "../rows/message.ts"
import { rollbackRow } from "../rows/rollback.ts"
import { type DescribedRoute, ok } from "./route.ts"

const id = z.string().min(1).max(limits.nameLength)
const flag = z.enum(["true", "false"]).transform((value) => value === "true")

const rollbackPreview = z.object({
  /** Messages that would be dimmed, oldest first, with the beginning of each text. If there are many, the newest. */
  messages: z.array(
    messageRow.pick({ id: true, ord: true, role: true, author: true, at: true }).extend({ text: z.string() }),
  ),
  /** The total count. */
  count: z.number().int(),
  files: z.array(
    z.object({
      path: z.string(),
      /** What happens to it: earlier content, restored, deleted, or left unchanged because it was too large to copy. */
      change: z.enum(["restored", "recreated", "removed", "kept"]),
      /** Edited outside of Parlor since the last recorded write. */
      conflict: z.boolean(),
      /** A diff from the current to the restored content; null for binary, too long or unchanged files. */
      diff: z.string().nullable(),
    }),
  ),
})
export type RollbackPreview = z.infer<typeof rollbackPreview>

const rolledBack = z.object({
  rollback: rollbackRow,
  /** The message's text, if it is to be edited. */
  edited: z.object({ message: z.string(), text: z.string(), composer: composerInput.nullable() }).nullable(),
})

export const rollbackRoutes = {
  previewRollback: {
    needs: "read",
    summary: "Previews what a rollback to this message would do to messages and files",
    heavy: true,
    params: conversationParams,
    query: z.object({ to: id, edit: flag.default(false) }),
    answer: ok(rollbackPreview),
  },
  rollBack: {
    needs: "write",
    summary: "Dims everything after one of the person's messages and restores the files; stops a running turn first",
    params: conversationParams,
    body: z.strictObject({
      to: id,
      scope: rollbackRow.shape.scope.default("both"),
      /** The message itself is dimmed too, and its text is returned. */
      edit: z.boolean().default(false),
    }),
    answer: ok(rolledBack),
  },
  cancelRollback: {
    needs: "write",
    summary: "Cancels the newest rollback; messages sent after it are dimmed",
    params: conversationParams.extend({ rollback: id }),
    answer: ok(z.object({ rollback: rollbackRow })),
  },
} as const satisfies Record<string, DescribedRoute>
