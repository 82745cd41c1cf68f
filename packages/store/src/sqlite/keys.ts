/**
 * API keys, and which key seals the secrets of this database (SEC-29). A change of an API key and its audit entry are
 * one transaction.
 */
import type { AuditEntry, KeyRecord } from "@parlor/core"
import { type EndedKey, KEY_COLUMNS, type KeyRow, keyCells, madeFrom, toKey } from "../key-row.ts"
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

  of(person: string): KeyRecord[] {
    return (this.#ofPerson.all(person) as KeyRow[]).map(toKey)
  }

  find(hash: string): KeyRecord | undefined {
    const row = this.#byHash.get(hash) as KeyRow | undefined
    return row && toKey(row)
  }

  findAll(hashes: readonly string[]): KeyRecord[] {
    return hashes.flatMap((hash) => this.find(hash) ?? [])
  }
}

export class KeyWrites {
  readonly db: Database
  readonly #add
  readonly #maker
  readonly #own
  readonly #ended
  readonly #revoke
  readonly #audit

  constructor(db: Database) {
    this.db = db
    this.#add = db.prepare(`INSERT INTO keys (${KEY_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
    this.#maker = db.prepare("SELECT 1 FROM keys WHERE id = ? AND revoked_at IS NULL")
    this.#own = db.prepare("SELECT 1 FROM keys WHERE person = ? AND id = ?")
    this.#ended = db.prepare(`${madeFrom("?")} SELECT keys.id, revoked_at FROM keys JOIN ended ON keys.id = ended.id`)
    // A key that was already revoked keeps its first date.
    this.#revoke = db.prepare("UPDATE keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL")
    this.#audit = db.prepare("INSERT INTO audit (at, person, act, subject) VALUES (?, ?, ?, ?)")
  }

  add(key: KeyRecord, audit: AuditEntry): boolean {
    return transaction(this.db, () => {
      if (key.madeBy !== null && this.#maker.get(key.madeBy) === undefined) return false
      this.#add.run(...keyCells(key))
      this.#note(audit)
      return true
    })
  }

  revoke(person: string, id: string, audit: AuditEntry): readonly string[] {
    return transaction(this.db, () => {
      if (this.#own.get(person, id) === undefined) return []
      const others = (this.#ended.all(id) as EndedKey[]).filter((key) => key.id !== id)
      const ended = [id, ...others.map((key) => key.id)]
      for (const one of ended) this.#revoke.run(audit.at, one)
      this.#note(audit)
      for (const key of others) if (key.revoked_at === null) this.#note({ ...audit, subject: key.id })
      return ended
    })
  }

  #note({ at, person, act, subject }: AuditEntry): void {
    this.#audit.run(at, person, act, subject)
  }
}

export class SecretKeyReads {
  readonly db: Database
  readonly #read

  constructor(db: Database) {
    this.db = db
    this.#read = db.prepare("SELECT value FROM meta WHERE name = 'secret_key'")
  }

  secretKey(): string | undefined {
    return (this.#read.get() as { readonly value: string } | undefined)?.value
  }
}

export class SecretKeyWrites {
  readonly db: Database
  readonly #first
  readonly #next

  constructor(db: Database) {
    this.db = db
    this.#first = db.prepare("INSERT INTO meta VALUES ('secret_key', ?) ON CONFLICT DO NOTHING")
    this.#next = db.prepare("UPDATE meta SET value = ? WHERE name = 'secret_key' AND value = ?")
  }

  setSecretKey(id: string, before: string | undefined): boolean {
    return (before === undefined ? this.#first.run(id) : this.#next.run(id, before)).changes === 1
  }
}
