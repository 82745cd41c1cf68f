/**
 * Change events as text. `value` stays the JSON text it was stored as: encoding is a concatenation, so every reader on
 * every node and transport gets the same rows (LOG-6). Without schemas: pages load this.
 */
import type { ChangeEvent, StoredChange } from "./change.ts"
import type { Millis } from "./ids.ts"
import { formatOffset, parseOffset } from "./offset.ts"
import { addedFields } from "./rows/blank-rows.ts"
import { wholeRow } from "./rows/parse-row.ts"

/** A stored change in wire form, without serializing and parsing it. */
export function changeOf(change: StoredChange): ChangeEvent {
  return whole({
    type: change.collection,
    key: change.key,
    value: JSON.parse(change.value),
    headers: {
      operation: change.operation,
      txid: change.txid,
      timestamp: timestamp(change.at),
      offset: formatOffset(change.seq, change.txid),
    },
  } as ChangeEvent)
}

/** The events of one response or frame, separated by commas. A header that follows from the event before is left out. */
export function encodeChanges(changes: readonly StoredChange[], options: EncodeOptions = {}): string {
  let text = ""
  let before: StoredChange | undefined
  for (const change of changes) {
    text += before === undefined ? encodeChange(change, before, options) : `,${encodeChange(change, before, options)}`
    before = change
  }
  return text
}

export type EncodeOptions = {
  /** Whether turns include the record of their step, for the inspector (LOG-15). */
  readonly steps?: boolean
}

function encodeChange(change: StoredChange, before: StoredChange | undefined, { steps }: EncodeOptions): string {
  const { collection, key, operation, txid, at, seq } = change
  const value = collection === "turns" && !steps ? withoutStep(change.value) : change.value
  const isOfSameWrite = before !== undefined && txid === before.txid
  return (
    `{"type":${JSON.stringify(collection)},"key":${JSON.stringify(key)},"value":${value},` +
    `"headers":{"operation":"${operation}"` +
    (isOfSameWrite ? "" : `,"txid":${JSON.stringify(txid)}`) +
    (before !== undefined && at === before.at ? "" : `,"timestamp":"${timestamp(at)}"`) +
    (isOfSameWrite && seq === before.seq + 1 ? "}}" : `,"offset":"${formatOffset(seq, txid)}"}}`)
  )
}

/** In JSON text, nothing but a field looks like this: in a string, the quotes are escaped. */
const STEP = ',"step":{'

function withoutStep(value: string): string {
  const at = value.indexOf(STEP)
  return at < 0 ? value : value.slice(0, at) + value.slice(endOfObject(value, at + STEP.length))
}

/** The position after the object whose content starts at `from`. */
function endOfObject(json: string, from: number): number {
  let depth = 1
  let isInText = false
  for (let i = from; i < json.length; i++) {
    const mark = json[i]
    if (isInText) {
      if (mark === "\\") i += 1
      else if (mark === '"') isInText = false
    } else if (mark === '"') isInText = true
    else if (mark === "{") depth += 1
    else if (mark === "}") depth -= 1
    if (depth === 0) return i + 1
  }
  return json.length
}

type SentHeaders = Pick<ChangeEvent["headers"], "operation"> & Partial<ChangeEvent["headers"]>

/** The events of a response or frame, complete: headers that were left out, and fields with their defaults. */
export function readChanges(json: string): ChangeEvent[] {
  const events = JSON.parse(json) as (Omit<ChangeEvent, "headers"> & { readonly headers: SentHeaders })[]
  let before: ChangeEvent["headers"] | undefined
  return events.map((event) => {
    before = wholeHeaders(event.headers, before)
    return whole({ ...event, headers: before } as ChangeEvent)
  })
}

function wholeHeaders(sent: SentHeaders, before: ChangeEvent["headers"] | undefined): ChangeEvent["headers"] {
  const { operation, txid = before?.txid ?? "", timestamp = before?.timestamp ?? "" } = sent
  const offset = sent.offset ?? offsetAfter(before?.offset ?? "", txid)
  return { operation, txid, timestamp, offset }
}

function offsetAfter(offset: string, txid: string): string {
  const seq = parseOffset(offset)
  return typeof seq === "number" ? formatOffset(seq + 1, txid) : offset
}

function whole(event: ChangeEvent): ChangeEvent {
  const { type, value } = event
  const row = type in addedFields ? wholeRow(type, value) : value
  return row === value ? event : ({ ...event, value: row } as ChangeEvent)
}

let lastAt = Number.NaN
let lastText = ""

/** All changes of one write have the same time. */
function timestamp(at: Millis): string {
  if (at !== lastAt) {
    lastText = new Date(at).toISOString()
    lastAt = at
  }
  return lastText
}
