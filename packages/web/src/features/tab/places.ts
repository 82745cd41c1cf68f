/**
 * Where a person was reading in each conversation that they left above its end, in this window and across its reloads. It
 * is opened there again, with as many messages as that takes in one page; further back it opens at its newest (TAB-2).
 */

import type { MessageRow } from "@parlor/protocol"
import type { Keep } from "../keep/keep.ts"
import type { OwnPart } from "../keep/own.ts"

export type ReadingPlace = {
  /** The first message of which something was in view. */
  readonly message: string
  /** Where it began, from the top of the view. */
  readonly topPx: number
  /** How many messages there were from it to the newest. */
  readonly back: number
  /** The newest message that was seen, by its number. */
  readonly seen: number
}

export type Places = {
  readonly read: (conversation: string) => ReadingPlace | undefined
  /** Undefined: at the end. */
  readonly write: (conversation: string, place: ReadingPlace | undefined) => void
}

/** What one page may hold. */
const MOST_BACK = 200
/** Messages that may have come meanwhile. */
const SPARE = 40
/** The conversations that were left longest ago are opened at their newest. */
const MOST_PLACES = 50
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
      known = new Map([...known].slice(-MOST_PLACES))
      keep.write(KEY, known.size === 0 ? undefined : JSON.stringify([...known]))
    },
  }
}

/** Undefined when it is too far back, or not among the messages. */
export function placeOf(
  read: { readonly row: string; readonly top: number },
  messages: readonly Pick<MessageRow, "id">[],
  seen: number,
): ReadingPlace | undefined {
  const index = messages.findLastIndex(({ id }) => id === read.row)
  const back = messages.length - index
  if (index === -1 || back + SPARE > MOST_BACK) return undefined
  return { message: read.row, topPx: Math.round(read.top), back, seen }
}

/** How many messages to open with; undefined for the usual number, which is enough for most. */
export function messagesFor(place: ReadingPlace | undefined): number | undefined {
  return place === undefined ? undefined : Math.min(MOST_BACK, place.back + SPARE)
}

/** Whatever else a browser holds there is no place. */
function placesFrom(text: string | undefined): readonly (readonly [string, ReadingPlace])[] {
  try {
    const kept: unknown = JSON.parse(text ?? "")
    return Array.isArray(kept) ? kept.filter(isEntry).slice(-MOST_PLACES) : []
  } catch {
    return []
  }
}

function isEntry(value: unknown): value is readonly [string, ReadingPlace] {
  if (!Array.isArray(value) || typeof value[0] !== "string") return false
  const place = value[1] as Partial<ReadingPlace> | null
  const isMeasured = [place?.topPx, place?.back, place?.seen].every((number) => Number.isSafeInteger(number))
  return typeof place?.message === "string" && isMeasured && (place.back ?? 0) > 0 && (place.back ?? 0) <= MOST_BACK
}
