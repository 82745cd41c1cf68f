/**
 * The trees of the workspaces this process works on, cached between decisions. A cached tree is valid only while the
 * newest change in the store is the one it was cached with.
 */
import { parseRows, type StreamId } from "@parlor/protocol"
import type { ConversationState } from "../log/state.ts"
import type { FileAccess } from "./file-access.ts"
import { type Kept, treeOf } from "./tree.ts"

const KEPT_TREES = 50
const NEWEST = { collection: "changes", newest: 1 } as const

/** The tree to decide on. The caller owns it, and changes and then keeps or drops it. */
export async function takeTree(node: FileAccess, state: ConversationState): Promise<Kept> {
  const { id } = state.stream
  const { trees } = node.workspaces
  const known = trees.get(id)
  if (known !== undefined) {
    trees.delete(id)
    const newest = (await node.store.log.read(id, [NEWEST]))?.lists[0]?.[0]?.key
    if (newest === known.last && known.tree.files.size === state.status.files) return known
  }
  const read = await node.store.log.read(id, [{ collection: "files" }, NEWEST])
  const rows = parseRows("files", read?.lists[0])
  return { tree: treeOf(rows), last: read?.lists[1]?.[0]?.key }
}

export function keepTree({ workspaces }: FileAccess, stream: StreamId, tree: Kept): void {
  const { trees } = workspaces
  trees.set(stream, tree)
  const oldest = trees.keys().next().value
  if (trees.size > KEPT_TREES && oldest !== undefined) trees.delete(oldest)
}
