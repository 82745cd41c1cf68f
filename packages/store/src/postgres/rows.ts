/**
 * Rows of a stream at one moment, and its log by page.
 *
 * All queries of a read are one statement, and a statement sees one snapshot; so are head and events. The first line of
 * a read is the stream. Statements differ only by the shapes of their queries, so the server keeps few plans.
 */
import type { EventPage, RowQuery, RowsRead, StoredRow } from "@parlor/core"
import type { Operation, StreamId, TxId } from "@parlor/protocol"
import { collectionName } from "../collection-name.ts"
import { COUNT_KEY, type DeltaChange, deltaRows, foldDeltas } from "../row-effects.ts"
import { STREAM_COLUMNS, type StreamRow, toStream } from "../stream-row.ts"
import type { Database, Statement } from "./connect.ts"

type Shape = "deltas" | "key" | "count" | "first" | "last" | "newest" | "before" | "oldest" | "all" | "above"

/** Shapes by letter, uppercase if bytes are limited: the name of a statement has at most 63 bytes. */
const LETTERS: Record<Shape, string> = {
  deltas: "d",
  key: "k",
  count: "c",
  first: "f",
  last: "l",
  newest: "n",
  before: "b",
  oldest: "o",
  all: "a",
  above: "v",
}

type Line = {
  readonly list: number
  readonly key: string
  readonly ord: number | null
  readonly value: string
  readonly op: Operation | typeof MORE | null
}

/** Marks a row that is followed by more rows. */
const MORE = "more"

const STREAM_LINE = -1

export async function read(
  db: Database,
  stream: StreamId,
  queries: readonly RowQuery[],
): Promise<RowsRead | undefined> {
  const values: unknown[] = [stream]
  const statement = makeStatement(queries, values)
  const lines = await db.read<Line>(statement, values)
  const first = lines.find((line) => line.list === STREAM_LINE)
  if (first === undefined) return undefined
  const own = queries.map((_, list) => lines.filter((line) => line.list === list))
  return {
    stream: toStream(JSON.parse(first.value) as StreamRow),
    lists: queries.map((query, list) => toList(query, own[list] ?? [])),
    cut: own.flatMap((list, index) => (list.at(-1)?.op === MORE ? [index] : [])),
  }
}

function makeStatement(queries: readonly RowQuery[], values: unknown[]): Statement {
  const shapes = queries.map(shapeOf)
  const selects = queries.map((query, list) => `(${select(query, shapes[list] ?? "all", list, values)})`)
  const streamLine = `(SELECT ${STREAM_LINE} AS list, '' AS key, NULL::bigint AS ord, row_to_json(x)::text AS value,
    NULL::text AS op FROM (SELECT ${STREAM_COLUMNS} FROM streams WHERE id = $1) x)`
  return {
    name: `read ${queries.map((query, list) => letterOf(query, shapes[list] ?? "all")).join("")}`,
    text: [streamLine, ...selects].join(" UNION ALL "),
  }
}

/** In capitals for outlines. */
function letterOf(query: RowQuery, shape: Shape): string {
  const letter = query.outlines ? LETTERS[shape].toUpperCase() : LETTERS[shape]
  return isBounded(query, shape) ? `${letter}+` : letter
}

function shapeOf({ collection, key, count, first, last, newest, before, oldest, afterKey }: RowQuery): Shape {
  if (collection === "deltas") return "deltas"
  if (key !== undefined) return "key"
  if (count) return "count"
  if (first !== undefined) return "first"
  if (last !== undefined) return "last"
  if (oldest !== undefined) return "oldest"
  if (before !== undefined) return "before"
  if (newest !== undefined) return "newest"
  return afterKey === undefined ? "all" : "above"
}

/** Adds the parameters of a query to `values`. */
function select(query: RowQuery, shape: Shape, list: number, values: unknown[]): string {
  const rows = selectRows(query, shape, list, values)
  if (!isBounded(query, shape)) return rows
  return `SELECT list, key, ord, value, CASE WHEN n < total THEN '${MORE}' END FROM (
      SELECT c.*, sum(octet_length(value)) OVER w AS bytes, row_number() OVER w AS n, count(*) OVER () AS total
      FROM (${rows}) c WINDOW w AS (ORDER BY ${ORDERS[shape]} ROWS UNBOUNDED PRECEDING)) x
    WHERE bytes <= $${values.push(query.bytes)} OR n = 1 ORDER BY n`
}

/** None for shapes with one row, and for deltas, which are folded. */
const ORDERS: Partial<Record<Shape, string>> = {
  all: "key",
  above: "key",
  first: "place, key",
  last: "place DESC, key DESC",
  newest: "ord DESC, key DESC",
  before: "ord DESC, key DESC",
  oldest: "ord, key",
}

function isBounded({ bytes }: RowQuery, shape: Shape): boolean {
  return bytes !== undefined && ORDERS[shape] !== undefined
}

/** A limit of null means no limit. */
function selectRows(query: RowQuery, shape: Shape, list: number, values: unknown[]): string {
  const parameter = (value: unknown) => `$${values.push(value)}`
  if (shape === "deltas")
    return `SELECT ${list}, e.key, NULL::bigint, e.value, e.op FROM streaming s
      JOIN events e ON e.stream = s.stream AND e.seq >= s.seq AND e.collection = 'deltas'
        AND starts_with(e.key, s.message || '/')
      WHERE s.stream = $1 ORDER BY s.message, e.seq`
  const where = `FROM rows WHERE stream = $1 AND collection = ${parameter(query.collection)}`
  if (shape === "count") return `SELECT ${list}, '${COUNT_KEY}', NULL::bigint, count(*)::text, NULL::text ${where}`
  const value = query.outlines ? "coalesce(outline, value)" : "value"
  const place = isBounded(query, shape) ? "place, " : ""
  const rows = `SELECT ${list} AS list, key, ord, ${value} AS value, ${place}NULL::text ${where}`
  if (shape === "key") return `${rows} AND key = ${parameter(query.key)}`
  if (shape === "all") return `${rows} ORDER BY key`
  if (shape === "above") return `${rows} AND key > ${parameter(query.afterKey)} ORDER BY key`
  if (shape === "first") return `${rows} AND place IS NOT NULL ORDER BY place, key LIMIT ${parameter(query.first)}`
  if (shape === "last")
    return `${rows} AND place IS NOT NULL ORDER BY place DESC, key DESC LIMIT ${parameter(query.last)}`
  if (shape === "oldest")
    return `${rows} AND ord > ${parameter(query.after ?? Number.MIN_SAFE_INTEGER)} ORDER BY ord, key LIMIT ${parameter(query.oldest)}`
  const bound =
    shape === "before" ? ` AND (ord, key) < (${parameter(query.before)}, ${parameter(query.beforeKey ?? "")})` : ""
  return `${rows} AND ord IS NOT NULL${bound} ORDER BY ord DESC, key DESC LIMIT ${parameter(query.newest ?? null)}`
}

function toList(query: RowQuery, own: readonly Line[]): StoredRow[] {
  const { collection } = query
  if (collection !== "deltas") return own.map(({ key, ord, value }) => ({ collection, key, ord, value }))
  return deltaRows(foldDeltas(own.map(toDelta)), query)
}

function toDelta({ key, op, value }: Line): DeltaChange {
  return { key, operation: op === null || op === MORE ? "insert" : op, value }
}

type EventLine = {
  readonly head: number
  readonly seq: number | null
  readonly collection: string
  readonly key: string
  readonly op: Operation
  readonly value: string
  readonly txid: string
  readonly at: number
}

const PAGE: Statement = {
  name: "events",
  text: `
    WITH candidates AS (
      SELECT seq, collection, key, op, value, txid, at FROM events
      WHERE stream = $1 AND seq > $2 ORDER BY seq LIMIT $3
    ), page AS (
      SELECT *, sum(octet_length(value)) OVER (ORDER BY seq) AS bytes, row_number() OVER (ORDER BY seq) AS place
      FROM candidates
    )
    SELECT s.head, p.seq, p.collection, p.key, p.op, p.value, p.txid, p.at
    FROM streams s LEFT JOIN page p ON p.bytes <= $4 OR p.place = 1
    WHERE s.id = $1 ORDER BY p.seq`,
}

export async function events(
  db: Database,
  stream: StreamId,
  after: number,
  bounds: { readonly count: number; readonly bytes: number },
): Promise<EventPage | undefined> {
  const lines = await db.read<EventLine>(PAGE, [stream, after, Math.max(bounds.count, 1), bounds.bytes])
  const [first] = lines
  if (first === undefined) return undefined
  const changes = lines.flatMap(({ seq, collection, key, op, value, txid, at }) =>
    seq === null
      ? []
      : [{ seq, collection: collectionName(collection), key, operation: op, value, txid: txid as TxId, at }],
  )
  return { head: first.head, changes }
}
