/**
 * The branches that a conversation lists in its own log: rows of `branches`. `children.ts` checks which of them exist.
 */
import { type Address, type BranchRow, limits, parseRow, Refusal, type StreamId, type TxId } from "@parlor/protocol"
import { decide, readState } from "../log/decide.ts"
import type { LogAccess } from "../log/log-access.ts"

/** Lists a branch in its parent before the branch is created. */
export async function listAt(
  node: LogAccess,
  parent: StreamId,
  asked: { readonly from: string | undefined; readonly ephemeral: boolean; readonly txid: TxId },
  name: string,
): Promise<void> {
  await decide(
    node,
    parent,
    async () => {
      const read = await node.store.log.read(parent, [
        { collection: "branches", count: true },
        { collection: "branches", key: name },
      ])
      const known = read?.lists[1]?.[0] !== undefined
      if (!known && Number(read?.lists[0]?.[0]?.value ?? 0) >= limits.branches)
        throw new Refusal("branch.too-many", `A conversation has at most ${limits.branches} branches.`)
      const row: BranchRow = {
        branch: name,
        from: (asked.from ?? null) as BranchRow["from"],
        ephemeral: asked.ephemeral,
        at: node.clock.now(),
      }
      const operation = known ? "update" : "insert"
      return { answer: undefined, changes: [{ collection: "branches", key: name, operation, row }] }
    },
    { txid: asked.txid },
  )
}

/** The branch was deleted, or was never created. */
export function unlist(node: LogAccess, parent: StreamId, name: string, txid: TxId): Promise<void> {
  return relist(node, parent, name, txid, () => undefined)
}

/** The parent's row for a branch; undefined if it is no longer listed. */
export async function relist(
  node: LogAccess,
  parent: StreamId,
  name: string,
  txid: TxId,
  change: (row: BranchRow) => BranchRow | undefined,
): Promise<void> {
  await decide(
    node,
    parent,
    async () => {
      const stored = (await node.store.log.read(parent, [{ collection: "branches", key: name }]))?.lists[0]?.[0]
      if (stored === undefined) return { answer: undefined, changes: [] }
      const before = parseRow("branches", stored.value)
      const row = change(before)
      const operation = row === undefined ? "delete" : "update"
      return { answer: undefined, changes: [{ collection: "branches", key: name, operation, row: row ?? before }] }
    },
    { txid },
  )
}

/** Another request created it first: the parent keeps listing it if it is a branch of the parent anyway. */
export async function settleList(node: LogAccess, parent: StreamId, child: Address, txid: TxId): Promise<void> {
  const made = await node.store.log.find({ kind: "conversation", ...child })
  const status = made && (await readState(node, made.id)).status
  const key = await node.store.log.read(parent, [])
  const isOwn = key?.stream.key.kind === "conversation" && status?.origin?.branch === key.stream.key.branch
  if (!isOwn || status === undefined) return unlist(node, parent, child.branch, txid)
  await relist(node, parent, child.branch, txid, (row) => ({
    ...row,
    from: status.origin?.message ?? null,
    ephemeral: status.ephemeral,
  }))
}
