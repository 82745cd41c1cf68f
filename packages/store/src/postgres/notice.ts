/**
 * What a node tells the others: which streams moved, and up to which event.
 *
 * `<node> <stream>.<head>,<stream>.<head>…` with numbers in base 36, or `<node> *`: look at everything. PostgreSQL takes
 * payloads shorter than 8,000 bytes, so a long list is several notices. Heads let a listener tell what it was told
 * already from what it missed. `<node> !<stream>,<stream>…` names streams that have something to do and no owner; a node
 * that does not know that form looks at everything.
 */
import type { StreamId } from "@parlor/protocol"

export type Heads = ReadonlyMap<StreamId, number>
export type Notice = {
  readonly node: string
  readonly heads: Heads | "everything"
  readonly offers: readonly StreamId[]
}

/** With more streams than this, looking at everything is cheaper than naming them. */
export const NAMED_STREAMS = 2_000
/** A removed stream is told as one beyond every head. */
export const REMOVED = Number.MAX_SAFE_INTEGER

const PAYLOAD_BYTES = 7_900
const EVERYTHING = "*"
const OFFERS = "!"
const RADIX = 36
const STREAM = /^[0-9a-z]+$/
const ENTRY = /^([0-9a-z]+)\.([0-9a-z]+)$/

/** All of it is ASCII: a character is a byte. */
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

/** What cannot be read, a newer node's perhaps, means everything: to look for nothing does no harm. */
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
