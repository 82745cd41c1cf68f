/**
 * Converts a row of the `stored` table to the port's `Stored`, and has what the migrations of both stores count
 * (SEC-23, SEC-42).
 */
import type { RowChange, Stored } from "@parlor/core"

/** `EVENT_BYTES` and `ONCE_KEPT_MS` of the port, repeated because the writer thread loads nothing it does not need. */
export const EVENT_OVERHEAD = 100
export const ONCE_MS = 7 * 24 * 60 * 60_000

export const NOTHING_STORED: Stored = {
  conversations: 0,
  conversationBytes: 0,
  fileBytes: 0,
  files: 0,
  memoryBytes: 0,
  triggerBytes: 0,
}

/** Limits of one slice of upkeep. */
export const COUNTED_EVENTS = 2_000
export const PRUNED_KEYS = 200

export const STORED_COLUMNS = "person, conversations, conversation_bytes, file_bytes, memory_bytes, trigger_bytes"

/** PostgreSQL uses `$1` for `?1`. */
export const STORED = `
  SELECT conversations, conversation_bytes AS "conversationBytes", file_bytes AS "fileBytes",
    files, memory_bytes AS "memoryBytes", trigger_bytes AS "triggerBytes"
  FROM stored WHERE person = ?1`

/** People after a name, and how many. */
export const PEOPLE = `
  SELECT person, conversations, conversation_bytes AS "conversationBytes", file_bytes AS "fileBytes",
    files, memory_bytes AS "memoryBytes", trigger_bytes AS "triggerBytes"
  FROM stored WHERE person > ?1 ORDER BY person LIMIT ?2`

export const ADD_STORED = `ON CONFLICT (person) DO UPDATE SET
    conversations = stored.conversations + excluded.conversations,
    conversation_bytes = stored.conversation_bytes + excluded.conversation_bytes,
    file_bytes = stored.file_bytes + excluded.file_bytes, memory_bytes = stored.memory_bytes + excluded.memory_bytes,
    trigger_bytes = stored.trigger_bytes + excluded.trigger_bytes`

/** Each person's contents, each once. */
export const COUNT_CONTENTS = `
  INSERT INTO contents_held (person, hash, bytes, holds)
  SELECT held.person, held.hash, blobs.bytes, count(*) FROM (
    SELECT streams.person, blob_holds.hash FROM blob_holds JOIN streams ON streams.id = blob_holds.stream
    UNION ALL SELECT person, hash FROM attachments
  ) AS held JOIN blobs ON blobs.hash = held.hash GROUP BY 1, 2, 3`

/** For the step that adds the columns `files`: those of each conversation, then of each person with attachments. */
export const COUNT_FILES = `
  UPDATE streams SET files = counted.files FROM (
    SELECT id, (SELECT count(*) FROM rows WHERE rows.stream = s.id AND rows.collection = 'files') AS files
    FROM streams AS s WHERE kind <> 'feed'
  ) AS counted WHERE counted.id = streams.id AND streams.files <> counted.files;
  UPDATE stored SET files = (SELECT coalesce(sum(files), 0) FROM streams WHERE streams.person = stored.person)
    + (SELECT count(*) FROM attachments WHERE attachments.person = stored.person)`

/** Everything except the logs, which take too long to count at once. */
export const COUNT_STORED = `
  INSERT INTO stored (${STORED_COLUMNS})
  SELECT person, sum(conversations), 0, sum(files), sum(memory), sum(fired) FROM (
    SELECT person, 1 AS conversations, 0 AS files, 0 AS memory, 0 AS fired
      FROM streams WHERE kind = 'conversation' AND head > 0
    UNION ALL SELECT person, 0, bytes, 0, 0 FROM contents_held
    UNION ALL SELECT owner, 0, 0, octet_length(name) + octet_length(description) + octet_length(body), 0
      FROM memories WHERE owner <> ''
    UNION ALL SELECT person, 0, 0, 0, octet_length(value) FROM triggers
    UNION ALL SELECT triggers.person, 0, 0, 0, octet_length(firings.value)
      FROM firings JOIN triggers ON triggers.id = firings.trigger_id
  ) AS parts GROUP BY person`

/** How many files these changes add to a workspace; negative if they delete some. */
export function addedFiles(changes: readonly Pick<RowChange, "collection" | "operation">[]): number {
  let added = 0
  for (const { collection, operation } of changes)
    if (collection === "files") added += Number(operation === "insert") - Number(operation === "delete")
  return added
}

export function toStored(row: Stored): Stored {
  const { conversations, conversationBytes, fileBytes, files, memoryBytes, triggerBytes } = row
  return { conversations, conversationBytes, fileBytes, files, memoryBytes, triggerBytes }
}
