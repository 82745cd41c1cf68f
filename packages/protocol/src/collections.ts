/**
 * The collections of a stream and what each one's rows look like (LOG-2).
 *
 * These are complete rows; `rows/stored-row.ts` says which fields are left out where they are stored and sent.
 */
import type { z } from "zod"
import { archiveRow } from "./rows/archive.ts"
import { askRow } from "./rows/ask.ts"
import { branchRow, feedRow, sharedRow } from "./rows/feed.ts"
import { changeRow, fileRow } from "./rows/file.ts"
import { grantRow } from "./rows/grant.ts"
import { deltaRow, messageRow } from "./rows/message.ts"
import { queueRow } from "./rows/queue.ts"
import { rollbackRow } from "./rows/rollback.ts"
import { slashCommandRow } from "./rows/slash-command.ts"
import { statusRow } from "./rows/status.ts"
import { turnRow } from "./rows/turn.ts"

export const collections = {
  status: statusRow,
  messages: messageRow,
  deltas: deltaRow,
  queue: queueRow,
  turns: turnRow,
  asks: askRow,
  slashCommands: slashCommandRow,
  archives: archiveRow,
  rollbacks: rollbackRow,
  files: fileRow,
  changes: changeRow,
  branches: branchRow,
  conversations: feedRow,
  grants: grantRow,
  shared: sharedRow,
} as const

export type Collection = keyof typeof collections
export type RowOf<C extends Collection> = z.infer<(typeof collections)[C]>
