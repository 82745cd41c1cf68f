/** Deletes a person (SEC-25). Triggers make sure that nothing is created under a marked name. */
import type { AuditEntry, Deletion } from "@parlor/core"
import { ATTACHMENTS_AT_ONCE, DELETED, DELETING, HAS_ANYTHING, OWNED, quotedName } from "../deletion-row.ts"
import { LEFT_OF } from "../leftover-row.ts"
import type { BlobWrites } from "./blobs.ts"
import { type Database, transaction } from "./connect.ts"
import type { MemoryWrites } from "./memories.ts"

const guard = (name: string, table: string, owner: string) => `
  CREATE TRIGGER IF NOT EXISTS ${name} BEFORE INSERT ON ${table}
  WHEN EXISTS (SELECT 1 FROM deletions WHERE person = NEW.${owner})
  BEGIN
    SELECT RAISE(ABORT, '${DELETING}');
  END;`

export const DELETIONS_STEP = `
  CREATE TABLE IF NOT EXISTS deletions (
    person TEXT PRIMARY KEY,
    -- None while there is something left.
    done_at INTEGER
  ) WITHOUT ROWID;
  ${Object.entries(OWNED)
    .map(([table, owner]) => guard(`${table}_deleting`, table, owner))
    .join("")}
  ${guard("links_deleting", "links", "person")}
  ${guard("links_name_deleting", "links", "name")}
`

export class DeletionReads {
  readonly db: Database
  readonly #all

  constructor(db: Database) {
    this.db = db
    this.#all = db.prepare("SELECT person, done_at FROM deletions ORDER BY person")
  }

  all(): Deletion[] {
    const rows = this.#all.all() as { readonly person: string; readonly done_at: number | null }[]
    return rows.map(({ person, done_at }) => ({ person, isDone: done_at !== null }))
  }
}

export class DeletionWrites {
  readonly db: Database
  readonly #held: { readonly blobs: BlobWrites; readonly memories: MemoryWrites }
  readonly #known
  readonly #has
  readonly #mark
  readonly #audit
  readonly #attached
  readonly #left
  readonly #delete
  readonly #blank
  readonly #done
  readonly #end

  constructor(db: Database, held: { readonly blobs: BlobWrites; readonly memories: MemoryWrites }) {
    this.db = db
    this.#held = held
    this.#known = db.prepare("SELECT 1 FROM deletions WHERE person = ?")
    this.#has = db.prepare(HAS_ANYTHING)
    this.#mark = db.prepare("INSERT INTO deletions (person) VALUES (?)")
    this.#audit = db.prepare("INSERT INTO audit (at, person, act, subject) VALUES (?, ?, ?, ?)")
    this.#attached = db.prepare("SELECT hash FROM attachments WHERE person = ? LIMIT ?")
    this.#left = db.prepare(LEFT_OF)
    this.#delete = DELETED.map((text) => db.prepare(text))
    this.#blank = db.prepare("UPDATE audit SET subject = '' WHERE act LIKE 'name.%' AND instr(subject, ?) > 0")
    this.#done = db.prepare("UPDATE deletions SET done_at = ? WHERE person = ?")
    this.#end = db.prepare("DELETE FROM deletions WHERE done_at <= ?")
  }

  begin(person: string, { at, person: by, act, subject }: AuditEntry): "begun" | "running" | "nothing" {
    return transaction(this.db, () => {
      if (this.#known.get(person) !== undefined) return "running"
      if (this.#has.get(person) === undefined) return "nothing"
      this.#mark.run(person)
      this.#audit.run(at, by, act, subject)
      return "begun"
    })
  }

  slice(person: string): boolean {
    const attached = this.#attached.all(person, ATTACHMENTS_AT_ONCE) as { readonly hash: string }[]
    for (const { hash } of attached) this.#held.blobs.detach(person, hash)
    if (attached.length > 0 || this.#left.get(person) !== undefined) return false
    transaction(this.db, () => {
      this.#held.memories.deleteAll(person)
      for (const statement of this.#delete) statement.run(person)
      this.#blank.run(quotedName(person))
      this.#done.run(Date.now(), person)
    })
    return true
  }

  end(lingerMs: number): void {
    this.#end.run(Date.now() - lingerMs)
  }
}
