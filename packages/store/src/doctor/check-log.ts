/**
 * Whether each log is complete, and whether the stored rows are what it folds to (LOG-5).
 *
 * The row of a key is its last event, so the fold needs no state. Logs are trimmed (LOG-36, LOG-37), so numbers may be
 * missing: deltas, between an event of their message while it streamed and a later one that ended it, and a single status
 * row directly after a turn. Of a feed, any event that a later one replaced. Every row must still have its event.
 */
import { restoredChange } from "@parlor/core"
import type { Collection } from "@parlor/protocol"
import { collectionName } from "../collection-name.ts"
import type { DoctorDatabase } from "./doctor-database.ts"
import type { Checked, Finding, RowKey } from "./finding.ts"

const STREAMS_AT_ONCE = 500
const ROWS_AT_ONCE = 200
const KEYS_SHOWN = 3

type StreamLine = {
  readonly id: number
  readonly kind: string
  readonly agent: string
  readonly person: string
  readonly branch: string
  readonly head: number
  /** No event above this number was dropped. */
  readonly trimTo: number
}
type LastEvent = RowKey & { readonly seq: number; readonly op: string }
type Gap = { readonly after: number; readonly before: number; readonly afterCollection: string | null }

export async function checkLogs(db: DoctorDatabase, checked: Checked): Promise<Finding[]> {
  const findings: Finding[] = []
  for (let after = 0; ; ) {
    const streams = await db.all<StreamLine>(
      `SELECT id, kind, agent, person, branch, head, trim_to AS "trimTo" FROM streams WHERE id > ?1 ORDER BY id LIMIT ?2`,
      [after, STREAMS_AT_ONCE],
    )
    for (const stream of streams) findings.push(...(await checkStream(db, stream, checked)))
    const last = streams.at(-1)
    if (last === undefined) return findings
    after = last.id
  }
}

async function checkStream(db: DoctorDatabase, stream: StreamLine, checked: Checked): Promise<Finding[]> {
  checked.streams += 1
  const subject = subjectOf(stream)
  const findings: Finding[] = []
  const [span] = await db.all<{ events: number; newest: number | null }>(
    "SELECT count(*) AS events, max(seq) AS newest FROM events WHERE stream = ?1",
    [stream.id],
  )
  const newest = span?.newest ?? 0
  checked.events += span?.events ?? 0
  if (newest !== stream.head)
    findings.push({
      check: "log",
      severity: "error",
      subject,
      detail: `The stream says that its last event is ${stream.head}; the log ends with ${newest}.`,
      remedy: { kind: "head", stream: stream.id },
    })
  const gaps = span?.events === newest ? [] : await unexplainedGaps(db, stream)
  if (gaps.length > 0)
    findings.push({
      check: "log",
      severity: "error",
      subject,
      detail: `Events are missing: ${listed(gaps.map(({ after, before }) => `${after + 1} to ${before - 1}`))}. Restore a backup to get them back.`,
    })
  const wrong = await wrongRows(db, stream.id, checked)
  const isLost = ({ lost }: { readonly lost: boolean }) => lost && span?.events !== stream.head
  const kept = wrong.filter(isLost)
  const mended = wrong.filter((row) => !isLost(row))
  if (kept.length > 0)
    findings.push({
      check: "rows",
      severity: "error",
      subject,
      detail: `${rows(kept.length)} without an event (${named(kept)}). They are kept, because the log has gaps.`,
    })
  if (mended.length > 0)
    findings.push({
      check: "rows",
      severity: "error",
      subject,
      detail: `${rows(mended.length)} not as the log says (${named(mended)}).`,
      remedy: { kind: "rows", stream: stream.id, keys: mended.map(({ collection, key }) => ({ collection, key })) },
    })
  return findings
}

async function unexplainedGaps(db: DoctorDatabase, { id, kind, trimTo }: StreamLine): Promise<readonly Gap[]> {
  if (kind === "feed") return []
  const gaps = await db.all<Gap>(
    `SELECT g.before, g.after, e.collection AS "afterCollection" FROM (
       SELECT seq AS before, coalesce(lag(seq) OVER (ORDER BY seq), 0) AS after FROM events WHERE stream = ?1
     ) AS g LEFT JOIN events e ON e.stream = ?1 AND e.seq = g.after WHERE g.before > g.after + 1 ORDER BY g.after`,
    [id],
  )
  if (gaps.length === 0) return []
  const streamed = await db.all<{ began: number; ended: number }>(
    `SELECT min(seq) AS began,
       max(CASE WHEN op = 'delete' OR ${db.sql.field("value", "state")} <> 'streaming' THEN seq ELSE 0 END) AS ended
     FROM events WHERE stream = ?1 AND collection = 'messages' GROUP BY key ORDER BY began`,
    [id],
  )
  const endedFrom = latestEnds(streamed)
  const hasDeltas = ({ after, before }: Gap) => endedFrom(after) >= before
  const isStatus = ({ after, before, afterCollection }: Gap) => afterCollection === "turns" && before === after + 2
  return gaps.filter((gap) => gap.before > trimTo + 1 || !(hasDeltas(gap) || isStatus(gap)))
}

/**
 * The last event of any message that had begun by an event. Asked with rising numbers, as the gaps are read, so that a
 * long log takes one pass.
 */
function latestEnds(begun: readonly { readonly began: number; readonly ended: number }[]): (seq: number) => number {
  let next = 0
  let latest = 0
  return (seq) => {
    for (let one = begun[next]; one !== undefined && one.began <= seq; one = begun[next]) {
      latest = Math.max(latest, one.ended)
      next += 1
    }
    return latest
  }
}

type WrongRow = RowKey & { readonly lost: boolean }

async function wrongRows(db: DoctorDatabase, stream: number, checked: Checked): Promise<WrongRow[]> {
  const expected = await lastEvents(db, stream)
  const wrong: WrongRow[] = []
  for (let place: RowKey = { collection: "", key: "" }; ; ) {
    const page = await db.all<RowLine>(
      `SELECT r.collection, r.key, r.seq, r.ord, r.place, ${db.sql.rowValue} AS value, e.value AS logged
       FROM rows r ${db.sql.joinValues} LEFT JOIN events e ON e.stream = r.stream AND e.seq = r.seq
       WHERE r.stream = ?1 AND (r.collection, r.key) > (?2, ?3) ORDER BY r.collection, r.key LIMIT ?4`,
      [stream, place.collection, place.key, ROWS_AT_ONCE],
    )
    for (const row of page) {
      const name = nameOf(row)
      const event = expected.get(name)
      expected.delete(name)
      if (event === undefined || event.op === "delete") wrong.push({ ...keyOf(row), lost: event === undefined })
      else if (event.seq !== row.seq || row.logged !== row.value || !isPlaced(row))
        wrong.push({ ...keyOf(row), lost: false })
    }
    checked.rows += page.length
    const last = page.at(-1)
    if (last === undefined) break
    place = last
  }
  for (const event of expected.values()) if (event.op !== "delete") wrong.push({ ...keyOf(event), lost: false })
  return wrong
}

type RowLine = RowKey & {
  readonly seq: number
  readonly ord: number | null
  readonly place: string | null
  readonly value: string | null
  readonly logged: string | null
}

/** The last event of every key, under the current names of collections. */
async function lastEvents(db: DoctorDatabase, stream: number): Promise<Map<string, LastEvent>> {
  const events = await db.all<LastEvent>(
    `SELECT collection, key, seq, op FROM (
       SELECT collection, key, seq, op, row_number() OVER (PARTITION BY collection, key ORDER BY seq DESC) AS age
       FROM events WHERE stream = ?1 AND collection <> 'deltas'
     ) AS aged WHERE age = 1 ORDER BY seq`,
    [stream],
  )
  return new Map(events.map((event) => [nameOf(event), event]))
}

/** Whether pages find the row where its value says it is. */
function isPlaced({ collection, key, value, ord, place }: RowLine): boolean {
  try {
    const derived = restoredChange(collection as Collection, key, value ?? "")
    return derived.ord === ord && (derived.place ?? null) === place
  } catch {
    // Not JSON: the log has the same text, so there is nothing better.
    return true
  }
}

function keyOf({ collection, key }: RowKey): RowKey {
  return { collection: collectionName(collection), key }
}

function nameOf({ collection, key }: RowKey): string {
  return `${collectionName(collection)}\n${key}`
}

function subjectOf({ kind, agent, branch, person }: StreamLine): string {
  return kind === "feed" ? `the feed of ${person}` : `${agent}/${branch} of ${person}`
}

function rows(count: number): string {
  return count === 1 ? "1 row is" : `${count} rows are`
}

function named(keys: readonly RowKey[]): string {
  return listed(keys.map(({ collection, key }) => `${collection} ${key}`))
}

function listed(names: readonly string[]): string {
  const more = names.length - KEYS_SHOWN
  return names.slice(0, KEYS_SHOWN).join(", ") + (more > 0 ? ` and ${more} more` : "")
}
