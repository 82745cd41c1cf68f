/** The collections of a stream and what each one's rows look like. */
import type { z } from "zod"
import {
  archiveRow,
  askRow,
  branchRow,
  changeRow,
  commandRow,
  deltaRow,
  feedRow,
  fileRow,
  messageRow,
  queueRow,
  rollbackRow,
  statusRow,
  turnRow,
} from "./rows.ts"

export const collections = {
  status: statusRow,
  messages: messageRow,
  deltas: deltaRow,
  queue: queueRow,
  turns: turnRow,
  asks: askRow,
  commands: commandRow,
  archives: archiveRow,
  rollbacks: rollbackRow,
  files: fileRow,
  changes: changeRow,
  branches: branchRow,
  conversations: feedRow,
} as const

export type Collection = keyof typeof collections
export type RowOf<C extends Collection> = z.infer<(typeof collections)[C]>

/** Decisions look at these. A change to one moves the stream's control counter, text deltas do not. */
export const controlCollections: ReadonlySet<Collection> = new Set<Collection>([
  "status",
  "queue",
  "turns",
  "asks",
  "archives",
  "rollbacks",
  "branches",
  "files",
  "conversations",
])
