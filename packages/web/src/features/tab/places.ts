/**
 * Reading positions: where a person left each conversation above its end, per window and across reloads. The
 * conversation reopens there if that takes one page of messages, otherwise at the newest (TAB-23, TAB-24).
 */

import type { MessageRow } from "@parlor/protocol"
import type { Keep } from "../keep/keep.ts"
import type { OwnPart } from "../keep/own.ts"

export type ReadingPlace = {
  /** The first visible message. */
  readonly message: string
  /** Its offset from the top of the view. */
  readonly topPx: number
  /** The number of messages from it to the newest. */
  readonly back: number
  /** The number of the newest message seen. */
  readonly seen: number
}

export type Places = {
  readonly read: (conversation: string) => ReadingPlace | undefined
  /** Undefined: at the end. */
  readonly write: (conversation: string, place: ReadingPlace | undefined) => void
}

/** The maximum number of messages in one page. */
const MAX_BACK = 200
/** A margin for messages that arrived since. */
const SPARE = 40
/** The oldest positions are dropped. */
const MAX_PLACES = 50
const KEY = "places"

export const ownPlaces: OwnPart<Places> = ({ windowKeep }) => placesIn(windowKeep)

export function placesIn(keep: Keep): Places {
  let known = new Map(placesFrom(keep.read(KEY)))
  return {
    read: (conversation) => known.get(conversation),
    write: (conversation, place) => {
      if (place === undefined && !known.has(conversation)) return
      known.delete(conversation)
      if (place !== undefined) known.set(conversation, place)
      known = new Map([...known].slice(-MAX_PLACES))
      keep.write(KEY, known.size === 0 ? undefined : JSON.stringify([...known]))
    },
  }
}

/** Undefined when it is too far back or unknown. */
export function placeOf(
  read: { readonly row: string; readonly top: number },
  messages: readonly Pick<MessageRow, "id">[],
  seen: number,
): ReadingPlace | undefined {
  const index = messages.findLastIndex(({ id }) => id === read.row)
  const back = messages.length - index
  if (index === -1 || back + SPARE > MAX_BACK) return undefined
  return { message: read.row, topPx: Math.round(read.top), back, seen }
}

/** How many messages to load; undefined for the default. */
export function messagesFor(place: ReadingPlace | undefined): number | undefined {
  return place === undefined ? undefined : Math.min(MAX_BACK, place.back + SPARE)
}

/** Anything else in storage is ignored. */
function placesFrom(text: string | undefined): readonly (readonly [string, ReadingPlace])[] {
  try {
    const kept: unknown = JSON.parse(text ?? "")
    return Array.isArray(kept) ? kept.filter(isEntry).slice(-MAX_PLACES) : []
  } catch {
    return []
  }
}

function isEntry(value: unknown): value is readonly [string, ReadingPlace] {
  if (!Array.isArray(value) || typeof value[0] !== "string") return false
  const place = value[1] as Partial<ReadingPlace> | null
  const isMeasured = [place?.topPx, place?.back, place?.seen].every((number) => Number.isSafeInteger(number))
  return typeof place?.message === "string" && isMeasured && (place.back ?? 0) > 0 && (place.back ?? 0) <= MAX_BACK
}
