/** The tables, as a numbered list of steps. A step that was released is never changed; a new one is added. */
import { SLASH_COMMANDS_STEP } from "../collection-name.ts"
import { LINKED } from "../link-row.ts"
import { type Database, transaction } from "./connect.ts"
import { DELETIONS_STEP } from "./deletions.ts"
import { LEFTOVERS_STEP } from "./leftovers.ts"
import { PREFERENCES_STEP } from "./preferences.ts"
import { PUSHES_STEP } from "./pushes.ts"
import { SHARES_STEP } from "./shares.ts"
import { trimStep } from "./trim.ts"
import { countFiles, countStored } from "./usage.ts"

/** From here on messages are indexed as they are written. */
const SEARCH_STEP = 2

const steps: readonly (string | ((db: Database) => void))[] = [
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
  `
  CREATE TABLE memories (
    -- Empty for what belongs to the project.
    owner TEXT NOT NULL,
    scope TEXT NOT NULL,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    type TEXT NOT NULL,
    pinned INTEGER NOT NULL,
    written_by TEXT NOT NULL,
    written_agent TEXT,
    written_branch TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (owner, scope, name)
  );

  CREATE TABLE blobs (
    -- AUTOINCREMENT: pieces are read one after the other by this number, which must not become another blob's.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- None while its pieces are arriving.
    hash TEXT UNIQUE,
    bytes INTEGER NOT NULL
  );
  CREATE INDEX blobs_staged ON blobs (id) WHERE hash IS NULL;
  CREATE TABLE blob_pieces (
    blob INTEGER NOT NULL,
    n INTEGER NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (blob, n)
  );
  CREATE TABLE blob_holds (
    stream INTEGER NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (stream, hash)
  ) WITHOUT ROWID;
  CREATE INDEX blob_holds_hash ON blob_holds (hash);
  CREATE TABLE attachments (
    person TEXT NOT NULL,
    hash TEXT NOT NULL,
    name TEXT NOT NULL,
    media_type TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (person, hash)
  ) WITHOUT ROWID;
  CREATE INDEX attachments_hash ON attachments (hash);

  -- Short numbers for people: every word of the index begins with one.
  CREATE TABLE people (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    person TEXT NOT NULL UNIQUE
  );
  CREATE TABLE search_texts (
    -- AUTOINCREMENT: what is newer than search_state.upto is not in search_words yet.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- 0 for memories.
    stream INTEGER NOT NULL,
    person INTEGER NOT NULL,
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    ord INTEGER NOT NULL,
    at INTEGER NOT NULL,
    length INTEGER NOT NULL,
    line TEXT NOT NULL
  );
  CREATE UNIQUE INDEX search_texts_place ON search_texts (stream, person, kind, key);
  CREATE VIRTUAL TABLE search_words USING fts5 (
    words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
  );
  CREATE TABLE search_state (upto INTEGER NOT NULL);
  INSERT INTO search_state VALUES (0);
  `,
  `
  CREATE TABLE triggers (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    person TEXT NOT NULL,
    -- The conversation it hangs on.
    stream INTEGER,
    look_at INTEGER,
    live INTEGER NOT NULL,
    version INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    value TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX triggers_person ON triggers (person, kind, created_at);
  CREATE INDEX triggers_stream ON triggers (stream, kind, created_at) WHERE stream IS NOT NULL;
  CREATE INDEX triggers_look ON triggers (look_at, id) WHERE look_at IS NOT NULL;
  CREATE TABLE firings (
    trigger_id TEXT NOT NULL,
    id TEXT NOT NULL,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (trigger_id, id)
  ) WITHOUT ROWID;
  CREATE INDEX firings_newest ON firings (trigger_id, at, id);
  `,
  `
  -- The log in the order it was written, with an index by stream. A table in the order of streams is written to in its
  -- middle, and a page that is full has its neighbours rewritten: five pages more for each short turn.
  CREATE TABLE events_as_written (
    stream INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    collection TEXT NOT NULL,
    key TEXT NOT NULL,
    op TEXT NOT NULL,
    value TEXT NOT NULL,
    txid TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (stream, seq)
  );
  INSERT INTO events_as_written SELECT stream, seq, collection, key, op, value, txid, at FROM events;
  DROP TABLE events;
  ALTER TABLE events_as_written RENAME TO events;
  `,
  `
  CREATE TABLE IF NOT EXISTS links (
    -- Another name of the person.
    name TEXT PRIMARY KEY,
    person TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS links_person ON links (person);
  CREATE INDEX IF NOT EXISTS streams_person ON streams (person);
  ${Object.entries({ streams: "person", memories: "owner", attachments: "person", triggers: "person", keys: "person" })
    .map(
      ([table, owner]) => `
  CREATE TRIGGER IF NOT EXISTS ${table}_owner BEFORE INSERT ON ${table}
  WHEN EXISTS (SELECT 1 FROM links WHERE name = NEW.${owner})
  BEGIN
    SELECT RAISE(ABORT, '${LINKED}');
  END;`,
    )
    .join("")}
  `,
  "CREATE INDEX IF NOT EXISTS attachments_newest ON attachments (person, at, hash)",
  `
  CREATE TABLE IF NOT EXISTS spending (
    person TEXT NOT NULL,
    -- In UTC.
    day TEXT NOT NULL,
    source TEXT NOT NULL,
    agent TEXT NOT NULL,
    model TEXT NOT NULL,
    calls INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cost_micros INTEGER NOT NULL,
    PRIMARY KEY (person, day, source, agent, model)
  ) WITHOUT ROWID;
  `,
  `
  -- Long values of rows: there the row has its outline, or nothing, as its value.
  CREATE TABLE large_values (
    id INTEGER PRIMARY KEY,
    value TEXT NOT NULL
  );
  ALTER TABLE rows ADD COLUMN large INTEGER;
  `,
  `
  -- Keys from before act for themselves, as they always did; which key made them is not known.
  ALTER TABLE keys ADD COLUMN as_maker INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE keys ADD COLUMN made_by TEXT;
  CREATE INDEX keys_made_by ON keys (made_by) WHERE made_by IS NOT NULL;
  `,
  "CREATE INDEX IF NOT EXISTS streams_imports ON streams (id) WHERE kind = 'import'",
  (db) => countStored(db, Date.now()),
  DELETIONS_STEP,
  SLASH_COMMANDS_STEP,
  trimStep,
  `
  -- Model providers that the owner connected. The key is sealed.
  CREATE TABLE IF NOT EXISTS providers (
    provider TEXT PRIMARY KEY,
    secret TEXT,
    value TEXT NOT NULL
  ) WITHOUT ROWID;
  `,
  SHARES_STEP,
  LEFTOVERS_STEP,
  PREFERENCES_STEP,
  countFiles,
  PUSHES_STEP,
]

/** Whether its messages have to be indexed while it is converted. */
export function isOlderThanSearch(db: Database): boolean {
  if (db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'meta'").get() === undefined) return false
  const version = schemaVersion(db)
  return version > 0 && version < SEARCH_STEP
}

export function migrate(db: Database, indexMessages?: (db: Database) => void): void {
  transaction(db, () => {
    db.exec("CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID")
    const version = checkSchema(db)
    if (version === steps.length) return
    for (const step of steps.slice(version))
      if (typeof step === "string") db.exec(step)
      else step(db)
    indexMessages?.(db)
    db.prepare("INSERT INTO meta VALUES ('schema', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value").run(
      String(steps.length),
    )
  })
}

export const newestSchema = steps.length

/** The schema of a database. One that a newer Parlor has converted is refused. */
export function checkSchema(db: Database): number {
  const version = schemaVersion(db)
  if (version > newestSchema) throw newerDatabase(version)
  return version
}

export function newerDatabase(version: number): Error {
  return new Error(
    `The database has schema ${version}; this Parlor knows schemas up to ${newestSchema}. Use a newer Parlor.`,
  )
}

export function isMigrated(db: Database): boolean {
  return schemaVersion(db) >= steps.length
}

function schemaVersion(db: Database): number {
  const row = db.prepare("SELECT value FROM meta WHERE name = 'schema'").get() as { readonly value: string } | undefined
  return row === undefined ? 0 : Number(row.value)
}
