/** Which key seals the secrets of this database (SEC-29). */
import type { Database } from "./connect.ts"

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
