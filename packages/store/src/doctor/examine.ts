/**
 * `parlor doctor`: checks a whole database, and repairs what the log can repair (OPS-23, OPS-24).
 *
 *   examine ──findings──▶ repair, if asked ──▶ examine again: what is left
 *
 * An examination reads one snapshot and changes nothing, so servers may run meanwhile.
 */
import { checkContents } from "./check-contents.ts"
import { checkLogs } from "./check-log.ts"
import { checkCounts, checkLeases, checkLeftovers } from "./check-rest.ts"
import type { DoctorDatabase } from "./doctor-database.ts"
import type { Checked, Finding } from "./finding.ts"
import { repair } from "./repair.ts"

export type Examination = {
  readonly checked: Readonly<Checked>
  readonly findings: readonly Finding[]
  /** What a repair has mended. */
  readonly repaired: readonly Finding[]
}

export async function examine(db: DoctorDatabase, options: { readonly repair: boolean }): Promise<Examination> {
  const first = await look(db)
  if (!options.repair) return { ...first, repaired: [] }
  for (const { remedy } of first.findings) if (remedy !== undefined) await repair(db, remedy)
  const second = await look(db)
  const left = new Set(second.findings.map(nameOf))
  return { ...second, repaired: first.findings.filter((finding) => !left.has(nameOf(finding))) }
}

async function look(db: DoctorDatabase): Promise<Omit<Examination, "repaired">> {
  const checked: Checked = { streams: 0, events: 0, rows: 0, contents: 0 }
  const damage = await db.integrity()
  // Nothing that is read from a damaged file can be trusted.
  if (damage.length > 0) return { checked, findings: damage.map(damaged) }
  return db.snapshot(async () => {
    const findings = [
      ...(await checkLogs(db, checked)),
      ...(await checkContents(db, checked)),
      ...(await checkLeftovers(db)),
      ...(await checkLeases(db)),
      ...(await checkCounts(db)),
    ]
    return { checked, findings }
  })
}

function damaged(detail: string): Finding {
  return {
    check: "file",
    severity: "error",
    subject: "",
    detail: `The database file is damaged: ${detail}. Restore a backup.`,
  }
}

function nameOf({ check, subject, detail }: Finding): string {
  return `${check}\n${subject}\n${detail}`
}
