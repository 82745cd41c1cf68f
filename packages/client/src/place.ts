/**
 * The position of a reader in a stream, and which part of the next batch continues it.
 *
 * Events that were already read are dropped. Numbers may be missing, because events that nobody needs anymore are
 * dropped from the log (LOG-36). But a control event is never ahead of what came: if it is, something was lost, and
 * reading again from the last position returns it (LOG-6).
 */
import { type ChangeEvent, parseOffset } from "@parlor/protocol"

export type Place = {
  /** Where the next read starts. */
  readonly offset: string
  /** The number of the last event. When reading from `now`, it is unknown until the first event or control. */
  readonly seq: number | undefined
  /** Whether current rows are read instead of the log: their numbers have gaps until the first control. */
  readonly rows: boolean
  /** Whether only a part of the log is read: its numbers have gaps, and there is no position to resume from (SHR-5). */
  readonly partial: boolean
  readonly cursor: string | undefined
}

export type Control = { readonly streamNextOffset: string; readonly streamCursor?: string; readonly upToDate?: boolean }

export type Advance = { readonly place: Place; readonly fresh: readonly ChangeEvent[]; readonly gap: boolean }

export function placeAt(offset: string, rows = false, partial = false): Place {
  const seq = parseOffset(offset)
  return { offset, seq: typeof seq === "number" ? seq : undefined, rows, partial, cursor: undefined }
}

export function withChanges(place: Place, changes: readonly ChangeEvent[]): Advance {
  if (place.rows || place.partial) return { place, fresh: changes, gap: false }
  const fresh: ChangeEvent[] = []
  let last = place.seq
  let gap = false
  for (const change of changes) {
    const seq = parseOffset(change.headers.offset)
    if (typeof seq !== "number") {
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
  if (place.partial) return { place, fresh: [], gap: false }
  if (!place.rows && place.seq !== undefined && seq > place.seq) return { place, fresh: [], gap: true }
  const moves = place.rows || place.seq === undefined || seq === place.seq
  const end = moves ? { offset: control.streamNextOffset, seq } : { offset: place.offset, seq: place.seq }
  const cursor = control.streamCursor ?? place.cursor
  return { place: { ...end, rows: false, partial: false, cursor }, fresh: [], gap: false }
}
