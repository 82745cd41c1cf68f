/** What people set for themselves (SET-5). */
import type { PreferenceRecord } from "@parlor/core"
import { DELETING } from "../deletion-row.ts"
import { LINKED } from "../link-row.ts"
import { type PreferenceRow, toPreferences } from "../preference-row.ts"
import { type Database, transaction } from "./connect.ts"

export const PREFERENCES_STEP = `
  CREATE TABLE IF NOT EXISTS preferences (
    person TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    value TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE TRIGGER IF NOT EXISTS preferences_owner BEFORE INSERT ON preferences
  WHEN EXISTS (SELECT 1 FROM links WHERE name = NEW.person)
  BEGIN
    SELECT RAISE(ABORT, '${LINKED}');
  END;
  CREATE TRIGGER IF NOT EXISTS preferences_deleting BEFORE INSERT ON preferences
  WHEN EXISTS (SELECT 1 FROM deletions WHERE person = NEW.person)
  BEGIN
    SELECT RAISE(ABORT, '${DELETING}');
  END;
`

const ONE = "SELECT version, value FROM preferences WHERE person = ?"

export class PreferenceReads {
  readonly db: Database
  readonly #one

  constructor(db: Database) {
    this.db = db
    this.#one = db.prepare(ONE)
  }

  read(person: string): PreferenceRecord | undefined {
    const row = this.#one.get(person) as PreferenceRow | undefined
    return row && toPreferences(row)
  }
}

export class PreferenceWrites {
  readonly db: Database
  readonly #one
  readonly #put

  constructor(db: Database) {
    this.db = db
    this.#one = db.prepare(ONE)
    this.#put = db.prepare(
      `INSERT INTO preferences (person, version, value) VALUES (?, ?, ?)
       ON CONFLICT (person) DO UPDATE SET version = excluded.version, value = excluded.value`,
    )
  }

  write(person: string, { version, value }: PreferenceRecord): boolean {
    return transaction(this.db, () => {
      const before = this.#one.get(person) as PreferenceRow | undefined
      if ((before?.version ?? 0) !== version - 1) return false
      this.#put.run(person, version, JSON.stringify(value))
      return true
    })
  }
}
