/** The doctor's view of an SQLite file. Without a repair it is only read, even while a server uses it. */
import { existsSync } from "node:fs"
import type { Collection } from "@parlor/protocol"
import { FolderLock } from "../folder-lock.ts"
import { OperatorError } from "../operator-error.ts"
import { connectReader, connectWriter, type Database } from "../sqlite/connect.ts"
import { checkComplete } from "../sqlite/file/complete.ts"
import { checkSchema, isMigrated } from "../sqlite/migrations.ts"
import { RowWrites } from "../sqlite/rows.ts"
import { toWireError } from "../sqlite/thread/calls.ts"
import { type Cell, type Dialect, type DoctorDatabase, NOT_MIGRATED } from "./doctor-database.ts"

const PROBLEMS_SHOWN = 20

const sql: Dialect = {
  rowValue: "CASE WHEN r.large IS NULL THEN r.value WHEN r.large = 0 THEN e.value ELSE l.value END",
  joinValues: "LEFT JOIN large_values l ON l.id = r.large",
  field: (value, name) => `json_extract(${value}, '$.${name}')`,
  leftovers: [
    {
      what: "long values without a row",
      table: "large_values",
      where: "id NOT IN (SELECT large FROM rows WHERE large IS NOT NULL)",
    },
  ],
}

export function openSqliteDoctor(path: string, options: { readonly repair: boolean }): DoctorDatabase {
  if (!existsSync(path)) throw new OperatorError(`There is no database ${path}. Set PARLOR_DATA to the data folder.`)
  const lock = lockOf(path)
  if (lock === undefined && options.repair)
    throw new OperatorError("A server is using this database. Stop it first, then repair.")
  try {
    checkComplete(path)
    const db = options.repair ? connectWriter(path) : connectReader(path)
    try {
      checkVersion(db)
      return doctorOf(db, lock)
    } catch (error) {
      db.close()
      throw error
    }
  } catch (error) {
    lock?.release()
    throw error
  }
}

/** Undefined if a server has it. */
function lockOf(path: string): FolderLock | undefined {
  try {
    return new FolderLock(path)
  } catch {
    return undefined
  }
}

function checkVersion(db: Database): void {
  if (damageOf(db).length > 0) return
  checkSchema(db)
  if (!isMigrated(db)) throw new OperatorError(NOT_MIGRATED)
}

function doctorOf(db: Database, lock: FolderLock | undefined): DoctorDatabase {
  const rows = () => new RowWrites(db)
  return {
    sql,
    isAlone: lock !== undefined,
    all: async <R>(text: string, values: readonly Cell[] = []) => db.prepare(text).all(...values) as R[],
    integrity: async () => damageOf(db),
    now: async () => Date.now(),
    snapshot: (work) => within(db, "BEGIN", work),
    transaction: (work) => within(db, "BEGIN IMMEDIATE", work),
    lockStream: async () => undefined,
    putRow: async (stream, change, seq) => rows().put(stream, change, seq),
    deleteRow: async (stream, collection, key) => rows().delete(stream, { collection: collection as Collection, key }),
    close: async () => {
      db.close()
      lock?.release()
    },
  }
}

function damageOf(db: Database): readonly string[] {
  try {
    const found = db.prepare(`PRAGMA integrity_check(${PROBLEMS_SHOWN})`).all() as { integrity_check: string }[]
    return found.map((row) => row.integrity_check).filter((line) => line !== "ok")
  } catch (error) {
    return [toWireError(error).message]
  }
}

async function within<T>(db: Database, begin: string, work: () => Promise<T>): Promise<T> {
  db.exec(begin)
  try {
    const result = await work()
    db.exec("COMMIT")
    return result
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK")
    throw error
  }
}
