/**
 * The files as they were when an earlier message was sent, from the store alone (WSP-2).
 *
 * Every change of a file is a row with its previous content. Going back undoes, newest first, everything changed from
 * that message on.
 */
import { type FileRow, parseRow, Refusal, type StreamId } from "@parlor/protocol"
import { findOnLine } from "../log/line.ts"
import type { Ports } from "../ports/ports.ts"
import type { StoredRow } from "../ports/store.ts"
import type { Version } from "./content.ts"

const PAGE = 500

/**
 * The files when the message with this `ord` was sent: all changes made while it or a later one was the newest are
 * undone. For the state after a message, pass the `ord` that follows it.
 */
export async function filesAt(node: Ports, stream: StreamId, ord: number): Promise<ReadonlyMap<string, Version>> {
  const first = await node.store.log.read(stream, [{ collection: "files" }, { collection: "changes", newest: PAGE }])
  const files = new Map<string, Version>()
  for (const row of first?.lists[0] ?? []) files.set(row.key, versionOf(parseRow("files", row.value)))
  let page = first?.lists[1] ?? []
  for (;;) {
    for (const row of page) {
      const change = parseRow("changes", row.value)
      if (change.ord < ord) return files
      if (change.before === null) files.delete(change.path)
      else files.set(change.path, { hash: change.before, bytes: change.bytesBefore })
    }
    const last = page.at(-1)
    if (page.length < PAGE || last === undefined) return files
    page = await changesBelow(node, stream, last)
  }
}

/** The same for a message by its id, even one that a branch has from its parent. */
export async function filesAtMessage(
  node: Ports,
  stream: StreamId,
  message: string,
): Promise<ReadonlyMap<string, Version>> {
  const found = await findOnLine(node.store, stream, message)
  if (found === undefined) throw new Refusal("message.unknown", `There is no message ${message} here.`)
  return filesAt(node, found.section.stream, found.message.ord)
}

async function changesBelow(node: Ports, stream: StreamId, last: StoredRow): Promise<readonly StoredRow[]> {
  const below = { before: last.ord ?? 0, beforeKey: last.key }
  return (await node.store.log.read(stream, [{ collection: "changes", newest: PAGE, ...below }]))?.lists[0] ?? []
}

function versionOf({ hash, bytes }: FileRow): Version {
  return { hash, bytes }
}
