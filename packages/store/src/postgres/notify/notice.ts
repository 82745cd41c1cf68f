/**
 * Notifications between nodes: which streams changed, and up to which event.
 *
 * `<node> <stream>.<head>,<stream>.<head>…` with numbers in base 36, or `<node> *`: check everything. PostgreSQL
 * accepts payloads shorter than 8,000 bytes, so a long list takes several notifications. Heads let a listener
 * distinguish what it already knows from what it missed. `<node> !<stream>,<stream>…` names streams that have work and
 * no owner; a node that does not know that form checks everything.
 */
import type { StreamId } from "@parlor/protocol"

export type Heads = ReadonlyMap<StreamId, number>
export type Notice = {
  readonly node: string
  readonly heads: Heads | "everything"
  readonly offers: readonly StreamId[]
}

/** With more streams than this, checking everything is cheaper than naming them. */
export const NAMED_STREAMS = 2_000
/** A removed stream is sent with a head beyond all others. */
export const REMOVED = Number.MAX_SAFE_INTEGER

const PAYLOAD_BYTES = 7_900
const EVERYTHING = "*"
const OFFERS = "!"
const RADIX = 36
const STREAM = /^[0-9a-z]+$/
const ENTRY = /^([0-9a-z]+)\.([0-9a-z]+)$/

/** All ASCII: a character is a byte. */
export function encodeNotices(node: string, heads: Heads): string[] {
  if (heads.size > NAMED_STREAMS) return [`${node} ${EVERYTHING}`]
  return paged(
    `${node} `,
    [...heads].map(([stream, head]) => `${stream.toString(RADIX)}.${head.toString(RADIX)}`),
  )
}

export function encodeOffers(node: string, streams: Iterable<StreamId>): string[] {
  return paged(
    `${node} ${OFFERS}`,
    [...streams].map((stream) => stream.toString(RADIX)),
  )
}

function paged(opening: string, entries: readonly string[]): string[] {
  const notices: string[] = []
  let notice = ""
  for (const entry of entries) {
    if (notice !== "" && notice.length + 1 + entry.length > PAYLOAD_BYTES) {
      notices.push(notice)
      notice = ""
    }
    notice = notice === "" ? opening + entry : `${notice},${entry}`
  }
  if (notice !== "") notices.push(notice)
  return notices
}

/** An unreadable payload, perhaps from a newer node, means everything: checking for nothing does no harm. */
export function decodeNotice(payload: string): Notice {
  const [node = "", list = ""] = payload.split(" ")
  const heads = new Map<StreamId, number>()
  if (list.startsWith(OFFERS)) return { node, heads, offers: offersIn(list.slice(OFFERS.length)) }
  for (const entry of list.split(",")) {
    const [, stream, head] = ENTRY.exec(entry) ?? []
    if (stream === undefined || head === undefined) return { node, heads: "everything", offers: [] }
    heads.set(Number.parseInt(stream, RADIX) as StreamId, Number.parseInt(head, RADIX))
  }
  return { node, heads, offers: [] }
}

function offersIn(list: string): StreamId[] {
  return list.split(",").flatMap((entry) => (STREAM.test(entry) ? [Number.parseInt(entry, RADIX) as StreamId] : []))
}
