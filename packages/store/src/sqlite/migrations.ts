/** The tables, as a numbered list of steps. A step that was released is never changed; a new one is added. */
import { type Database, transaction } from "./connect.ts"

const steps: readonly string[] = [
  `
  CREATE TABLE streams (
    -- AUTOINCREMENT: the id of a removed stream is never given to another.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    agent TEXT NOT NULL,
    person TEXT NOT NULL,
    branch TEXT NOT NULL,
    head INTEGER NOT NULL DEFAULT 0,
    control INTEGER NOT NULL DEFAULT 0,
    epoch INTEGER NOT NULL DEFAULT 0,
    batch INTEGER NOT NULL DEFAULT 0,
    owner TEXT,
    lease_until INTEGER NOT NULL DEFAULT 0,
    active INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    UNIQUE (kind, agent, person, branch)
  );
  CREATE INDEX streams_active ON streams (id) WHERE active = 1;

  CREATE TABLE events (
    stream INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    collection TEXT NOT NULL,
    key TEXT NOT NULL,
    op TEXT NOT NULL,
    value TEXT NOT NULL,
    txid TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (stream, seq)
  ) WITHOUT ROWID;

  CREATE TABLE rows (
    stream INTEGER NOT NULL,
    collection TEXT NOT NULL,
    key TEXT NOT NULL,
    ord INTEGER,
    place TEXT,
    value TEXT NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (stream, collection, key)
  ) WITHOUT ROWID;
  CREATE INDEX rows_ord ON rows (stream, collection, ord, key) WHERE ord IS NOT NULL;
  CREATE INDEX rows_place ON rows (stream, collection, place, key) WHERE place IS NOT NULL;

  -- Messages whose text is arriving: their deltas are in the log, from seq on.
  CREATE TABLE streaming (
    stream INTEGER NOT NULL,
    message TEXT NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (stream, message)
  ) WITHOUT ROWID;

  CREATE TABLE once (
    stream INTEGER NOT NULL,
    key TEXT NOT NULL,
    hash TEXT NOT NULL,
    answer TEXT NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (stream, key)
  ) WITHOUT ROWID;

  CREATE TABLE keys (
    id TEXT PRIMARY KEY,
    person TEXT NOT NULL,
    name TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    scopes TEXT NOT NULL,
    act_for TEXT,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER
  ) WITHOUT ROWID;
  CREATE INDEX keys_person ON keys (person, created_at);

  CREATE TABLE audit (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    person TEXT NOT NULL,
    act TEXT NOT NULL,
    subject TEXT NOT NULL
  );
  `,
]

export function migrate(db: Database): void {
  transaction(db, () => {
    db.exec("CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID")
    const version = schemaVersion(db)
    if (version > steps.length)
      throw new Error(
        `The database has schema ${version}; this Parlor knows schemas up to ${steps.length}. Use a newer Parlor.`,
      )
    if (version === steps.length) return
    for (const step of steps.slice(version)) db.exec(step)
    db.prepare("INSERT INTO meta VALUES ('schema', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value").run(
      String(steps.length),
    )
  })
}

function schemaVersion(db: Database): number {
  const row = db.prepare("SELECT value FROM meta WHERE name = 'schema'").get() as { readonly value: string } | undefined
  return row === undefined ? 0 : Number(row.value)
}
