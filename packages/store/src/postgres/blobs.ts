/**
 * Contents by hash, in pieces, with their holders.
 *
 * Locks are taken on names, then streams, then blobs, as for a link and a removal. Adding a holder locks the blob's row
 * against deletion; deleting locks the rows first and counts the holders afterwards: a blob is never deleted while a
 * holder is being added.
 */
import type { Attachment, AttachmentPlace, Blobs } from "@parlor/core"
import { Bug, type StreamId } from "@parlor/protocol"
import type { PoolClient } from "pg"
import { AT_THE_START, type AttachmentRow, PIECE_BYTES, piecesOf, toAttachment } from "../blob-pieces.ts"
import type { Database, Statement } from "./connect.ts"
import { shareName } from "./functions/link.ts"

type BlobHolder = { readonly stream: StreamId } | { readonly person: string; readonly attachment: Attachment }

const HOLD: Statement = {
  name: "hold-blob",
  text: `WITH named AS MATERIALIZED (SELECT ${shareName("$6")})
    SELECT parlor_hold_blob($1, $2, $3, $4, $5, $6, $7, $8, $9) AS held FROM named`,
}
const FIND: Statement = { name: "blob", text: "SELECT id, bytes FROM blobs WHERE hash = $1" }
const PIECE: Statement = { name: "blob-piece", text: "SELECT data FROM blob_pieces WHERE blob = $1 AND n = $2" }
const ATTACHMENT: Statement = {
  name: "attachment",
  text: "SELECT hash, name, media_type, bytes, at FROM attachments WHERE person = $1 AND hash = $2",
}
const ATTACHED: Statement = {
  name: "attached-bytes",
  text: "SELECT coalesce(sum(bytes), 0)::bigint AS sum FROM attachments WHERE person = $1",
}
const PAGE: Statement = {
  name: "attachments",
  text: `SELECT hash, name, media_type, bytes, at FROM attachments WHERE person = $1 AND (at, hash) < ($2, $3)
    ORDER BY at DESC, hash DESC LIMIT $4`,
}
const STAGE = "INSERT INTO blobs (hash, bytes) VALUES (NULL, 0) RETURNING id"
const ADD_PIECE: Statement = { name: "add-piece", text: "INSERT INTO blob_pieces VALUES ($1, $2, $3)" }
const LOCK = "SELECT 1 FROM blobs WHERE hash = ANY($1) ORDER BY hash FOR UPDATE"
const DROP_UNHELD = `
  WITH gone AS (
    DELETE FROM blobs b WHERE hash = ANY($1) AND NOT EXISTS (SELECT 1 FROM blob_holds h WHERE h.hash = b.hash)
      AND NOT EXISTS (SELECT 1 FROM attachments a WHERE a.hash = b.hash) RETURNING id
  ) DELETE FROM blob_pieces USING gone WHERE blob = gone.id`

export function blobsPart(db: Database): Blobs {
  return {
    keep: (stream, hash, bytes) => keepBlob(db, { stream }, hash, bytes),
    get: (hash) => readBlob(db, hash),
    attach: (person, attachment, bytes) => keepBlob(db, { person, attachment }, attachment.hash, bytes),
    attachment: (person, hash) => findAttachment(db, person, hash),
    attachedBytes: (person) => attachedBytes(db, person),
    attachments: (person, page) => listAttachments(db, person, page),
    detach: (person, hash) => detach(db, person, hash),
  }
}

async function keepBlob(db: Database, holder: BlobHolder, hash: string, content: Uint8Array): Promise<void> {
  const isSmall = content.length <= PIECE_BYTES
  const hold = (rest: { staged?: number; data?: Uint8Array }) =>
    [HOLD, holdValues(holder, hash, content, rest)] as const
  const [first] = await db.write<{ held: boolean }>(...hold(isSmall ? { data: content } : {}))
  if (first?.held) return
  await db.transaction(async (client) => {
    const staged = (await client.query<{ id: number }>(STAGE)).rows[0]?.id
    if (staged === undefined) throw new Bug("a staged blob has no number")
    let n = 0
    for (const piece of piecesOf(content)) await client.query({ ...ADD_PIECE, values: [staged, n++, buffer(piece)] })
    const [statement, values] = hold({ staged })
    await client.query({ values, ...statement })
  })
}

async function readBlob(db: Database, hash: string): Promise<Uint8Array | undefined> {
  const [found] = await db.read<{ id: number; bytes: number }>(FIND, [hash])
  if (found === undefined) return undefined
  const content = new Uint8Array(found.bytes)
  for (let at = 0, n = 0; at < found.bytes; n++) {
    const [piece] = await db.read<{ data: Uint8Array }>(PIECE, [found.id, n])
    // Deleted while it was being read.
    if (piece === undefined) return undefined
    content.set(piece.data, at)
    at += piece.data.length
  }
  return content
}

async function findAttachment(db: Database, person: string, hash: string): Promise<Attachment | undefined> {
  const [row] = await db.read<AttachmentRow>(ATTACHMENT, [person, hash])
  return row && toAttachment(row)
}

async function attachedBytes(db: Database, person: string): Promise<number> {
  const [row] = await db.read<{ sum: number }>(ATTACHED, [person])
  return row?.sum ?? 0
}

async function listAttachments(
  db: Database,
  person: string,
  { limit, after = AT_THE_START }: { readonly limit: number; readonly after?: AttachmentPlace },
): Promise<readonly Attachment[]> {
  return (await db.read<AttachmentRow>(PAGE, [person, after.at, after.hash, limit])).map(toAttachment)
}

export function detach(db: Database, person: string, hash: string): Promise<boolean> {
  return db.transaction(async (client) => {
    await client.query(LOCK, [[hash]])
    const gone = await client.query("DELETE FROM attachments WHERE person = $1 AND hash = $2", [person, hash])
    if (gone.rowCount === 0) return false
    await client.query(DROP_UNHELD, [[hash]])
    return true
  })
}

/** Within the removal of the stream: deletes contents without holders. */
export async function releaseBlobs(client: PoolClient, stream: StreamId): Promise<void> {
  await release(client, "blob_holds WHERE stream = $1", stream)
}

/**
 * At most `most` of those that a removed stream of this person held, within a transaction. Without its row, triggers
 * cannot count for the person. False if it holds no more.
 */
export async function releaseLeftBlobs(
  client: PoolClient,
  { stream, person }: { readonly stream: StreamId; readonly person: string },
  most: number,
): Promise<boolean> {
  const some = await client.query<{ hash: string }>(
    "SELECT hash FROM blob_holds WHERE stream = $1 ORDER BY hash LIMIT $2",
    [stream, most],
  )
  if (some.rows.length === 0) return false
  const hashes = some.rows.map(({ hash }) => hash)
  await client.query(LOCK, [hashes])
  await client.query("DELETE FROM blob_holds WHERE stream = $1 AND hash = ANY($2)", [stream, hashes])
  await client.query(DROP_UNHELD, [hashes])
  await client.query("SELECT parlor_release_contents($1, $2)", [hashes.map(() => person), hashes])
  return true
}

/** All attachments of that person, within a transaction. */
export async function dropAttachments(client: PoolClient, person: string): Promise<void> {
  await release(client, "attachments WHERE person = $1", person)
}

/**
 * Contents are locked before their holds are deleted, because deleting updates counts. Nobody can add a hold in the
 * meantime.
 */
async function release(client: PoolClient, holds: string, holder: StreamId | string): Promise<void> {
  const held = await client.query<{ hash: string }>(`SELECT hash FROM ${holds}`, [holder])
  if (held.rows.length === 0) return
  const hashes = held.rows.map(({ hash }) => hash)
  await client.query(LOCK, [hashes])
  await client.query(`DELETE FROM ${holds}`, [holder])
  await client.query(DROP_UNHELD, [hashes])
}

function holdValues(
  holder: BlobHolder,
  hash: string,
  content: Uint8Array,
  { staged, data }: { readonly staged?: number; readonly data?: Uint8Array },
): unknown[] {
  const known = [hash, content.length, staged ?? null, data === undefined ? null : buffer(data)]
  if ("stream" in holder) return [...known, holder.stream, null, null, null, null]
  const { name, mediaType, at } = holder.attachment
  return [...known, null, holder.person, name, mediaType, at]
}

/** The driver takes a `Buffer` as bytes, and anything else as a list. */
function buffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
