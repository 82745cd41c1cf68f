/** Contents of files and attachments: held by someone, complete, and what their hash says. */
import { createHash } from "node:crypto"
import type { DoctorDatabase } from "./doctor-database.ts"
import type { Checked, Finding } from "./finding.ts"

const BLOBS_AT_ONCE = 500
const IS_HASH = /^[0-9a-f]{64}$/
const HOLDERS = `(
  SELECT hash FROM blob_holds UNION SELECT hash FROM attachments
)`

type BlobLine = { readonly id: number; readonly hash: string; readonly bytes: number; readonly held: number }

export async function checkContents(db: DoctorDatabase, checked: Checked): Promise<Finding[]> {
  const findings: Finding[] = []
  const missing = await db.all<{ hash: string }>(
    `SELECT held.hash FROM ${HOLDERS} AS held LEFT JOIN blobs ON blobs.hash = held.hash WHERE blobs.hash IS NULL`,
  )
  for (const { hash } of missing)
    findings.push(lost(hash, "The content of a file or an attachment is missing. Restore a backup to get it back."))
  for (let after = 0; ; ) {
    const blobs = await db.all<BlobLine>(
      `SELECT blobs.id, blobs.hash, blobs.bytes,
         (SELECT count(*) FROM ${HOLDERS} AS held WHERE held.hash = blobs.hash) AS held
       FROM blobs WHERE blobs.id > ?1 AND blobs.hash IS NOT NULL ORDER BY blobs.id LIMIT ?2`,
      [after, BLOBS_AT_ONCE],
    )
    for (const blob of blobs) findings.push(...(await checkContent(db, blob)))
    checked.contents += blobs.length
    const last = blobs.at(-1)
    if (last === undefined) return findings
    after = last.id
  }
}

async function checkContent(db: DoctorDatabase, { id, hash, bytes, held }: BlobLine): Promise<Finding[]> {
  if (held === 0)
    return [
      {
        check: "contents",
        severity: "warning",
        subject: hash,
        detail: `Nothing refers to this content (${bytes} bytes).`,
        remedy: { kind: "content", blob: id },
      },
    ]
  const digest = createHash("sha256")
  let length = 0
  for (let n = 0; ; n++) {
    const [piece] = await db.all<{ data: Uint8Array }>("SELECT data FROM blob_pieces WHERE blob = ?1 AND n = ?2", [
      id,
      n,
    ])
    if (piece === undefined) break
    digest.update(piece.data)
    length += piece.data.length
  }
  const isWhole = length === bytes && (!IS_HASH.test(hash) || digest.digest("hex") === hash)
  return isWhole ? [] : [lost(hash, `The content is damaged: ${length} of ${bytes} bytes are there, or they changed.`)]
}

function lost(subject: string, detail: string): Finding {
  return { check: "contents", severity: "error", subject, detail }
}
