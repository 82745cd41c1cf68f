/**
 * The trees of the workspaces this process works on, kept between decisions. A kept one counts only while the newest
 * change in the store is the one it was kept with, whoever made it.
 */
import type { FileRow, StreamId } from "@parlor/protocol"
import type { ConversationState } from "../log/state.ts"
import type { Node } from "../node.ts"
import { type Tree, treeOf } from "./tree.ts"

const KEPT_TREES = 50
const NEWEST = { collection: "changes", newest: 1 } as const

/** `last`: the newest change that is in it. */
export type Kept = { readonly tree: Tree; readonly last: string | undefined }

const kept = new WeakMap<Node, Map<StreamId, Kept>>()

/** The tree to decide on. It is the caller's alone, to be changed and then kept, or dropped. */
export async function takeTree(node: Node, state: ConversationState): Promise<Kept> {
  const { id } = state.stream
  const known = kept.get(node)?.get(id)
  if (known !== undefined) {
    kept.get(node)?.delete(id)
    const newest = (await node.store.read(id, [NEWEST]))?.lists[0]?.[0]?.key
    if (newest === known.last && known.tree.files.size === state.status.files) return known
  }
  const read = await node.store.read(id, [{ collection: "files" }, NEWEST])
  const rows = (read?.lists[0] ?? []).map((row) => JSON.parse(row.value) as FileRow)
  return { tree: treeOf(rows), last: read?.lists[1]?.[0]?.key }
}

export function keepTree(node: Node, stream: StreamId, tree: Kept): void {
  const known = kept.get(node) ?? new Map<StreamId, Kept>()
  kept.set(node, known)
  known.set(stream, tree)
  const oldest = known.keys().next().value
  if (known.size > KEPT_TREES && oldest !== undefined) known.delete(oldest)
}
