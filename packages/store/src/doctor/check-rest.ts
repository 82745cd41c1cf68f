/** Leases without a living owner, data that belongs to nothing, and the counts of quotas. */
import type { Cell, DoctorDatabase, Leftover } from "./doctor-database.ts"
import type { Finding } from "./finding.ts"

/** What a deleted conversation left is freed by the servers (LOG-24). */
const NO_STREAM = (table: string) => `NOT EXISTS (SELECT 1 FROM streams WHERE streams.id = ${table}.stream)
  AND NOT EXISTS (SELECT 1 FROM leftovers WHERE leftovers.stream = ${table}.stream)`

const LEFTOVERS: readonly Leftover[] = [
  ...["events", "rows", "streaming", "once", "blob_holds"].map((table) => ({
    what: `rows of ${table} without a conversation`,
    table,
    where: NO_STREAM(table),
  })),
  {
    what: "pieces of contents that do not exist",
    table: "blob_pieces",
    where: "NOT EXISTS (SELECT 1 FROM blobs WHERE blobs.id = blob_pieces.blob)",
  },
  {
    what: "firings of triggers that do not exist",
    table: "firings",
    where: "NOT EXISTS (SELECT 1 FROM triggers WHERE triggers.id = firings.trigger_id)",
  },
]

export async function checkLeftovers(db: DoctorDatabase): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { what, table, where } of [...LEFTOVERS, ...db.sql.leftovers]) {
    const [found] = await db.all<{ count: number }>(`SELECT count(*) AS count FROM ${table} WHERE ${where}`)
    if (found !== undefined && found.count > 0)
      findings.push({
        check: "leftovers",
        severity: "warning",
        subject: "",
        detail: `${found.count} ${what}.`,
        remedy: { kind: "leftovers", statement: `DELETE FROM ${table} WHERE ${where}` },
      })
  }
  return findings
}

type Leased = { readonly id: number; readonly agent: string; readonly branch: string; readonly person: string }

/** The next server that starts continues these conversations; a repair frees them. */
export async function checkLeases(db: DoctorDatabase): Promise<Finding[]> {
  const expired = db.isAlone ? Number.MAX_SAFE_INTEGER : await db.now()
  const leased = await db.all<Leased>(
    "SELECT id, agent, branch, person FROM streams WHERE owner IS NOT NULL AND lease_until <= ?1 ORDER BY id",
    [expired],
  )
  return leased.map(({ id, agent, branch, person }) => ({
    check: "leases",
    severity: "warning",
    subject: `${agent}/${branch} of ${person}`,
    detail: "Its server is gone and did not release it. Any server continues it.",
    remedy: { kind: "lease", stream: id },
  }))
}

/** What each person has, counted again. People whose older logs are still being counted are left out. */
const COUNTED = `
  SELECT person, sum(conversations) AS conversations, sum(log_bytes) AS "logBytes", sum(file_bytes) AS "fileBytes",
    sum(files) AS files FROM (
    SELECT person, CASE WHEN kind = 'conversation' AND head > 0 THEN 1 ELSE 0 END AS conversations,
      bytes AS log_bytes, 0 AS file_bytes,
      (SELECT count(*) FROM rows WHERE rows.stream = streams.id AND rows.collection = 'files') AS files FROM streams WHERE kind <> 'feed'
    UNION ALL SELECT person, 0, 0, bytes, 0 FROM contents_held
    UNION ALL SELECT person, 0, 0, 0, 1 FROM attachments
    UNION ALL SELECT person, 0, 0, 0, 0 FROM stored
  ) AS parts GROUP BY person`

export type Counted = {
  readonly person: string
  readonly conversations: number
  readonly logBytes: number
  readonly fileBytes: number
  readonly files: number
}

export async function checkCounts(db: DoctorDatabase): Promise<Finding[]> {
  const wrong = await countedPeople(db, "", [])
  return wrong.map(({ person }) => ({
    check: "counts",
    severity: "warning",
    subject: person,
    detail: "What is stored for this person is counted wrong, so their quota is.",
    remedy: { kind: "counts", person },
  }))
}

/** Only people whose stored count differs. */
export function countedPeople(db: DoctorDatabase, where: string, values: readonly Cell[]): Promise<readonly Counted[]> {
  return db.all<Counted>(
    `SELECT c.person, c.conversations, c."logBytes", c."fileBytes", c.files FROM (${COUNTED}) AS c
     LEFT JOIN stored s ON s.person = c.person
     WHERE (coalesce(s.conversations, 0) <> c.conversations OR coalesce(s.conversation_bytes, 0) <> c."logBytes"
       OR coalesce(s.file_bytes, 0) <> c."fileBytes" OR coalesce(s.files, 0) <> c.files)
       AND NOT EXISTS (SELECT 1 FROM streams u WHERE u.person = c.person AND u.uncounted > 0) ${where}
     ORDER BY c.person`,
    values,
  )
}
