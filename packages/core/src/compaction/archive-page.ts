/** The chapters of a conversation by page, newest first, including those that were undone (CPT-6, LOG-25). */
import { type Address, type ArchivePage, limits, parseRow } from "@parlor/protocol"
import type { Agents } from "../agent/agent-of.ts"
import { conversationAt } from "../log/address.ts"
import { formatRowCursor, parseRowCursor, rowPlace } from "../log/row-cursor.ts"
import type { Ports } from "../ports/ports.ts"

export async function archivePage(
  node: Ports & Agents,
  address: Address,
  options: { readonly before?: string | undefined } = {},
): Promise<ArchivePage> {
  const stream = await conversationAt(node, address)
  const place = options.before === undefined ? {} : parseRowCursor(options.before, "before")
  const query = { collection: "archives", newest: limits.pageArchives + 1, bytes: limits.pageBytes, ...place } as const
  const read = await node.store.log.read(stream.id, [query])
  const rows = read?.lists[0] ?? []
  const page = rows.slice(0, limits.pageArchives)
  const last = page.at(-1)
  const hasMore = rows.length > page.length || (read?.cut.length ?? 0) > 0
  return {
    archives: page.map((row) => parseRow("archives", row.value)),
    older: hasMore && last !== undefined ? formatRowCursor(rowPlace(last)) : null,
  }
}
