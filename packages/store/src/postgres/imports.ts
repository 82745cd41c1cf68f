/** Imports: adopted when they are complete, deleted slice by slice when abandoned (LOG-28). */
import type { Adoption, Appended } from "@parlor/core"
import type { StreamId } from "@parlor/protocol"
import type { PoolClient } from "pg"
import { ONCE_MS } from "../stored-row.ts"
import { UNCLAIMED_MS } from "../stream-row.ts"
import { type AnswerRow, COMMIT, countBatch, encodeBatch, toAppended } from "./append.ts"
import { releaseSomeBlobs } from "./blobs.ts"
import type { Database } from "./connect.ts"
import { shareName } from "./functions/link.ts"
import { dropStream } from "./streams.ts"
import { lockTriggers } from "./triggers.ts"

/** Rows deleted at a time: takes a few milliseconds. */
const SLICE_ROWS = 250
const SLICE_BLOBS = 1

const PERSON = "SELECT person FROM streams WHERE id = $1"
const NAME = `SELECT ${shareName("$1")}`
const LOCK = "SELECT id, kind, head, control, branch, person FROM streams WHERE id = ANY($1) ORDER BY id FOR UPDATE"
const KNOWN = `SELECT hash, answer, seq FROM once WHERE stream = $1 AND key = $2
  AND at > (extract(epoch FROM clock_timestamp()) * 1000)::bigint - ${ONCE_MS}`
const MOVES = ["triggers", "once"].map((table) => `UPDATE ${table} SET stream = $1 WHERE stream = $2`)
const PLACE = "UPDATE streams SET kind = 'conversation', branch = $2, owner = NULL, lease_until = 0 WHERE id = $1"
const LOCK_CONTENTS = "SELECT 1 FROM contents_held WHERE person = $1 AND hash = ANY($2) ORDER BY hash FOR UPDATE"
const ATTACH = "INSERT INTO attachments VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING"
const UNHOLD = "DELETE FROM blob_holds WHERE stream = $1 AND hash = $2"

/** Another node may be deleting or adopting the same one: then it is left alone. */
const ABANDONED = `SELECT id FROM streams, (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now) t
  WHERE kind = 'import' AND lease_until <= now AND (epoch > 0 OR created_at <= now - ${UNCLAIMED_MS})
  ORDER BY id LIMIT 1 FOR UPDATE OF streams SKIP LOCKED`
const SLICES = ["search_texts", "events", "rows"].map(
  (table) =>
    `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE stream = $1 LIMIT ${SLICE_ROWS}))`,
)

type Line = {
  readonly id: StreamId
  readonly kind: string
  readonly head: number
  readonly control: number
  readonly branch: string
  readonly person: string
}

export function adopt(db: Database, imported: StreamId, adoption: Adoption): Promise<Appended> {
  const { over, append } = adoption
  return db.transaction(async (client): Promise<Appended> => {
    // Names are locked before streams, and streams in the order of their ids.
    const [owner] = (await client.query<{ person: string }>(PERSON, [over.id])).rows
    if (owner === undefined) return { ok: false, why: "gone" }
    await client.query(NAME, [owner.person])
    const ids = [imported, over.id, ...(append.feed === undefined ? [] : [append.feed.stream])]
    const lines = new Map((await client.query<Line>(LOCK, [ids])).rows.map((line) => [line.id, line]))
    const place = lines.get(over.id)
    if (place?.kind !== "conversation" || lines.get(imported)?.kind !== "import") return { ok: false, why: "gone" }
    const known = append.once && (await client.query<Known>(KNOWN, [over.id, append.once.key])).rows[0]
    if (known !== undefined) return { ok: false, why: "repeated", ...known }
    if (place.head !== over.head || place.control !== over.control) return { ok: false, why: "moved" }
    // Rows that others may have locked are locked before anything is counted (`functions/stored.ts`).
    await lockTriggers(client, over.id)
    await client.query(LOCK_CONTENTS, [place.person, adoption.attachments.map(({ hash }) => hash)])
    const { rows } = await client.query<AnswerRow>({ ...COMMIT, values: [encodeBatch([append])] })
    const answer = rows[0] && toAppended(rows[0])
    if (!answer?.ok) return answer ?? { ok: false, why: "gone" }
    await countBatch(client, [append], rows)
    await takePlace(client, imported, place, adoption.attachments)
    return answer
  })
}

type Known = { readonly hash: string; readonly answer: string; readonly seq: number }

async function takePlace(
  client: PoolClient,
  imported: StreamId,
  place: Line,
  attachments: Adoption["attachments"],
): Promise<void> {
  for (const move of MOVES) await client.query(move, [imported, place.id])
  await dropStream(client, place.id)
  await client.query(PLACE, [imported, place.branch])
  for (const { hash, name, mediaType, bytes, at, held } of attachments) {
    await client.query(ATTACH, [place.person, hash, name, mediaType, bytes, at])
    if (!held) await client.query(UNHOLD, [imported, hash])
  }
}

/** False if there was nothing to delete. */
export function dropImports(db: Database): Promise<boolean> {
  return db.transaction(async (client) => {
    const [found] = (await client.query<{ id: StreamId }>(ABANDONED)).rows
    if (found === undefined) return false
    for (const slice of SLICES) if (((await client.query(slice, [found.id])).rowCount ?? 0) > 0) return true
    if (await releaseSomeBlobs(client, found.id, SLICE_BLOBS)) return true
    await dropStream(client, found.id)
    return true
  })
}
