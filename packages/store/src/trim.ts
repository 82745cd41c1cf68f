/**
 * Which events of a log nobody needs anymore (LOG-36, LOG-37). Pure, the same for all stores.
 *
 *   written to ──▶ due (`trim_at`, `trim_to`: the head at that time) ──grace over──▶ slice by slice up to `trim_to`
 *       ▲                  ▲                                                            │
 *       │                  └───────────── written to since ─────────────────────────────┤
 *       └───── nothing to do until the head passes `trim_to` (`trim_at` is 0) ◀─────────┘
 *
 * `trimmed` is how far the slices got. In a conversation it only rises: deltas and the status rows of a turn's start and
 * end are dropped once, and the current status row is where the next round begins. A feed is read from its start each
 * time, because any of its rows may have become old; so it is due only after it has grown by half.
 */

const SLICE_EVENTS = 250
/** How long events wait for an outgoing webhook. */
const TOLD_WITHIN_MS = 30 * 24 * 60 * 60_000
/** A feed is trimmed again after it has grown by half, and by this. */
const FEED_GROWTH = 64

/** The columns of `streams`. */
export type TrimLine = {
  readonly id: number
  readonly kind: string
  readonly person: string
  readonly head: number
  readonly trimmed: number
  readonly trim_to: number
  readonly kept: number
}

const TRIM_COLUMNS = "id, kind, person, head, trimmed, trim_to, trim_at, kept"

export type TrimEvent = {
  readonly seq: number
  readonly collection: string
  readonly op: string
  readonly at: number
  readonly bytes: number
  /** Of a status row. */
  readonly state: string | null
  /** The collection of the event before a status row, if it is stored. */
  readonly before: string | null
  /** The number of the newest event of the same row; none if it was deleted. Deltas have none. */
  readonly newest: number | null
}

/** PostgreSQL uses `$1` for `?1`; `{state}` is the expression for the state of a status row. */
export const TRIM_EVENTS = `
  SELECT e.seq, e.collection, e.op, e.at, octet_length(e.value) AS bytes,
    CASE WHEN e.collection = 'status' THEN {state} END AS state,
    CASE WHEN e.collection = 'status'
      THEN (SELECT p.collection FROM events p WHERE p.stream = e.stream AND p.seq = e.seq - 1) END AS before,
    CASE WHEN e.collection <> 'deltas' THEN (SELECT r.seq FROM rows r
      WHERE r.stream = e.stream AND r.collection = e.collection AND r.key = e.key) END AS newest
  FROM events e WHERE e.stream = ?1 AND e.seq > ?2 AND e.seq <= ?3 ORDER BY e.seq LIMIT ${SLICE_EVENTS}`

/** Due by the store's clock: written to longer ago than the grace period. Logs are counted first (LOG-31). */
export const TRIM_NEXT = `
  SELECT ${TRIM_COLUMNS} FROM streams WHERE trim_at > 0 AND trim_at <= ?1 AND uncounted = 0 ORDER BY trim_at LIMIT 1`

/** Which number every outgoing webhook of a person has passed. PostgreSQL uses `$1`, and `{upTo}` for the expression. */
export const TRIM_TOLD = `SELECT min({upTo}) AS told FROM triggers WHERE person = ?1 AND kind = 'notice'`

export const TRIM_STREAMING = "SELECT min(seq) AS first FROM streaming WHERE stream = ?1"

/** Numbers and bytes to drop, and what to write to the columns. */
export type TrimSlice = {
  readonly drop: readonly number[]
  readonly bytes: number
  readonly trimmed: number
  readonly kept: number
  readonly isLast: boolean
}

/** The last event that may be dropped: deltas of a message that still streams are needed. */
export function trimEnd({ trim_to: to }: Pick<TrimLine, "trim_to">, firstStreaming: number | null): number {
  return firstStreaming === null ? to : Math.min(to, firstStreaming - 1)
}

/** `told`: the number that all outgoing webhooks of a feed's person have passed; null if there are none. */
export function trimSlice(
  line: Pick<TrimLine, "kind" | "trimmed" | "kept">,
  events: readonly TrimEvent[],
  { end, told, now }: { readonly end: number; readonly told: number | null; readonly now: number },
): TrimSlice {
  const isFeed = line.kind === "feed"
  const isTold = ({ seq, at }: TrimEvent) => told === null || seq <= told || at <= now - TOLD_WITHIN_MS
  const dropped = events.filter((event) => (isFeed ? isReplaced(event) && isTold(event) : isSpent(event)))
  const isLast = events.length < SLICE_EVENTS
  const reached = isLast ? end : (events.at(-1)?.seq ?? end)
  const current = isFeed
    ? undefined
    : events.find(({ collection, seq, newest }) => collection === "status" && newest === seq)
  return {
    drop: dropped.map(({ seq }) => seq),
    bytes: dropped.reduce((sum, { bytes }) => sum + bytes, 0),
    trimmed: Math.max(line.trimmed, current === undefined ? reached : Math.min(reached, current.seq - 1)),
    kept: line.kept + events.length - dropped.length,
    isLast: isLast || current !== undefined,
  }
}

/** What the columns say after the last slice of a round. */
export function trimRound(
  line: Pick<TrimLine, "kind" | "head" | "trim_to">,
  { trimmed, kept }: Pick<TrimSlice, "trimmed" | "kept">,
  now: number,
): { readonly trimmed: number; readonly kept: number; readonly to: number; readonly at: number } {
  const { kind, head, trim_to: to } = line
  if (kind !== "feed") return { trimmed, kept: 0, to: head, at: head > to ? now : 0 }
  const due = to + FEED_GROWTH + Math.floor(kept / 2)
  return head > due ? { trimmed: 0, kept: 0, to: head, at: now } : { trimmed: 0, kept: 0, to: due, at: 0 }
}

function isReplaced({ seq, op, newest }: TrimEvent): boolean {
  return newest === null ? op !== "delete" : newest > seq
}

/** A status row directly after its turn's row says nothing that the turn's row does not, unless it is the current one. */
function isSpent({ collection, seq, state, before, newest }: TrimEvent): boolean {
  if (collection === "deltas") return true
  if (collection !== "status" || newest === null || newest <= seq) return false
  return before === "turns" && (state === "busy" || state === "idle")
}
