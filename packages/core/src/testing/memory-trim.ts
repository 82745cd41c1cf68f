/** Which events of a log in memory are still needed (LOG-36, LOG-37): the rules again, without slices. */
import type { StoredChange } from "@parlor/protocol"

const TOLD_WITHIN_MS = 30 * 24 * 60 * 60_000
/** A feed is trimmed again after it has grown by half, and by this. */
const FEED_GROWTH = 64

export type TrimOf = {
  readonly isFeed: boolean
  /** The last event that may be dropped. */
  readonly end: number
  /** How far each outgoing webhook of a feed's person got. */
  readonly told: readonly number[]
  readonly now: number
  readonly hasRow: (collection: string, key: string) => boolean
}

export function neededEvents(events: readonly StoredChange[], of: TrimOf): StoredChange[] {
  const newest = new Map(events.map(({ collection, key, seq }) => [`${collection}\n${key}`, seq]))
  const untold = Math.min(...of.told)
  return events.filter((event, index) => {
    const { seq, collection, key, at } = event
    if (seq > of.end) return true
    if (!of.isFeed && collection === "deltas") return false
    if (newest.get(`${collection}\n${key}`) === seq) return true
    if (!of.isFeed) return !isOfTurn(event, events[index - 1])
    if (seq > untold && at > of.now - TOLD_WITHIN_MS) return true
    return event.operation === "delete" && !of.hasRow(collection, key)
  })
}

/** The head that a feed has to pass before it is trimmed again. */
export function nextTrim(end: number, kept: number): number {
  return end + FEED_GROWTH + Math.floor(kept / 2)
}

/** A status row that only says that a turn started or ended. */
function isOfTurn({ seq, collection, value }: StoredChange, before: StoredChange | undefined): boolean {
  if (collection !== "status" || before?.seq !== seq - 1 || before.collection !== "turns") return false
  const { state } = JSON.parse(value) as { readonly state?: string }
  return state === "busy" || state === "idle"
}
