/**
 * What a node tells the others: which streams moved, and up to which event.
 *
 * `<node> <stream>.<head>,<stream>.<head>…` with numbers in base 36, or `<node> *`: look at everything. PostgreSQL takes
 * payloads shorter than 8,000 bytes, so a long list is several notices. Heads let a listener tell what it was told
 * already from what it missed.
 */
import type { StreamId } from "@parlor/protocol"

export type Heads = ReadonlyMap<StreamId, number>
export type Notice = { readonly node: string; readonly heads: Heads | "everything" }

/** With more streams than this, looking at everything is cheaper than naming them. */
export const NAMED_STREAMS = 2_000
/** A removed stream is told as one beyond every head. */
export const REMOVED = Number.MAX_SAFE_INTEGER

const PAYLOAD_BYTES = 7_900
const EVERYTHING = "*"
const RADIX = 36
const ENTRY = /^([0-9a-z]+)\.([0-9a-z]+)$/

/** All of it is ASCII: a character is a byte. */
export function encodeNotices(node: string, heads: Heads): string[] {
  if (heads.size > NAMED_STREAMS) return [`${node} ${EVERYTHING}`]
  const notices: string[] = []
  let notice = ""
  for (const [stream, head] of heads) {
    const entry = `${stream.toString(RADIX)}.${head.toString(RADIX)}`
    if (notice !== "" && notice.length + 1 + entry.length > PAYLOAD_BYTES) {
      notices.push(notice)
      notice = ""
    }
    notice = notice === "" ? `${node} ${entry}` : `${notice},${entry}`
  }
  if (notice !== "") notices.push(notice)
  return notices
}

/** What cannot be read, a newer node's perhaps, means everything: to look for nothing does no harm. */
export function decodeNotice(payload: string): Notice {
  const [node = "", list = ""] = payload.split(" ")
  const heads = new Map<StreamId, number>()
  for (const entry of list.split(",")) {
    const [, stream, head] = ENTRY.exec(entry) ?? []
    if (stream === undefined || head === undefined) return { node, heads: "everything" }
    heads.set(Number.parseInt(stream, RADIX) as StreamId, Number.parseInt(head, RADIX))
  }
  return { node, heads }
}
