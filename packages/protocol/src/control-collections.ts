import type { Collection } from "./collections.ts"

/** The collections that decisions read. A change to one increments the stream's control counter; text deltas do not. */
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
