/** Deletes a person (SEC-25). Triggers make sure that nothing is created under a marked name. */
import type { AuditEntry, Deletion, Deletions } from "@parlor/core"
import { ATTACHMENTS_AT_ONCE, DELETED, HAS_ANYTHING, quotedName } from "../deletion-row.ts"
import { LEFT_OF } from "../leftover-row.ts"
import { detach } from "./blobs.ts"
import { addAudit, type Database, type Statement } from "./connect.ts"
import { NAME_LOCKS } from "./functions/link.ts"

const LOCK_NAME = `SELECT pg_advisory_xact_lock(${NAME_LOCKS}, hashtext($1))`
const LOCK_PERSON = "SELECT 1 FROM people WHERE person = $1 FOR UPDATE"
const LOCK_TRIGGERS = "SELECT 1 FROM triggers WHERE person = $1 ORDER BY id FOR UPDATE"
const ALL: Statement = { name: "deletions", text: "SELECT person, done_at FROM deletions ORDER BY person" }
const ATTACHED: Statement = {
  name: "attached-some",
  text: `SELECT hash FROM attachments WHERE person = $1 ORDER BY hash LIMIT ${ATTACHMENTS_AT_ONCE}`,
}
const LEFT: Statement = { name: "left-of", text: LEFT_OF.replaceAll("?", "$") }
const NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
const DONE = `UPDATE deletions SET done_at = ${NOW} WHERE person = $1`
const END: Statement = { name: "end-deletions", text: `DELETE FROM deletions WHERE done_at <= ${NOW} - $1` }
const BLANK = "UPDATE audit SET subject = '' WHERE act LIKE 'name.%' AND strpos(subject, $1) > 0"

export function deletionsPart(db: Database): Deletions {
  return {
    begin: (person, audit) => beginDeletion(db, person, audit),
    all: () => allDeletions(db),
    slice: (person) => deleteSlice(db, person),
    end: (lingerMs) => endDeletions(db, lingerMs),
  }
}

function beginDeletion(db: Database, person: string, audit: AuditEntry): Promise<"begun" | "running" | "nothing"> {
  return db.transaction(async (client) => {
    await client.query(LOCK_NAME, [person])
    const known = await client.query("SELECT 1 FROM deletions WHERE person = $1", [person])
    if (known.rowCount !== 0) return "running"
    if ((await client.query(HAS_ANYTHING.replaceAll("?1", "$1"), [person])).rowCount === 0) return "nothing"
    await client.query("INSERT INTO deletions (person) VALUES ($1)", [person])
    await addAudit(client, audit)
    return "begun"
  })
}

async function allDeletions(db: Database): Promise<Deletion[]> {
  const rows = await db.read<{ person: string; done_at: number | null }>(ALL, [])
  return rows.map(({ person, done_at }) => ({ person, isDone: done_at !== null }))
}

/** Rows that others may have locked are locked before anything is counted (`functions/stored.ts`). */
async function deleteSlice(db: Database, person: string): Promise<boolean> {
  const attached = await db.read<{ hash: string }>(ATTACHED, [person])
  for (const { hash } of attached) await detach(db, person, hash)
  if (attached.length > 0 || (await db.write(LEFT, [person])).length > 0) return false
  await db.transaction(async (client) => {
    await client.query(LOCK_PERSON, [person])
    await client.query(LOCK_TRIGGERS, [person])
    await client.query("DELETE FROM search_texts WHERE person = (SELECT id FROM people WHERE person = $1)", [person])
    await client.query("DELETE FROM memories WHERE owner = $1", [person])
    for (const text of DELETED) await client.query(text.replaceAll("?1", "$1"), [person])
    await client.query(BLANK, [quotedName(person)])
    await client.query(DONE, [person])
  })
  return true
}

async function endDeletions(db: Database, lingerMs: number): Promise<void> {
  await db.write(END, [lingerMs])
}
