/** The tables, as a numbered list of steps. A step that was released is never changed; a new one is added. */
import type { PoolClient } from "pg"
import { commitFunction } from "./commit-function.ts"
import { Undone } from "./faults.ts"

/** Any number, the same for every Parlor: nodes that start together migrate one after the other. */
const MIGRATION_LOCK = 7_220_451

const steps: readonly string[] = [
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
]

/** Runs in the transaction that `client` has open. */
export async function migrate(client: PoolClient, schema: string): Promise<void> {
  await client.query("SET LOCAL lock_timeout = '60s'")
  await client.query("SELECT pg_advisory_xact_lock($1)", [MIGRATION_LOCK])
  await client.query(`CREATE SCHEMA IF NOT EXISTS ${client.escapeIdentifier(schema)}`)
  await client.query(`CREATE TABLE IF NOT EXISTS meta (name text PRIMARY KEY, value text NOT NULL)`)
  const found = await client.query<{ value: string }>("SELECT value FROM meta WHERE name = 'schema'")
  const version = Number(found.rows[0]?.value ?? 0)
  if (version > steps.length)
    throw new Undone(
      `The database has schema ${version}; this Parlor knows schemas up to ${steps.length}. Use a newer Parlor.`,
    )
  if (version === steps.length) return
  for (const step of steps.slice(version)) await client.query(step)
  await client.query("INSERT INTO meta VALUES ('schema', $1) ON CONFLICT (name) DO UPDATE SET value = excluded.value", [
    String(steps.length),
  ])
}
