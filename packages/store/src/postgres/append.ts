/** The only write of the log: sends a batch as JSON to `parlor_commit`, in one round trip. */
import type { Append, Appended, RowChange } from "@parlor/core"
import type { PoolClient } from "pg"
import { movesControl } from "../control.ts"
import { rowEffects } from "../row-effects.ts"
import { addedFiles, EVENT_OVERHEAD } from "../stored-row.ts"
import type { Database, Statement } from "./connect.ts"
import { encodeTexts, INDEX_TEXTS } from "./search.ts"

export type AnswerRow = {
  readonly why: "ok" | "skipped" | "repeated" | "moved" | "fenced" | "owned" | "gone"
  readonly head: number
  readonly control: number
  readonly epoch: number
  readonly feed_head: number
  readonly hash: string | null
  readonly answer: string | null
}

export const COMMIT: Statement = { name: "commit", text: "SELECT * FROM parlor_commit($1)" }

/** The same with everything a batch may contain: search texts, ledger lines, storage counts. */
const COMMIT_COUNTED: Statement = {
  name: "commit-counted",
  text: "SELECT * FROM parlor_commit_counted($1, $2, $3, $4)",
}
const SPEND: Statement = { name: "spend", text: "SELECT parlor_spend($1, $2)" }
const COUNT: Statement = { name: "count", text: "SELECT parlor_count($1, $2, $3)" }

/** Batches that add or delete files are rare: only they take this statement. */
const COUNT_FILES: Statement = {
  name: "count-files",
  text: `WITH added AS (
      SELECT x.s, sum(x.f) AS files FROM json_to_recordset($1) AS x(a bigint, s bigint, f bigint)
      WHERE x.a = ANY ($2) GROUP BY x.s
    ), noted AS (
      UPDATE streams SET files = streams.files + added.files FROM added
      WHERE streams.id = added.s AND streams.kind <> 'feed' RETURNING streams.person, added.files
    )
    INSERT INTO stored (person, files) SELECT person, sum(files) FROM noted GROUP BY person ORDER BY person
    ON CONFLICT (person) DO UPDATE SET files = stored.files + excluded.files`,
}

export async function commit(db: Database, batch: readonly Append[]): Promise<Appended[]> {
  if (batch.length === 0) return []
  const [texts, ...more] = await encodeTexts(batch)
  const [spent, counted] = [encodeSpent(batch), encodeCounted(batch)]
  if (more.length === 0 && !batch.some(({ changes }) => addedFiles(changes) !== 0)) {
    const values = [encodeBatch(batch), texts ?? null, spent ?? null, counted]
    return (await db.commit<AnswerRow>(COMMIT_COUNTED, values)).map(toAppended)
  }
  return db.transaction(async (client) => {
    const { rows } = await client.query<AnswerRow>({ ...COMMIT, values: [encodeBatch(batch)] })
    const written = rows.flatMap(({ why }, i) => (why === "ok" ? [i + 1] : []))
    for (const page of texts === undefined ? [] : [texts, ...more])
      await client.query({ ...INDEX_TEXTS, values: [page, written] })
    if (spent !== undefined) await client.query({ ...SPEND, values: [spent, written] })
    await countBatch(client, batch, rows)
    return rows.map(toAppended)
  })
}

/** Counts what a separately committed batch added to people's logs and files. Last in its transaction, or nearly. */
export async function countBatch(
  client: PoolClient,
  batch: readonly Append[],
  rows: readonly AnswerRow[],
): Promise<void> {
  const written = rows.flatMap(({ why }, i) => (why === "ok" ? [i + 1] : []))
  const heads = rows.flatMap(({ why, head }) => (why === "ok" ? [head] : []))
  await client.query({ ...COUNT, values: [encodeCounted(batch), written, heads] })
  const files = batch.map(({ stream, changes }, i) => ({ a: i + 1, s: stream, f: addedFiles(changes) }))
  const changed = files.filter(({ f }) => f !== 0)
  if (changed.length > 0) await client.query({ ...COUNT_FILES, values: [JSON.stringify(changed), written] })
}

/** Missing keys arrive as null. */
export function encodeBatch(batch: readonly Append[]): string {
  return JSON.stringify(batch.map(encodeAppend))
}

export function toAppended(row: AnswerRow): Appended {
  const { why, head, control, epoch } = row
  if (why === "ok" || why === "skipped")
    return { ok: true, head, control, epoch, feedHead: row.feed_head, skipped: why === "skipped" }
  if (why === "repeated") return { ok: false, why, hash: row.hash ?? "", answer: row.answer ?? "", seq: head }
  return { ok: false, why }
}

function encodeAppend(append: Append): object {
  const { lease, once, feed } = append
  const claim = lease?.kind === "claim" ? lease : undefined
  const own = encodeChanges(append.changes)
  const fed = feed && encodeChanges(feed.changes)
  return {
    stream: append.stream,
    txid: append.txid,
    at: append.at,
    expect: append.expect,
    epoch: append.epoch,
    batch: append.batch,
    lease: lease?.kind,
    owner: claim?.owner,
    ttl: claim?.ttlMs,
    force: claim?.force,
    active: append.active,
    once_key: once?.key,
    once_hash: once?.hash,
    once_answer: once?.answer,
    ...own,
    bytes: bytesOf(append.changes),
    feed: feed?.stream,
    feed_count: fed?.count,
    feed_moves: fed?.moves,
    feed_changes: fed?.changes,
    feed_drops: fed?.drops,
    feed_streaming: fed?.streaming,
  }
}

/** Each line names its append by its index in the batch. */
function encodeSpent(batch: readonly Append[]): string | undefined {
  const lines = batch.flatMap(({ spent = [] }, i) =>
    spent.map(({ inputTokens, outputTokens, costMicros, ...line }) => ({
      ...line,
      a: i + 1,
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      cost_micros: costMicros,
    })),
  )
  return lines.length === 0 ? undefined : JSON.stringify(lines)
}

/** Appends that wrote events, by their index in the batch. */
function encodeCounted(batch: readonly Append[]): string {
  return JSON.stringify(
    batch.flatMap(({ stream, changes }, i) =>
      changes.length === 0 ? [] : [{ a: i + 1, s: stream, n: changes.length, b: bytesOf(changes) }],
    ),
  )
}

function bytesOf(changes: readonly RowChange[]): number {
  return changes.reduce((sum, { value }) => sum + Buffer.byteLength(value) + EVENT_OVERHEAD, 0)
}

function encodeChanges(changes: readonly RowChange[]) {
  const { effects, drops, streaming } = rowEffects(changes)
  return {
    count: changes.length,
    moves: movesControl(changes) ? 1 : 0,
    changes: changes.map(({ collection, key, operation, value, ord, place, outline }, i) => ({
      i: i + 1,
      c: collection,
      k: key,
      o: operation,
      v: value,
      n: ord,
      p: place,
      e: effects[i],
      l: outline,
    })),
    drops: drops.length > 0 ? drops : undefined,
    streaming: streaming.size > 0 ? [...streaming].map(([message, index]) => ({ message, i: index + 1 })) : undefined,
  }
}
