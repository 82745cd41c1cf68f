/** Keys people sign in with. A change and its audit line are one transaction. */
import type { AuditEntry, KeyRecord } from "@parlor/core"
import { KEY_COLUMNS, type KeyRow, keyCells, toKey } from "../key-row.ts"
import { type Database, transaction } from "./connect.ts"

export class KeyReads {
  readonly db: Database
  readonly #ofPerson
  readonly #byHash

  constructor(db: Database) {
    this.db = db
    this.#ofPerson = db.prepare(`SELECT ${KEY_COLUMNS} FROM keys WHERE person = ? ORDER BY created_at, id`)
    this.#byHash = db.prepare(`SELECT ${KEY_COLUMNS} FROM keys WHERE hash = ?`)
  }

  ofPerson(person: string): KeyRecord[] {
    return (this.#ofPerson.all(person) as KeyRow[]).map(toKey)
  }

  byHash(hash: string): KeyRecord | undefined {
    const row = this.#byHash.get(hash) as KeyRow | undefined
    return row && toKey(row)
  }

  byHashes(hashes: readonly string[]): KeyRecord[] {
    return hashes.flatMap((hash) => this.byHash(hash) ?? [])
  }
}

export class KeyWrites {
  readonly db: Database
  readonly #add
  readonly #revoke
  readonly #audit

  constructor(db: Database) {
    this.db = db
    this.#add = db.prepare(`INSERT INTO keys (${KEY_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
    // A key that was revoked before keeps its first date.
    this.#revoke = db.prepare("UPDATE keys SET revoked_at = coalesce(revoked_at, ?) WHERE person = ? AND id = ?")
    this.#audit = db.prepare("INSERT INTO audit (at, person, act, subject) VALUES (?, ?, ?, ?)")
  }

  add(key: KeyRecord, audit: AuditEntry): void {
    transaction(this.db, () => {
      this.#add.run(...keyCells(key))
      this.#note(audit)
    })
  }

  revoke(person: string, id: string, audit: AuditEntry): boolean {
    return transaction(this.db, () => {
      if (this.#revoke.run(audit.at, person, id).changes === 0) return false
      this.#note(audit)
      return true
    })
  }

  #note({ at, person, act, subject }: AuditEntry): void {
    this.#audit.run(at, person, act, subject)
  }
}
