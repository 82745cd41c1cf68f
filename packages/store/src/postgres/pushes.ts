/** Browsers that receive web push, and the server's key pair (APP-6). */
import type { Pushes, PushKeysRecord, PushRecord } from "@parlor/core"
import { PUSH_COLUMNS, PUSH_KEYS, type PushRow, pushCells, toPush, toPushKeys } from "../push-row.ts"
import type { Database, Statement } from "./connect.ts"

export const PUSHES_STEP = `
  CREATE TABLE IF NOT EXISTS pushes (
    id text COLLATE "C" PRIMARY KEY,
    person text COLLATE "C" NOT NULL,
    seen_at bigint NOT NULL,
    value text COLLATE "C" NOT NULL
  );
  CREATE INDEX IF NOT EXISTS pushes_person ON pushes (person, seen_at);
  DROP TRIGGER IF EXISTS pushes_owner ON pushes;
  CREATE TRIGGER pushes_owner BEFORE INSERT ON pushes FOR EACH ROW EXECUTE FUNCTION parlor_owner();
  DROP TRIGGER IF EXISTS pushes_deleting ON pushes;
  CREATE TRIGGER pushes_deleting BEFORE INSERT ON pushes FOR EACH ROW EXECUTE FUNCTION parlor_deleting();
`

const OF: Statement = {
  name: "pushes",
  text: `SELECT ${PUSH_COLUMNS} FROM pushes WHERE person = $1 ORDER BY seen_at DESC, id`,
}
/** Subscriptions of one person are stored one after another: otherwise two at once could exceed the limit together. */
const LOCK = "SELECT pg_advisory_xact_lock(hashtext('pushes'), hashtext($1))"
const PUT = `INSERT INTO pushes (${PUSH_COLUMNS}) VALUES ($1, $2, $3, $4)
  ON CONFLICT (id) DO UPDATE SET person = excluded.person, seen_at = excluded.seen_at, value = excluded.value`
const TRIM = `DELETE FROM pushes WHERE id IN
  (SELECT id FROM pushes WHERE person = $1 ORDER BY seen_at DESC, id OFFSET $2)`
const REMOVE = "DELETE FROM pushes WHERE person = $1 AND id = $2"
const KEYS: Statement = { name: "push-keys", text: "SELECT value FROM meta WHERE name = $1" }
const FIRST_KEYS = "INSERT INTO meta VALUES ($1, $2) ON CONFLICT DO NOTHING"
const NEXT_KEYS = "UPDATE meta SET value = $2 WHERE name = $1 AND value::json->>'publicKey' = $3"

export function pushesPart(db: Database): Pushes {
  return {
    of: async (person) => (await db.read<PushRow>(OF, [person])).map(toPush),
    put: (record, most) => putPush(db, record, most),
    remove: (person, id) =>
      db.transaction(async (client) => ((await client.query(REMOVE, [person, id])).rowCount ?? 0) > 0),
    keys: async () => toPushKeys((await db.read<{ value: string }>(KEYS, [PUSH_KEYS]))[0]?.value),
    setKeys: (record, before) => setPushKeys(db, record, before),
  }
}

function putPush(db: Database, record: PushRecord, most: number): Promise<void> {
  return db.transaction(async (client) => {
    await client.query(LOCK, [record.person])
    await client.query(PUT, pushCells(record))
    await client.query(TRIM, [record.person, most])
  })
}

function setPushKeys(db: Database, record: PushKeysRecord, before: string | undefined): Promise<boolean> {
  const value = JSON.stringify(record)
  return db.transaction(async (client) => {
    const written =
      before === undefined
        ? await client.query(FIRST_KEYS, [PUSH_KEYS, value])
        : await client.query(NEXT_KEYS, [PUSH_KEYS, value, before])
    return written.rowCount === 1
  })
}
