/**
 * How far a stream has been read, and what of the next batch continues it.
 *
 * Events are numbered without gaps (LOG-1). What was seen already is dropped; what follows a gap is not taken, because
 * reading again from the last good place gives it (LOG-6).
 */
import { type ChangeEvent, parseOffset } from "@parlor/protocol"

export type Place = {
  /** Where the next read begins. */
  readonly offset: string
  /** The number of the last event, once it is known: not before the first event or control when reading from `now`. */
  readonly seq: number | undefined
  /** Reading current rows instead of the log: their numbers have gaps, until the first control says where they end. */
  readonly rows: boolean
  readonly cursor: string | undefined
}

export type Control = { readonly streamNextOffset: string; readonly streamCursor?: string; readonly upToDate?: boolean }

export type Advance = { readonly place: Place; readonly fresh: readonly ChangeEvent[]; readonly gap: boolean }

export function placeAt(offset: string, rows = false): Place {
  const seq = parseOffset(offset)
  return { offset, seq: typeof seq === "number" ? seq : undefined, rows, cursor: undefined }
}

export function withChanges(place: Place, changes: readonly ChangeEvent[]): Advance {
  if (place.rows) return { place, fresh: changes, gap: false }
  const fresh: ChangeEvent[] = []
  let last = place.seq
  let gap = false
  for (const change of changes) {
    const seq = parseOffset(change.headers.offset)
    if (typeof seq !== "number" || (last !== undefined && seq > last + 1)) {
      gap = true
      break
    }
    if (last !== undefined && seq <= last) continue
    last = seq
    fresh.push(change)
  }
  const offset = fresh.at(-1)?.headers.offset
  return { place: offset === undefined ? place : { ...place, offset, seq: last }, fresh, gap }
}

export function withControl(place: Place, control: Control): Advance {
  const seq = parseOffset(control.streamNextOffset)
  if (typeof seq !== "number") return { place, fresh: [], gap: true }
  if (!place.rows && place.seq !== undefined && seq > place.seq) return { place, fresh: [], gap: true }
  const moves = place.rows || place.seq === undefined || seq === place.seq
  const end = moves ? { offset: control.streamNextOffset, seq } : { offset: place.offset, seq: place.seq }
  const cursor = control.streamCursor ?? place.cursor
  return { place: { ...end, rows: false, cursor }, fresh: [], gap: false }
}
