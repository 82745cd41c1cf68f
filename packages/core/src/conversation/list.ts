/** A person's conversations, latest activity first (LOG-14), limited in bytes too (LOG-25). */
import { type ConversationPage, type FeedRow, limits, parseRow } from "@parlor/protocol"
import { feedStream } from "../log/address.ts"
import type { LogAccess } from "../log/log-access.ts"
import { formatRowCursor, parseRowCursor, rowPlace } from "../log/row-cursor.ts"

const PAGE = 100
/** How many rows one request scans for matches. */
const SCAN_LIMIT = 20_000

export type ListOptions = {
  readonly agent: string | undefined
  readonly archived: boolean
  readonly ephemeral: boolean
  readonly cursor: string | undefined
  readonly limit: number
}

export async function list(node: LogAccess, person: string, options: ListOptions): Promise<ConversationPage> {
  const feed = await feedStream(node, person)
  const found: FeedRow[] = []
  let bytes = 0
  let place = options.cursor === undefined ? undefined : parseRowCursor(options.cursor)
  for (let scanned = 0; scanned < SCAN_LIMIT; scanned += PAGE) {
    const read = await node.store.log.read(feed, [{ collection: "conversations", newest: PAGE, ...place }])
    const rows = read?.lists[0] ?? []
    for (const row of rows) {
      place = rowPlace(row)
      const conversation = parseRow("conversations", row.value)
      if (!isWanted(conversation, options)) continue
      found.push(conversation)
      bytes += row.value.length
      if (found.length === options.limit || bytes >= limits.pageBytes)
        return { conversations: found, cursor: formatRowCursor(place) }
    }
    if (rows.length < PAGE) return { conversations: found, cursor: null }
  }
  return { conversations: found, cursor: place === undefined ? null : formatRowCursor(place) }
}

function isWanted(row: FeedRow, options: ListOptions): boolean {
  if (options.agent !== undefined && row.agent !== options.agent) return false
  if (row.deleteAt !== null) return false
  return row.archived === options.archived && row.ephemeral === options.ephemeral
}
