/**
 * A connection with the settings that durability depends on. The driver defaults to `synchronous=NORMAL`: no fsync per
 * commit.
 */
import { DatabaseSync, type DatabaseSyncInstance } from "@photostructure/sqlite"

export type Database = DatabaseSyncInstance

const BUSY_TIMEOUT_MS = 5_000
const WAL_KEPT_BYTES = 64 * 1024 * 1024
/** The system caches the file too; a larger cache gains little and costs every idle server memory. */
const CACHE_KIB = 2 * 1024
const SYNCHRONOUS_FULL = 2

export function connectWriter(path: string, options: { readonly maxPages?: number } = {}): Database {
  const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS })
  // Before there is anything in it; `file/vacuum.ts` handles older databases. It writes even if nothing changes.
  if (readPragma(db, "page_count") === 0) db.exec("PRAGMA auto_vacuum = INCREMENTAL")
  // Checkpoints are done by `file/upkeep.ts`.
  db.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA wal_autocheckpoint = 0;
    PRAGMA journal_size_limit = ${WAL_KEPT_BYTES};
    PRAGMA cache_size = -${CACHE_KIB};
  `)
  if (options.maxPages !== undefined) db.exec(`PRAGMA max_page_count = ${options.maxPages}`)
  expectPragma(db, "journal_mode", "wal")
  expectPragma(db, "synchronous", SYNCHRONOUS_FULL)
  return db
}

export function connectReader(path: string): Database {
  const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, readOnly: true })
  db.exec(`PRAGMA cache_size = -${CACHE_KIB}`)
  return db
}

/** Runs `work` in a transaction. Anything it throws rolls back. */
export function transaction<T>(db: Database, work: () => T): T {
  db.exec("BEGIN IMMEDIATE")
  try {
    const result = work()
    db.exec("COMMIT")
    return result
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK")
    throw error
  }
}

/**
 * Runs `work` without waiting for the disk: what it writes becomes durable with the next commit, because both are in
 * one log. For data that has no effect until something else refers to it.
 */
export function unhurried<T>(db: Database, work: () => T): T {
  db.exec("PRAGMA synchronous = NORMAL")
  try {
    return work()
  } finally {
    db.exec("PRAGMA synchronous = FULL")
  }
}

/** Runs `work` so that what it deletes or replaces is overwritten in the file, not only unlinked. */
export function erasing<T>(db: Database, work: () => T): T {
  db.exec("PRAGMA secure_delete = ON")
  try {
    return work()
  } finally {
    db.exec("PRAGMA secure_delete = OFF")
  }
}

/** For a migration step that may run again. */
export function addColumn(db: Database, table: string, column: string): void {
  const name = column.split(" ")[0]
  const known = db.prepare(`SELECT 1 FROM pragma_table_info('${table}') WHERE name = ?`).get(name ?? "")
  if (known === undefined) db.exec(`ALTER TABLE ${table} ADD COLUMN ${column}`)
}

export function readPragma(db: Database, name: string): unknown {
  const row = db.prepare(`PRAGMA ${name}`).get() as Record<string, unknown> | undefined
  return row?.[name]
}

function expectPragma(db: Database, name: string, wanted: string | number): void {
  const value = readPragma(db, name)
  if (value !== wanted) throw new Error(`PRAGMA ${name} is ${String(value)}, not ${wanted}: not durable`)
}
