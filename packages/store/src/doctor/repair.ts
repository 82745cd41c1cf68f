/** Carries out remedies, each in a transaction of its own. What it does is decided again on what is there by then. */
import { restoredChange } from "@parlor/core"
import { type Collection, unreachable } from "@parlor/protocol"
import { collectionName } from "../collection-name.ts"
import { countedPeople } from "./check-rest.ts"
import type { DoctorDatabase } from "./doctor-database.ts"
import type { Remedy, RowKey } from "./finding.ts"

export function repair(db: DoctorDatabase, remedy: Remedy): Promise<unknown> {
  return db.transaction<unknown>(() => {
    switch (remedy.kind) {
      case "rows":
        return repairRows(db, remedy.stream, remedy.keys)
      case "head":
        return db.all(
          `UPDATE streams SET control = control + 1,
             head = (SELECT coalesce(max(seq), 0) FROM events WHERE stream = ?1) WHERE id = ?1`,
          [remedy.stream],
        )
      case "lease":
        return db.all("UPDATE streams SET owner = NULL, lease_until = 0 WHERE id = ?1", [remedy.stream])
      case "content":
        return dropContent(db, remedy.blob)
      case "counts":
        return repairCounts(db, remedy.person)
      case "leftovers":
        return db.all(remedy.statement)
      default:
        return unreachable(remedy)
    }
  })
}

/** The control counter rises, so that no server decides on the rows it remembers. */
async function repairRows(db: DoctorDatabase, stream: number, keys: readonly RowKey[]): Promise<void> {
  await db.lockStream(stream)
  for (const { collection, key } of keys) {
    const events = await db.all<{ collection: string; seq: number; op: string; value: string }>(
      "SELECT collection, seq, op, value FROM events WHERE stream = ?1 AND key = ?2 ORDER BY seq DESC",
      [stream, key],
    )
    const last = events.find((event) => collectionName(event.collection) === collection)
    await db.deleteRow(stream, collection, key)
    if (last !== undefined && last.op !== "delete")
      await db.putRow(stream, restoredChange(collection as Collection, key, last.value), last.seq)
  }
  await db.all("UPDATE streams SET control = control + 1 WHERE id = ?1", [stream])
}

/** Unless it got a holder meanwhile. */
async function dropContent(db: DoctorDatabase, blob: number): Promise<void> {
  const unheld = `id = ?1 AND NOT EXISTS (SELECT 1 FROM blob_holds WHERE blob_holds.hash = blobs.hash)
    AND NOT EXISTS (SELECT 1 FROM attachments WHERE attachments.hash = blobs.hash)`
  await db.all(`DELETE FROM blob_pieces WHERE blob IN (SELECT id FROM blobs WHERE ${unheld})`, [blob])
  await db.all(`DELETE FROM blobs WHERE ${unheld}`, [blob])
}

async function repairCounts(db: DoctorDatabase, person: string): Promise<void> {
  const [counted] = await countedPeople(db, "AND c.person = ?1", [person])
  if (counted === undefined) return
  await db.all("INSERT INTO stored (person) VALUES (?1) ON CONFLICT (person) DO NOTHING", [person])
  await db.all(
    `UPDATE streams SET files = (SELECT count(*) FROM rows WHERE rows.stream = streams.id AND rows.collection = 'files')
     WHERE person = ?1 AND kind <> 'feed'`,
    [person],
  )
  await db.all(
    "UPDATE stored SET conversations = ?2, conversation_bytes = ?3, file_bytes = ?4, files = ?5 WHERE person = ?1",
    [person, counted.conversations, counted.logBytes, counted.fileBytes, counted.files],
  )
}
