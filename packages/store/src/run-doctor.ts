import type { DoctorDatabase } from "./doctor/doctor-database.ts"
import { type Examination, examine } from "./doctor/examine.ts"

export type DoctorOptions = {
  /** An SQLite file, or the address of a PostgreSQL database. */
  readonly at: { readonly path: string } | { readonly url: string; readonly schema?: string }
  readonly repair: boolean
}

/** Checks a whole database, and repairs it if asked to. Loads only the driver it needs. */
export async function runDoctor({ at, repair }: DoctorOptions): Promise<Examination> {
  const db = await open(at, repair)
  try {
    return await examine(db, { repair })
  } finally {
    await db.close()
  }
}

async function open(at: DoctorOptions["at"], repair: boolean): Promise<DoctorDatabase> {
  if ("path" in at) return (await import("./doctor/sqlite-doctor.ts")).openSqliteDoctor(at.path, { repair })
  return (await import("./doctor/postgres-doctor.ts")).openPostgresDoctor(at.url, at.schema)
}
