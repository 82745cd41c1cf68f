/** Linked names (ADR-4). Triggers on the tables make sure that a linked name owns nothing. */
import type { AuditEntry, Belongings, Linked, LinkRecord, LinksOf } from "@parlor/core"
import { BELONGINGS, LINK_COLUMNS, type LinkOptions, type LinkRow, settled, toLink } from "../link-row.ts"
import type { BlobWrites } from "./blobs.ts"
import { type Database, transaction } from "./connect.ts"
import type { StreamWrites } from "./streams.ts"

const BY_NAME = `SELECT ${LINK_COLUMNS} FROM links WHERE name = ?`

export class LinkReads {
  readonly db: Database
  readonly #of
  readonly #byName

  constructor(db: Database) {
    this.db = db
    this.#of = db.prepare(
      `SELECT ${LINK_COLUMNS} FROM links
       WHERE name > ?1 AND (person = ?2 OR substr(person, 1, length(?3)) = ?3) ORDER BY name LIMIT ?4`,
    )
    this.#byName = db.prepare(BY_NAME)
  }

  list(
    { person, prefix }: LinksOf,
    { after, limit }: { readonly after: string; readonly limit: number },
  ): LinkRecord[] {
    return (this.#of.all(after, person, prefix ?? null, limit) as LinkRow[]).map(toLink)
  }

  named(names: readonly string[]): LinkRecord[] {
    return names.flatMap((name) => (this.#byName.all(name) as LinkRow[]).map(toLink))
  }
}

export class LinkWrites {
  readonly db: Database
  readonly #held: { readonly streams: StreamWrites; readonly blobs: BlobWrites }
  readonly #byName
  readonly #count
  readonly #belongings
  readonly #add
  readonly #delete
  readonly #audit

  constructor(db: Database, held: { readonly streams: StreamWrites; readonly blobs: BlobWrites }) {
    this.db = db
    this.#held = held
    this.#byName = db.prepare(BY_NAME)
    this.#count = db.prepare("SELECT count(*) AS count FROM links WHERE person = ?")
    this.#belongings = db.prepare(BELONGINGS)
    this.#add = db.prepare(`INSERT INTO links (${LINK_COLUMNS}) VALUES (?, ?, ?)`)
    this.#delete = db.prepare("DELETE FROM links WHERE name = ? AND person = ?")
    this.#audit = db.prepare("INSERT INTO audit (at, person, act, subject) VALUES (?, ?, ?, ?)")
  }

  link(record: LinkRecord, options: LinkOptions, audit: AuditEntry): Linked {
    const { name, person, createdAt } = record
    return transaction(this.db, () => {
      const known = [name, person].flatMap((one) => this.#byName.all(one) as LinkRow[])
      const has = this.#belongings.get(name) as Belongings
      const facts = { known, ofName: this.#countOf(name), ofPerson: this.#countOf(person), has: { ...has } }
      const answer = settled(record, facts, options)
      if (answer !== undefined) return answer
      this.#held.streams.dropUnwritten(name)
      this.#held.blobs.dropAttachments(name)
      this.#add.run(name, person, createdAt)
      this.#note(audit)
      return { ok: true, link: record }
    })
  }

  unlink({ name, person }: Pick<LinkRecord, "name" | "person">, audit: AuditEntry): boolean {
    return transaction(this.db, () => {
      if (this.#delete.run(name, person).changes === 0) return false
      this.#note(audit)
      return true
    })
  }

  #countOf(person: string): number {
    return (this.#count.get(person) as { readonly count: number }).count
  }

  #note({ at, person, act, subject }: AuditEntry): void {
    this.#audit.run(at, person, act, subject)
  }
}
