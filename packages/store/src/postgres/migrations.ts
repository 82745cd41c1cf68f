/** The tables, as a numbered list of steps. A step that was released is never changed; a new one is added. */
import type { PoolClient } from "pg"
import { SLASH_COMMANDS_STEP } from "../collection-name.ts"
import { type Database, type Statement, Undone } from "./connect.ts"
import { blobFunction } from "./functions/blob.ts"
import { CALL_RATES_STEP } from "./functions/call-rates.ts"
import { commitFunction } from "./functions/commit.ts"
import { deletionFunction } from "./functions/deletion.ts"
import { filesFunction } from "./functions/files.ts"
import { importFunction } from "./functions/import.ts"
import { ledgerFunction } from "./functions/ledger.ts"
import { linkFunction } from "./functions/link.ts"
import { openStreamsFunction } from "./functions/open-streams.ts"
import { outlineFunction } from "./functions/outline.ts"
import { addWalkFunctions, searchFunction } from "./functions/search.ts"
import { storedFunction } from "./functions/stored.ts"
import { trimFunction } from "./functions/trim.ts"
import { LEFTOVERS_STEP } from "./leftovers.ts"
import { PREFERENCES_STEP } from "./preferences.ts"
import { PUSHES_STEP } from "./pushes.ts"
import { indexOldMessages } from "./search.ts"
import { SHARES_STEP } from "./shares.ts"

/** An arbitrary number, the same in every version: nodes that start together migrate one after the other. */
const MIGRATION_LOCK = 7_220_451

/** From here on messages are indexed as they are written. */
const SEARCH_STEP = 2

const steps: readonly (string | ((now: number) => string))[] = [
  `
  CREATE TABLE streams (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text COLLATE "C" NOT NULL,
    agent text COLLATE "C" NOT NULL,
    person text COLLATE "C" NOT NULL,
    branch text COLLATE "C" NOT NULL,
    head bigint NOT NULL DEFAULT 0,
    control bigint NOT NULL DEFAULT 0,
    epoch bigint NOT NULL DEFAULT 0,
    batch bigint NOT NULL DEFAULT 0,
    owner text COLLATE "C",
    lease_until bigint NOT NULL DEFAULT 0,
    active boolean NOT NULL DEFAULT false,
    created_at bigint NOT NULL,
    UNIQUE (kind, agent, person, branch)
  ) WITH (fillfactor = 50);
  CREATE INDEX streams_active ON streams (id) WHERE active;

  -- Text is kept as text, never as jsonb: its bytes come back as they were.
  CREATE TABLE events (
    stream bigint NOT NULL,
    seq bigint NOT NULL,
    collection text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    op text COLLATE "C" NOT NULL,
    value text COLLATE "C" NOT NULL,
    txid text COLLATE "C" NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (stream, seq)
  );

  CREATE TABLE rows (
    stream bigint NOT NULL,
    collection text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    ord bigint,
    place text COLLATE "C",
    value text COLLATE "C" NOT NULL,
    seq bigint NOT NULL,
    PRIMARY KEY (stream, collection, key)
  ) WITH (fillfactor = 80);
  CREATE INDEX rows_ord ON rows (stream, collection, ord, key) WHERE ord IS NOT NULL;
  CREATE INDEX rows_place ON rows (stream, collection, place, key) WHERE place IS NOT NULL;

  -- Messages whose text is arriving: their deltas are in the log, from seq on.
  CREATE TABLE streaming (
    stream bigint NOT NULL,
    message text COLLATE "C" NOT NULL,
    seq bigint NOT NULL,
    PRIMARY KEY (stream, message)
  );

  CREATE TABLE once (
    stream bigint NOT NULL,
    key text COLLATE "C" NOT NULL,
    hash text COLLATE "C" NOT NULL,
    answer text COLLATE "C" NOT NULL,
    seq bigint NOT NULL,
    PRIMARY KEY (stream, key)
  );

  CREATE TABLE keys (
    id text COLLATE "C" PRIMARY KEY,
    person text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    hash text COLLATE "C" NOT NULL UNIQUE,
    scopes text COLLATE "C" NOT NULL,
    act_for text COLLATE "C",
    created_at bigint NOT NULL,
    expires_at bigint,
    revoked_at bigint
  );
  CREATE INDEX keys_person ON keys (person, created_at);

  CREATE TABLE audit (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at bigint NOT NULL,
    person text COLLATE "C" NOT NULL,
    act text COLLATE "C" NOT NULL,
    subject text COLLATE "C" NOT NULL
  );
  ${commitFunction}
  `,
  `
  CREATE TABLE memories (
    -- Empty for what belongs to the project.
    owner text COLLATE "C" NOT NULL,
    scope text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    description text COLLATE "C" NOT NULL,
    type text COLLATE "C" NOT NULL,
    pinned boolean NOT NULL,
    written_by text COLLATE "C" NOT NULL,
    written_agent text COLLATE "C",
    written_branch text COLLATE "C",
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    body text COLLATE "C" NOT NULL,
    PRIMARY KEY (owner, scope, name)
  );

  CREATE TABLE blobs (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- None while its pieces are arriving.
    hash text COLLATE "C" UNIQUE,
    bytes bigint NOT NULL
  );
  CREATE TABLE blob_pieces (
    blob bigint NOT NULL,
    n int NOT NULL,
    data bytea NOT NULL,
    PRIMARY KEY (blob, n)
  );
  -- Most of it is compressed already.
  ALTER TABLE blob_pieces ALTER COLUMN data SET STORAGE EXTERNAL;
  CREATE TABLE blob_holds (
    stream bigint NOT NULL,
    hash text COLLATE "C" NOT NULL,
    PRIMARY KEY (stream, hash)
  );
  CREATE INDEX blob_holds_hash ON blob_holds (hash);
  CREATE TABLE attachments (
    person text COLLATE "C" NOT NULL,
    hash text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    media_type text COLLATE "C" NOT NULL,
    bytes bigint NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (person, hash)
  );
  CREATE INDEX attachments_hash ON attachments (hash);
  ${blobFunction}

  -- Short numbers for people: every word of the index begins with one.
  CREATE TABLE people (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    person text COLLATE "C" NOT NULL UNIQUE
  );
  CREATE TABLE search_texts (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- 0 for memories.
    stream bigint NOT NULL,
    person bigint NOT NULL,
    kind text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    -- Of the conversation; none for memories.
    agent text COLLATE "C",
    ord bigint NOT NULL,
    at bigint NOT NULL,
    length int NOT NULL,
    line text COLLATE "C" NOT NULL,
    UNIQUE (stream, person, kind, key)
  );
  CREATE INDEX search_texts_newest ON search_texts (person, id);
  ${searchFunction}
  `,
  `
  CREATE TABLE triggers (
    id text COLLATE "C" PRIMARY KEY,
    kind text COLLATE "C" NOT NULL,
    person text COLLATE "C" NOT NULL,
    -- The conversation it hangs on.
    stream bigint,
    look_at bigint,
    live boolean NOT NULL,
    version bigint NOT NULL,
    created_at bigint NOT NULL,
    value text COLLATE "C" NOT NULL
  );
  CREATE INDEX triggers_person ON triggers (person, kind, created_at);
  CREATE INDEX triggers_stream ON triggers (stream, kind, created_at) WHERE stream IS NOT NULL;
  CREATE INDEX triggers_look ON triggers (look_at, id) WHERE look_at IS NOT NULL;
  CREATE TABLE firings (
    trigger_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    at bigint NOT NULL,
    kind text COLLATE "C" NOT NULL,
    value text COLLATE "C" NOT NULL,
    PRIMARY KEY (trigger_id, id)
  );
  CREATE INDEX firings_newest ON firings (trigger_id, at, id);
  `,
  `
  CREATE TABLE links (
    -- Another name of the person.
    name text COLLATE "C" PRIMARY KEY,
    person text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL
  );
  CREATE INDEX links_person ON links (person);
  CREATE INDEX streams_person ON streams (person);
  ${linkFunction}
  `,
  "CREATE INDEX attachments_newest ON attachments (person, at, hash)",
  ledgerFunction,
  outlineFunction,
  `
  -- Keys from before act for themselves, as they always did; which key made them is not known.
  ALTER TABLE keys ADD COLUMN as_maker boolean NOT NULL DEFAULT true;
  ALTER TABLE keys ADD COLUMN made_by text COLLATE "C";
  CREATE INDEX keys_made_by ON keys (made_by) WHERE made_by IS NOT NULL;
  `,
  importFunction,
  storedFunction,
  deletionFunction,
  SLASH_COMMANDS_STEP,
  trimFunction,
  `
  -- Model providers that the owner connected. The key is sealed.
  CREATE TABLE IF NOT EXISTS providers (
    provider text COLLATE "C" PRIMARY KEY,
    secret text COLLATE "C",
    value text COLLATE "C" NOT NULL
  );
  `,
  addWalkFunctions,
  SHARES_STEP,
  openStreamsFunction,
  LEFTOVERS_STEP,
  PREFERENCES_STEP,
  filesFunction,
  CALL_RATES_STEP,
  PUSHES_STEP,
]

const SCHEMA: Statement = { name: "schema", text: "SELECT value FROM meta WHERE name = 'schema'" }

export async function probe(db: Database): Promise<{ readonly isMigrated: boolean }> {
  const found = await db.read<{ value: string }>(SCHEMA, [])
  return { isMigrated: Number(found[0]?.value ?? 0) >= steps.length }
}

/** The schema of a database. One that a newer Parlor has converted is refused. */
export async function checkSchema(
  client: Pick<PoolClient, "query">,
): Promise<{ readonly version: number; readonly isMigrated: boolean }> {
  const found = await client.query<{ value: string }>(SCHEMA.text)
  const version = Number(found.rows[0]?.value ?? 0)
  if (version > steps.length)
    throw new Undone(
      `The database has schema ${version}; this Parlor knows schemas up to ${steps.length}. Use a newer Parlor.`,
    )
  return { version, isMigrated: version === steps.length }
}

/** Runs in the open transaction of `client`. */
export async function migrate(client: PoolClient, schema: string): Promise<void> {
  await client.query("SET LOCAL lock_timeout = '60s'")
  await client.query("SELECT pg_advisory_xact_lock($1)", [MIGRATION_LOCK])
  await client.query(`CREATE SCHEMA IF NOT EXISTS ${client.escapeIdentifier(schema)}`)
  await client.query(`CREATE TABLE IF NOT EXISTS meta (name text PRIMARY KEY, value text NOT NULL)`)
  const { version } = await checkSchema(client)
  if (version === steps.length) return
  for (const step of steps.slice(version)) await client.query(typeof step === "string" ? step : step(Date.now()))
  if (version < SEARCH_STEP) await indexOldMessages(client)
  await client.query("INSERT INTO meta VALUES ('schema', $1) ON CONFLICT (name) DO UPDATE SET value = excluded.value", [
    String(steps.length),
  ])
}
