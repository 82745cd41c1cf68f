/**
 * Linked names (ADR-4). Triggers on the tables make sure that a linked name owns nothing.
 *
 * Links wait for each other, so that no linked name gets linked names of its own. Creating something for a person holds
 * a shared lock on the name until it is written, and linking the name holds it exclusively: whichever comes second sees
 * what the first did. Writes to an existing conversation wait on its row, as always. Names are locked before streams,
 * and streams before blobs.
 */
import type { AuditEntry, Belongings, Linked, LinkRecord, Links, LinksOf } from "@parlor/core"
import type { StreamId } from "@parlor/protocol"
import type { PoolClient } from "pg"
import {
  BELONGINGS,
  LINK_COLUMNS,
  type LinkFacts,
  type LinkOptions,
  type LinkRow,
  settled,
  toLink,
} from "../link-row.ts"
import { dropAttachments } from "./blobs.ts"
import { addAudit, type Database, type Statement } from "./connect.ts"
import { NAME_LOCKS } from "./functions/link.ts"
import { dropStream } from "./streams.ts"

const OF: Statement = {
  name: "links",
  text: `SELECT ${LINK_COLUMNS} FROM links
    WHERE name > $1 AND (person = $2 OR substr(person, 1, length($3)) = $3) ORDER BY name LIMIT $4`,
}
const NAMED: Statement = { name: "links-named", text: `SELECT ${LINK_COLUMNS} FROM links WHERE name = ANY($1)` }
const ONE_AT_A_TIME = "LOCK TABLE links IN SHARE ROW EXCLUSIVE MODE"
const LOCK_NAME = `SELECT pg_advisory_xact_lock(${NAME_LOCKS}, hashtext($1))`
const LOCK_STREAMS = "SELECT id FROM streams WHERE person = $1 AND kind = 'conversation' ORDER BY id FOR UPDATE"
const COUNT = `
  SELECT count(*) FILTER (WHERE person = $1) AS name, count(*) FILTER (WHERE person = $2) AS person
  FROM links WHERE person IN ($1, $2)`
const ADD = `INSERT INTO links (${LINK_COLUMNS}) VALUES ($1, $2, $3)`

export function linksPart(db: Database): Links {
  return {
    list: (of, page) => listLinks(db, of, page),
    named: (names) => linksNamed(db, names),
    link: (record, options, audit) => link(db, record, options, audit),
    unlink: (record, audit) => unlink(db, record, audit),
  }
}

async function listLinks(
  db: Database,
  { person, prefix }: LinksOf,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<LinkRecord[]> {
  return (await db.read<LinkRow>(OF, [after, person, prefix ?? null, limit])).map(toLink)
}

async function linksNamed(db: Database, names: readonly string[]): Promise<LinkRecord[]> {
  return (await db.lookUp<LinkRow>(NAMED, [names])).map(toLink)
}

function link(db: Database, record: LinkRecord, options: LinkOptions, audit: AuditEntry): Promise<Linked> {
  const { name, person, createdAt } = record
  return db.transaction(async (client): Promise<Linked> => {
    await client.query(ONE_AT_A_TIME)
    await client.query(LOCK_NAME, [name])
    const streams = await client.query<{ id: StreamId }>(LOCK_STREAMS, [name])
    const answer = settled(record, await factsOf(client, record), options)
    if (answer !== undefined) return answer
    // Nobody wrote to them, or there would be a conversation.
    for (const { id } of streams.rows) await dropStream(client, id)
    await dropAttachments(client, name)
    await client.query(ADD, [name, person, createdAt])
    await addAudit(client, audit)
    return { ok: true, link: record }
  })
}

function unlink(
  db: Database,
  { name, person }: Pick<LinkRecord, "name" | "person">,
  audit: AuditEntry,
): Promise<boolean> {
  return db.transaction(async (client) => {
    const gone = await client.query("DELETE FROM links WHERE name = $1 AND person = $2", [name, person])
    if (gone.rowCount === 0) return false
    await addAudit(client, audit)
    return true
  })
}

async function factsOf(client: PoolClient, { name, person }: LinkRecord): Promise<LinkFacts> {
  const known = await client.query<LinkRow>(NAMED.text, [[name, person]])
  const counts = await client.query<{ name: number; person: number }>(COUNT, [name, person])
  const has = await client.query<Belongings>(BELONGINGS.replaceAll("?1", "$1"), [name])
  const nothing = { conversations: 0, memories: 0, triggers: 0, keys: 0, attachments: 0 }
  const { name: ofName, person: ofPerson } = counts.rows[0] ?? { name: 0, person: 0 }
  return { known: known.rows, ofName, ofPerson, has: has.rows[0] ?? nothing }
}
