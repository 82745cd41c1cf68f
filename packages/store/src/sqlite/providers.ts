/** Connected model providers (MOD-15). A change, its number and its audit entry are one transaction. */
import type { AuditEntry, ProviderRecord } from "@parlor/core"
import { PROVIDER_COLUMNS, type ProviderRow, providerCells, toProvider } from "../provider-row.ts"
import { type Database, transaction } from "./connect.ts"

export class ProviderReads {
  readonly db: Database
  readonly #all
  readonly #version

  constructor(db: Database) {
    this.db = db
    this.#all = db.prepare(`SELECT ${PROVIDER_COLUMNS} FROM providers ORDER BY provider`)
    this.#version = db.prepare("SELECT value FROM meta WHERE name = 'providers'")
  }

  all(): ProviderRecord[] {
    return (this.#all.all() as ProviderRow[]).map(toProvider)
  }

  version(): number {
    return Number((this.#version.get() as { readonly value: string } | undefined)?.value ?? 0)
  }
}

export class ProviderWrites {
  readonly db: Database
  readonly #put
  readonly #remove
  readonly #count
  readonly #audit

  constructor(db: Database) {
    this.db = db
    this.#put = db.prepare(`INSERT OR REPLACE INTO providers (${PROVIDER_COLUMNS}) VALUES (?, ?, ?)`)
    this.#remove = db.prepare("DELETE FROM providers WHERE provider = ?")
    this.#count = db.prepare(
      "INSERT INTO meta VALUES ('providers', '1') ON CONFLICT (name) DO UPDATE SET value = CAST(value AS INTEGER) + 1",
    )
    this.#audit = db.prepare("INSERT INTO audit (at, person, act, subject) VALUES (?, ?, ?, ?)")
  }

  put(record: ProviderRecord, audit: AuditEntry): void {
    transaction(this.db, () => {
      this.#put.run(...providerCells(record))
      this.#changed(audit)
    })
  }

  remove(provider: string, audit: AuditEntry): boolean {
    return transaction(this.db, () => {
      if (this.#remove.run(provider).changes === 0) return false
      this.#changed(audit)
      return true
    })
  }

  #changed({ at, person, act, subject }: AuditEntry): void {
    this.#count.run()
    this.#audit.run(at, person, act, subject)
  }
}
