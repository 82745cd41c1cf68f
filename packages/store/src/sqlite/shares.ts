/** Shares of conversations (SHR-1). A change of one and its audit entry are one transaction. */
import type { AuditEntry, ShareBounds, ShareRecord } from "@parlor/core"
import { DELETING } from "../deletion-row.ts"
import { LINKED } from "../link-row.ts"
import { IS_ACTIVE, SHARE_COLUMNS, type ShareRow, shareCells, toShare } from "../share-row.ts"
import { type Database, transaction } from "./connect.ts"

export const SHARES_STEP = `
  CREATE TABLE IF NOT EXISTS shares (
    id TEXT PRIMARY KEY,
    person TEXT NOT NULL,
    stream INTEGER NOT NULL,
    -- None for a link.
    viewer TEXT,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    value TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS shares_person ON shares (person, created_at);
  CREATE INDEX IF NOT EXISTS shares_stream ON shares (stream);
  CREATE INDEX IF NOT EXISTS shares_viewer ON shares (viewer, created_at) WHERE viewer IS NOT NULL;
  CREATE TRIGGER IF NOT EXISTS shares_owner BEFORE INSERT ON shares
  WHEN EXISTS (SELECT 1 FROM links WHERE name = NEW.person)
  BEGIN
    SELECT RAISE(ABORT, '${LINKED}');
  END;
  CREATE TRIGGER IF NOT EXISTS shares_deleting BEFORE INSERT ON shares
  WHEN EXISTS (SELECT 1 FROM deletions WHERE person IN (NEW.person, NEW.viewer))
  BEGIN
    SELECT RAISE(ABORT, '${DELETING}');
  END;
`

export class ShareReads {
  readonly db: Database
  readonly #byId
  readonly #of
  readonly #with

  constructor(db: Database) {
    this.db = db
    const select = `SELECT ${SHARE_COLUMNS} FROM shares`
    this.#byId = db.prepare(`${select} WHERE id = ?`)
    this.#of = db.prepare(`${select} WHERE person = ? ORDER BY created_at DESC, id DESC`)
    this.#with = db.prepare(`${select} WHERE ${IS_ACTIVE} AND viewer = ?2 ORDER BY created_at DESC, id DESC LIMIT ?3`)
  }

  findAll(ids: readonly string[]): ShareRecord[] {
    return ids.flatMap((id) => (this.#byId.all(id) as ShareRow[]).map(toShare))
  }

  of(person: string): ShareRecord[] {
    return (this.#of.all(person) as ShareRow[]).map(toShare)
  }

  sharedWith(viewer: string, { now, limit }: { readonly now: number; readonly limit: number }): ShareRecord[] {
    return (this.#with.all(now, viewer, limit) as ShareRow[]).map(toShare)
  }
}

export class ShareWrites {
  readonly db: Database
  readonly #stream
  readonly #viewer
  readonly #active
  readonly #add
  readonly #ended
  readonly #delete
  readonly #own
  readonly #revoke
  readonly #audit

  constructor(db: Database) {
    this.db = db
    this.#stream = db.prepare("SELECT 1 FROM streams WHERE id = ?")
    this.#viewer = db.prepare(
      "SELECT 1 WHERE EXISTS (SELECT 1 FROM streams WHERE person = ?1) OR EXISTS (SELECT 1 FROM keys WHERE person = ?1)",
    )
    this.#active = db.prepare(`SELECT count(*) AS count FROM shares WHERE ${IS_ACTIVE} AND person = ?2`)
    this.#add = db.prepare(`INSERT INTO shares (${SHARE_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`)
    this.#ended = db.prepare(
      `SELECT id FROM shares WHERE person = ?2 AND NOT (${IS_ACTIVE}) ORDER BY created_at DESC, id DESC LIMIT -1 OFFSET ?3`,
    )
    this.#delete = db.prepare("DELETE FROM shares WHERE id = ?")
    this.#own = db.prepare(`SELECT ${SHARE_COLUMNS} FROM shares WHERE ${IS_ACTIVE} AND person = ?2 AND id = ?3`)
    this.#revoke = db.prepare("UPDATE shares SET revoked_at = ? WHERE id = ?")
    this.#audit = db.prepare("INSERT INTO audit (at, person, act, subject) VALUES (?, ?, ?, ?)")
  }

  add(share: ShareRecord, { most, ended }: ShareBounds, audit: AuditEntry): "added" | "full" | "gone" | "no-viewer" {
    const { person, stream, viewer, createdAt: now } = share
    return transaction(this.db, () => {
      if (this.#stream.get(stream) === undefined) return "gone"
      if (viewer !== null && this.#viewer.get(viewer) === undefined) return "no-viewer"
      if ((this.#active.get(now, person) as { readonly count: number }).count >= most) return "full"
      this.#add.run(...shareCells(share))
      for (const { id } of this.#ended.all(now, person, ended) as { readonly id: string }[]) this.#delete.run(id)
      this.#note(audit)
      return "added"
    })
  }

  revoke(person: string, id: string, audit: AuditEntry): ShareRecord | undefined {
    return transaction(this.db, () => {
      const row = this.#own.get(audit.at, person, id) as ShareRow | undefined
      if (row === undefined) return undefined
      this.#revoke.run(audit.at, id)
      this.#note(audit)
      return toShare(row)
    })
  }

  #note({ at, person, act, subject }: AuditEntry): void {
    this.#audit.run(at, person, act, subject)
  }
}
