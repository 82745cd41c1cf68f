/** Searches a person's own conversations and memories (CPT-8), and builds what is shown of each hit. */
import type { ArchiveRow, Collection, MessageRow, RollbackRow, SearchHitView, StatusRow } from "@parlor/protocol"
import { isDimmed, parseRow } from "@parlor/protocol"
import type { Ports } from "../ports/ports.ts"
import type { SearchHit } from "../ports/search.ts"
import { textOf } from "../text/text-of.ts"
import { snippetOf } from "./snippet.ts"
import { queryWords } from "./words.ts"

export type SearchFor = { readonly q: string; readonly agent?: string | undefined; readonly limit: number }

export async function search(node: Ports, person: string, looked: SearchFor): Promise<readonly SearchHitView[]> {
  const { q, agent, limit } = looked
  const options = { limit, now: node.clock.now(), ...(agent === undefined ? {} : { agent }) }
  const hits = await node.store.search.find(person, q, options)
  const words = queryWords(q)
  const views: SearchHitView[] = []
  for (const hit of hits) {
    const view = await viewOf(node, person, hit, words)
    if (view !== undefined) views.push(view)
  }
  return views
}

/** Undefined if it was deleted in the meantime. */
async function viewOf(
  node: Ports,
  person: string,
  hit: SearchHit,
  words: readonly string[],
): Promise<SearchHitView | undefined> {
  if (hit.kind === "memory") {
    const found = await node.store.memories.get(person, hit.scope, hit.name)
    if (found === undefined) return undefined
    const { scope, name, description, body, updatedAt } = found
    return { kind: "memory", scope, name, description, at: updatedAt, snippet: snippetOf(body || description, words) }
  }
  const collection = hit.kind === "message" ? "messages" : "archives"
  const read = await node.store.log.read(hit.stream, [
    { collection, key: hit.key },
    { collection: "status" },
    { collection: "rollbacks" },
  ])
  const [row, status, rollbacks] = (read?.lists ?? []).map((list) =>
    list.map((one) => parseRow(one.collection as Collection, one.value)),
  )
  if (row?.[0] === undefined) return undefined
  const { agent, branch } = hit.address
  const place = { agent, branch, title: (status?.[0] as StatusRow | undefined)?.title ?? "" }
  if (hit.kind === "archive") {
    const { id, title, summary, archivedAt } = row[0] as ArchiveRow
    return { kind: "archive", ...place, archive: id, at: archivedAt, snippet: snippetOf(`${title}\n${summary}`, words) }
  }
  const message = row[0] as MessageRow
  return {
    kind: "message",
    ...place,
    message: message.id,
    role: message.role,
    author: message.author,
    dimmed: isDimmed(message.ord, (rollbacks ?? []) as RollbackRow[]),
    at: message.at,
    snippet: snippetOf(textOf(message.parts), words),
  }
}
