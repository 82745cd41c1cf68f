/**
 * How much storage each person uses (SEC-23), and the usage of their model calls (SEC-20).
 *
 * Ledger lines are written by `append.ts`, with the append that carries them. Triggers count everything except logs, whatever statement changes it. `append.ts` adds what it writes to a log,
 * because it has the stream's row and its person at hand; a trigger counts removed streams. Older logs are counted by
 * `Counting`, downwards from `uncounted`, a slice at a time.
 */
import type { DayTotal, Spending, Stored, StoredPerson, TotalsQuery, UsageCounts } from "@parlor/core"
import type { UsageTotal } from "@parlor/protocol"
import { DAY_TOTAL, SPENDING, type SpendingRow, toDayTotal, toSpending, toTotal, totalsText } from "../spending-row.ts"
import {
  ADD_STORED,
  COUNT_CONTENTS,
  COUNT_FILES,
  COUNT_STORED,
  COUNTED_EVENTS,
  EVENT_OVERHEAD,
  NOTHING_STORED,
  ONCE_MS,
  PEOPLE,
  PRUNED_KEYS,
  STORED,
  STORED_COLUMNS,
  toStored,
} from "../stored-row.ts"
import { addColumn, type Database, transaction } from "./connect.ts"

/**
 * The migration step that starts counting. It may run again on a database that has the tables: everything is counted
 * again.
 */
export function countStored(db: Database, now: number): void {
  addColumn(db, "streams", "bytes INTEGER NOT NULL DEFAULT 0")
  // Events up to this number are not counted yet.
  addColumn(db, "streams", "uncounted INTEGER NOT NULL DEFAULT 0")
  addColumn(db, "once", `at INTEGER NOT NULL DEFAULT ${now}`)
  db.exec(TABLES)
  for (const name of Object.keys(triggers())) db.exec(`DROP TRIGGER IF EXISTS ${name}`)
  db.exec(`
    DELETE FROM stored;
    DELETE FROM contents_held;
    UPDATE streams SET bytes = 0, uncounted = head WHERE kind <> 'feed';
    ${COUNT_CONTENTS};
    ${COUNT_STORED};
  `)
  for (const text of Object.values(triggers())) db.exec(text)
}

/** The migration step that counts files (SEC-42). It may run again too. */
export function countFiles(db: Database): void {
  addColumn(db, "stored", "files INTEGER NOT NULL DEFAULT 0")
  addColumn(db, "streams", "files INTEGER NOT NULL DEFAULT 0")
  db.exec(`${COUNT_FILES};`)
  const add = (row: string, more: string) => `
    INSERT INTO stored (person, files) VALUES (${row}.person, ${more})
      ON CONFLICT (person) DO UPDATE SET files = files + excluded.files;`
  const triggers = {
    files_stream: `AFTER DELETE ON streams WHEN OLD.files <> 0 BEGIN ${add("OLD", "-OLD.files")} END`,
    files_attach: `AFTER INSERT ON attachments BEGIN ${add("NEW", "1")} END`,
    files_detach: `AFTER DELETE ON attachments BEGIN ${add("OLD", "-1")} END`,
  }
  for (const [name, text] of Object.entries(triggers))
    db.exec(`DROP TRIGGER IF EXISTS ${name}; CREATE TRIGGER ${name} ${text};`)
}

export class UsageReads {
  readonly db: Database
  readonly #stored
  readonly #total
  readonly #lines

  constructor(db: Database) {
    this.db = db
    this.#stored = db.prepare(STORED)
    this.#total = db.prepare(DAY_TOTAL)
    this.#lines = db.prepare(SPENDING)
  }

  stored(person: string): Stored {
    const row = this.#stored.get(person) as Stored | undefined
    return row === undefined ? NOTHING_STORED : toStored(row)
  }

  dayTotal(person: string, day: string): DayTotal {
    return toDayTotal(this.#total.get(person, day) as DayTotal)
  }

  spending(person: string, { since, limit }: Parameters<UsageCounts["spending"]>[1]): Spending[] {
    return (this.#lines.all(person, since, limit) as SpendingRow[]).map((row) => toSpending({ ...row }))
  }

  totals({ since, by, limit }: TotalsQuery): UsageTotal[] {
    return (this.db.prepare(totalsText(by)).all(since, limit) as UsageTotal[]).map(toTotal)
  }

  people({ after, limit }: Parameters<UsageCounts["people"]>[0]): StoredPerson[] {
    const rows = this.db.prepare(PEOPLE).all(after, limit) as StoredPerson[]
    return rows.map((row) => ({ person: row.person, ...toStored(row) }))
  }
}

/** What appends add to a person's logs and files; within their transaction. */
export class StoredWrites {
  readonly db: Database
  readonly #add
  readonly #addFiles
  readonly #noteFiles

  constructor(db: Database) {
    this.db = db
    this.#add = db.prepare(`INSERT INTO stored (${STORED_COLUMNS}) VALUES (?, ?, ?, 0, 0, 0) ${ADD_STORED}`)
    this.#noteFiles = db.prepare("UPDATE streams SET files = files + ? WHERE id = ?")
    this.#addFiles = db.prepare("UPDATE stored SET files = files + ?2 WHERE person = ?1")
  }

  add(person: string, conversations: number, bytes: number): void {
    this.#add.run(person, conversations, bytes)
  }

  addFiles(person: string, stream: number, files: number): void {
    this.#noteFiles.run(files, stream)
    this.#addFiles.run(person, files)
  }
}

export class Counting {
  readonly db: Database
  readonly #next
  readonly #sum
  readonly #note
  readonly #stored: StoredWrites

  constructor(db: Database, stored: StoredWrites) {
    this.db = db
    this.#stored = stored
    this.#next = db.prepare("SELECT id, person, uncounted FROM streams WHERE uncounted > 0 LIMIT 1")
    this.#sum = db.prepare(
      `SELECT coalesce(sum(octet_length(value) + ${EVENT_OVERHEAD}), 0) AS bytes FROM events
       WHERE stream = ? AND seq > ? AND seq <= ?`,
    )
    this.#note = db.prepare("UPDATE streams SET bytes = bytes + ?, uncounted = ? WHERE id = ?")
  }

  /** False if there is nothing left to count. */
  slice(): boolean {
    const next = this.#next.get() as { id: number; person: string; uncounted: number } | undefined
    if (next === undefined) return false
    const { id, person, uncounted } = next
    const left = Math.max(0, uncounted - COUNTED_EVENTS)
    transaction(this.db, () => {
      const { bytes } = this.#sum.get(id, left, uncounted) as { readonly bytes: number }
      this.#note.run(bytes, left, id)
      this.#stored.add(person, 0, bytes)
    })
    return true
  }
}

/** Work done in small pieces between other calls: counts old logs, deletes expired idempotency keys. */
export class Chores {
  readonly #counting: Counting
  readonly #prune

  constructor(db: Database, counting: Counting) {
    this.#counting = counting
    this.#prune = db.prepare(
      "DELETE FROM once WHERE (stream, key) IN (SELECT stream, key FROM once WHERE at <= ? ORDER BY at LIMIT ?)",
    )
  }

  /** True if there is more to do. */
  upkeep(): boolean {
    if (this.#counting.slice()) return true
    return Number(this.#prune.run(Date.now() - ONCE_MS, PRUNED_KEYS).changes) === PRUNED_KEYS
  }
}

const TABLES = `
  CREATE INDEX IF NOT EXISTS streams_uncounted ON streams (id) WHERE uncounted > 0;
  CREATE INDEX IF NOT EXISTS once_at ON once (at);
  CREATE TABLE IF NOT EXISTS stored (
    person TEXT PRIMARY KEY,
    conversations INTEGER NOT NULL DEFAULT 0,
    conversation_bytes INTEGER NOT NULL DEFAULT 0,
    file_bytes INTEGER NOT NULL DEFAULT 0,
    memory_bytes INTEGER NOT NULL DEFAULT 0,
    trigger_bytes INTEGER NOT NULL DEFAULT 0
  ) WITHOUT ROWID;
  -- Contents of files and attachments, each once for each person, and how often that person holds it.
  CREATE TABLE IF NOT EXISTS contents_held (
    person TEXT NOT NULL,
    hash TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    holds INTEGER NOT NULL,
    PRIMARY KEY (person, hash)
  ) WITHOUT ROWID;
`

function triggers(): Readonly<Record<string, string>> {
  const add = (person: string, column: string, bytes: string) => `
    INSERT INTO stored (person, ${column}) VALUES (${person}, ${bytes})
      ON CONFLICT (person) DO UPDATE SET ${column} = ${column} + excluded.${column};`
  const hold = (person: string, hash: string, bytes: string) => `
    INSERT INTO contents_held (person, hash, bytes, holds) VALUES (${person}, ${hash}, ${bytes}, 1)
      ON CONFLICT (person, hash) DO UPDATE SET holds = holds + 1;`
  const release = (person: string, hash: string) => `
    UPDATE contents_held SET holds = holds - 1 WHERE person = ${person} AND hash = ${hash};
    DELETE FROM contents_held WHERE person = ${person} AND hash = ${hash} AND holds = 0;`
  const holder = (row: string) => `(SELECT person FROM streams WHERE id = ${row}.stream)`
  const memory = (row: string) =>
    `octet_length(${row}.name) + octet_length(${row}.description) + octet_length(${row}.body)`
  const firer = (row: string) => `(SELECT person FROM triggers WHERE id = ${row}.trigger_id)`
  const trigger = (name: string, when: string, body: string) => ({
    [name]: `CREATE TRIGGER ${name} ${when} BEGIN ${body} END;`,
  })
  return {
    ...trigger(
      "stored_stream",
      "AFTER DELETE ON streams WHEN OLD.kind <> 'feed'",
      `UPDATE stored SET conversations = conversations - (OLD.head > 0 AND OLD.kind = 'conversation'),
         conversation_bytes = conversation_bytes - OLD.bytes WHERE person = OLD.person;`,
    ),
    // An import replaces a conversation.
    ...trigger(
      "stored_adopted",
      "AFTER UPDATE OF kind ON streams WHEN OLD.kind <> NEW.kind",
      `UPDATE stored SET conversations = conversations
         + (NEW.head > 0 AND NEW.kind = 'conversation') - (OLD.head > 0 AND OLD.kind = 'conversation')
         WHERE person = NEW.person;`,
    ),
    ...trigger(
      "stored_hold",
      "AFTER INSERT ON blob_holds",
      hold(holder("NEW"), "NEW.hash", "(SELECT bytes FROM blobs WHERE hash = NEW.hash)"),
    ),
    ...trigger("stored_release", "AFTER DELETE ON blob_holds", release(holder("OLD"), "OLD.hash")),
    ...trigger("stored_attach", "AFTER INSERT ON attachments", hold("NEW.person", "NEW.hash", "NEW.bytes")),
    ...trigger("stored_detach", "AFTER DELETE ON attachments", release("OLD.person", "OLD.hash")),
    ...trigger("stored_content", "AFTER INSERT ON contents_held", add("NEW.person", "file_bytes", "NEW.bytes")),
    ...trigger("stored_content_gone", "AFTER DELETE ON contents_held", add("OLD.person", "file_bytes", "-OLD.bytes")),
    ...trigger(
      "stored_memory",
      "AFTER INSERT ON memories WHEN NEW.owner <> ''",
      add("NEW.owner", "memory_bytes", memory("NEW")),
    ),
    ...trigger(
      "stored_memory_changed",
      "AFTER UPDATE ON memories WHEN NEW.owner <> ''",
      add("NEW.owner", "memory_bytes", `${memory("NEW")} - (${memory("OLD")})`),
    ),
    ...trigger(
      "stored_memory_gone",
      "AFTER DELETE ON memories WHEN OLD.owner <> ''",
      add("OLD.owner", "memory_bytes", `-(${memory("OLD")})`),
    ),
    ...trigger(
      "stored_trigger",
      "AFTER INSERT ON triggers",
      add("NEW.person", "trigger_bytes", "octet_length(NEW.value)"),
    ),
    ...trigger(
      "stored_trigger_changed",
      "AFTER UPDATE OF value ON triggers",
      add("NEW.person", "trigger_bytes", "octet_length(NEW.value) - octet_length(OLD.value)"),
    ),
    ...trigger(
      "stored_trigger_gone",
      "AFTER DELETE ON triggers",
      add("OLD.person", "trigger_bytes", "-octet_length(OLD.value)"),
    ),
    ...trigger(
      "stored_firing",
      "AFTER INSERT ON firings",
      add(firer("NEW"), "trigger_bytes", "octet_length(NEW.value)"),
    ),
    ...trigger(
      "stored_firing_changed",
      "AFTER UPDATE OF value ON firings",
      add(firer("NEW"), "trigger_bytes", "octet_length(NEW.value) - octet_length(OLD.value)"),
    ),
    ...trigger(
      "stored_firing_gone",
      "AFTER DELETE ON firings",
      add(firer("OLD"), "trigger_bytes", "-octet_length(OLD.value)"),
    ),
  }
}
