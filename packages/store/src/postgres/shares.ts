/** Shares of conversations (SHR-1). A change of one and its audit entry are one transaction. */
import type { AuditEntry, ShareBounds, ShareRecord, Shares } from "@parlor/core"
import { Refusal } from "@parlor/protocol"
import { DELETING } from "../deletion-row.ts"
import { IS_ACTIVE, SHARE_COLUMNS, type ShareRow, shareCells, toShare } from "../share-row.ts"
import { addAudit, type Database, type Statement } from "./connect.ts"
import { shareName } from "./functions/link.ts"

export const SHARES_STEP = `
  CREATE TABLE IF NOT EXISTS shares (
    id text COLLATE "C" PRIMARY KEY,
    person text COLLATE "C" NOT NULL,
    stream bigint NOT NULL,
    -- None for a link.
    viewer text COLLATE "C",
    created_at bigint NOT NULL,
    expires_at bigint,
    revoked_at bigint,
    value text COLLATE "C" NOT NULL
  );
  CREATE INDEX IF NOT EXISTS shares_person ON shares (person, created_at);
  CREATE INDEX IF NOT EXISTS shares_stream ON shares (stream);
  CREATE INDEX IF NOT EXISTS shares_viewer ON shares (viewer, created_at) WHERE viewer IS NOT NULL;
  DROP TRIGGER IF EXISTS shares_owner ON shares;
  CREATE TRIGGER shares_owner BEFORE INSERT ON shares FOR EACH ROW EXECUTE FUNCTION parlor_owner();
  DROP TRIGGER IF EXISTS shares_deleting ON shares;
  CREATE TRIGGER shares_deleting BEFORE INSERT ON shares FOR EACH ROW EXECUTE FUNCTION parlor_deleting();
`

const ACTIVE = IS_ACTIVE.replaceAll("?1", "$1")
const BY_ID: Statement = { name: "shares-by-id", text: `SELECT ${SHARE_COLUMNS} FROM shares WHERE id = ANY($1)` }
const OF: Statement = {
  name: "shares",
  text: `SELECT ${SHARE_COLUMNS} FROM shares WHERE person = $1 ORDER BY created_at DESC, id DESC`,
}
const WITH: Statement = {
  name: "shared-with",
  text: `SELECT ${SHARE_COLUMNS} FROM shares WHERE ${ACTIVE} AND viewer = $2 ORDER BY created_at DESC, id DESC LIMIT $3`,
}
const LOCK_PERSON = "SELECT pg_advisory_xact_lock(hashtext('shares'), hashtext($1))"
/** A conversation that is being deleted has its row locked. */
const STREAM = "SELECT 1 FROM streams WHERE id = $1 FOR SHARE"
const VIEWER =
  "SELECT 1 WHERE EXISTS (SELECT 1 FROM streams WHERE person = $1) OR EXISTS (SELECT 1 FROM keys WHERE person = $1)"
const COUNT = `SELECT count(*) AS count FROM shares WHERE ${ACTIVE} AND person = $2`
const ADD = `INSERT INTO shares (${SHARE_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`
const DROP_ENDED = `DELETE FROM shares WHERE id IN (
  SELECT id FROM shares WHERE person = $2 AND NOT (${ACTIVE}) ORDER BY created_at DESC, id DESC OFFSET $3)`
const OWN = `SELECT ${SHARE_COLUMNS} FROM shares WHERE ${ACTIVE} AND person = $2 AND id = $3 FOR UPDATE`

export function sharesPart(db: Database): Shares {
  return {
    findAll: (ids) => findAll(db, ids),
    of: async (person) => (await db.read<ShareRow>(OF, [person])).map(toShare),
    sharedWith: async (viewer, { now, limit }) => (await db.read<ShareRow>(WITH, [now, viewer, limit])).map(toShare),
    add: (share, bounds, audit) => addShare(db, share, bounds, audit),
    revoke: (person, id, audit) => revokeShare(db, person, id, audit),
  }
}

async function findAll(db: Database, ids: readonly string[]): Promise<ShareRecord[]> {
  return (await db.read<ShareRow>(BY_ID, [ids])).map(toShare)
}

/** Names are locked before streams, as everywhere. */
async function addShare(
  db: Database,
  share: ShareRecord,
  { most, ended }: ShareBounds,
  audit: AuditEntry,
): Promise<"added" | "full" | "gone" | "no-viewer"> {
  const { person, stream, viewer, createdAt: now } = share
  const added = await db.transaction(async (client) => {
    for (const name of [person, viewer].filter((one) => one !== null).sort())
      await client.query(`SELECT ${shareName("$1::text")}`, [name])
    await client.query(LOCK_PERSON, [person])
    if ((await client.query(STREAM, [stream])).rowCount === 0) return "gone"
    if (viewer !== null) {
      const deleting = await client.query("SELECT 1 FROM deletions WHERE person = $1", [viewer])
      if (deleting.rowCount !== 0) return "deleting"
      if ((await client.query(VIEWER, [viewer])).rowCount === 0) return "no-viewer"
    }
    const [active] = (await client.query<{ count: number }>(COUNT, [now, person])).rows
    if (Number(active?.count ?? 0) >= most) return "full"
    await client.query(ADD, shareCells(share))
    await client.query(DROP_ENDED, [now, person, ended])
    await addAudit(client, audit)
    return "added"
  })
  if (added === "deleting") throw new Refusal(DELETING, `${viewer} is being deleted.`)
  return added
}

function revokeShare(db: Database, person: string, id: string, audit: AuditEntry): Promise<ShareRecord | undefined> {
  return db.transaction(async (client) => {
    const [row] = (await client.query<ShareRow>(OWN, [audit.at, person, id])).rows
    if (row === undefined) return undefined
    await client.query("UPDATE shares SET revoked_at = $1 WHERE id = $2", [audit.at, id])
    await addAudit(client, audit)
    return toShare(row)
  })
}
