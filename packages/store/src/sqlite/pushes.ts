/** Browsers that receive web push, and the server's key pair (APP-6). */
import type { PushKeysRecord, PushRecord } from "@parlor/core"
import { DELETING } from "../deletion-row.ts"
import { LINKED } from "../link-row.ts"
import { PUSH_COLUMNS, PUSH_KEYS, type PushRow, pushCells, toPush, toPushKeys } from "../push-row.ts"
import { type Database, transaction } from "./connect.ts"

export const PUSHES_STEP = `
  CREATE TABLE IF NOT EXISTS pushes (
    id TEXT PRIMARY KEY,
    person TEXT NOT NULL,
    seen_at INTEGER NOT NULL,
    value TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS pushes_person ON pushes (person, seen_at);
  CREATE TRIGGER IF NOT EXISTS pushes_owner BEFORE INSERT ON pushes
  WHEN EXISTS (SELECT 1 FROM links WHERE name = NEW.person)
  BEGIN
    SELECT RAISE(ABORT, '${LINKED}');
  END;
  CREATE TRIGGER IF NOT EXISTS pushes_deleting BEFORE INSERT ON pushes
  WHEN EXISTS (SELECT 1 FROM deletions WHERE person = NEW.person)
  BEGIN
    SELECT RAISE(ABORT, '${DELETING}');
  END;
`

const KEYS = "SELECT value FROM meta WHERE name = ?"

export class PushReads {
  readonly db: Database
  readonly #of
  readonly #keys

  constructor(db: Database) {
    this.db = db
    this.#of = db.prepare(`SELECT ${PUSH_COLUMNS} FROM pushes WHERE person = ? ORDER BY seen_at DESC, id`)
    this.#keys = db.prepare(KEYS)
  }

  of(person: string): PushRecord[] {
    return (this.#of.all(person) as PushRow[]).map(toPush)
  }

  keys(): PushKeysRecord | undefined {
    return toPushKeys((this.#keys.get(PUSH_KEYS) as { readonly value: string } | undefined)?.value)
  }
}

export class PushWrites {
  readonly db: Database
  readonly #put
  readonly #trim
  readonly #remove
  readonly #keys
  readonly #putKeys

  constructor(db: Database) {
    this.db = db
    this.#put = db.prepare(`INSERT OR REPLACE INTO pushes (${PUSH_COLUMNS}) VALUES (?, ?, ?, ?)`)
    this.#trim = db.prepare(
      `DELETE FROM pushes WHERE id IN
         (SELECT id FROM pushes WHERE person = ? ORDER BY seen_at DESC, id LIMIT -1 OFFSET ?)`,
    )
    this.#remove = db.prepare("DELETE FROM pushes WHERE person = ? AND id = ?")
    this.#keys = db.prepare(KEYS)
    this.#putKeys = db.prepare("INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value")
  }

  put(record: PushRecord, most: number): void {
    transaction(this.db, () => {
      this.#put.run(...pushCells(record))
      this.#trim.run(record.person, most)
    })
  }

  remove(person: string, id: string): boolean {
    return this.#remove.run(person, id).changes > 0
  }

  setKeys(record: PushKeysRecord, before: string | undefined): boolean {
    return transaction(this.db, () => {
      const row = this.#keys.get(PUSH_KEYS) as { readonly value: string } | undefined
      if (toPushKeys(row?.value)?.publicKey !== before) return false
      this.#putKeys.run(PUSH_KEYS, JSON.stringify(record))
      return true
    })
  }
}
