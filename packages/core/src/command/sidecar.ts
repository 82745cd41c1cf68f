/** Keeps a sidecar as an ordinary branch, or closes it, which deletes it if the host is configured so (BRA-4). */
import { type Address, feedKey, MAIN_BRANCH, Refusal, type StatusRow, type StreamId, type TxId } from "@parlor/protocol"
import type { Place } from "../branch/branch.ts"
import { childrenOf } from "../branch/children.ts"
import { relist } from "../branch/listed.ts"
import { conversationAt } from "../log/address.ts"
import { decide, expectFirst, readState } from "../log/decide.ts"
import { statusChange } from "../log/state.ts"
import type { CommandAccess } from "./command-access.ts"
import { removeAll } from "./remove.ts"

export async function keepSidecar(node: CommandAccess, address: Address, txid: TxId): Promise<Place> {
  const { id: stream } = await conversationAt(node, address)
  const decided = await decide<StatusRow>(
    node,
    stream,
    (state) => {
      checkSidecar(address, state.status)
      const status = { ...state.status, ephemeral: false }
      return { answer: status, changes: [statusChange(status)] }
    },
    { txid },
  )
  const { origin } = expectFirst(decided).answer
  const parent = origin && (await node.store.log.find({ kind: "conversation", ...address, branch: origin.branch }))
  // If this is never written, the branch's own status decides.
  if (parent) await relist(node, parent.id, address.branch, txid, (row) => ({ ...row, ephemeral: false }))
  return { agent: address.agent, branch: address.branch }
}

/** A sidecar with branches is always kept. Returns the streams that were deleted. */
export async function closeSidecar(
  node: CommandAccess,
  address: Address,
  txid: TxId,
): Promise<{ readonly kept: boolean; readonly streams: readonly StreamId[] }> {
  const { id: stream } = await conversationAt(node, address)
  checkSidecar(address, (await readState(node, stream)).status)
  const isKept = node.settings.closedSidecars === "keep" || (await childrenOf(node, address, stream)).length > 0
  if (isKept) return { kept: true, streams: [] }
  return { kept: false, streams: await removeAll(node, [address], txid) }
}

export function checkSidecar(address: Address, status: StatusRow): void {
  if (status.ephemeral && address.branch !== MAIN_BRANCH) return
  throw new Refusal("branch.not-sidecar", `${feedKey(address)} is an ordinary conversation, not a sidecar.`)
}
