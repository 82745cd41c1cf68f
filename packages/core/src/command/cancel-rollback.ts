/**
 * Undoes a rollback, even after new turns: these are then dimmed, and the files return to what they were just before
 * the rollback (RBK-5, RBK-6).
 */
import {
  type Address,
  dimmedRanges,
  limits,
  type NewChange,
  type RollbackRow,
  type StatusRow,
  type TxId,
  visibleFrom,
} from "@parlor/protocol"
import { conversationAt } from "../log/address.ts"
import type { ConversationState } from "../log/state.ts"
import { type FilesPlan, filesBefore, type Hands, planFiles } from "../rollback/files.ts"
import { cancelled, checkCancel, checkRoom, newRollback, rollbackChange } from "../rollback/plan.ts"
import { newestMessage, readRollbacks } from "../rollback/target.ts"
import { excerpt } from "../text/excerpt.ts"
import { textOf } from "../text/text-of.ts"
import { carryOut, type Made } from "./carry-out-rollback.ts"
import type { CommandAccess } from "./command-access.ts"

/** The row written last: the one that dims the later turns, or the cancelled one itself. */
export async function cancelRollback(
  node: CommandAccess,
  address: Address,
  id: string,
  txid: TxId,
): Promise<RollbackRow> {
  const { id: stream } = await conversationAt(node, address)
  // Checked before a turn is stopped for it.
  const { change, at } = checkCancel(await readRollbacks(node, stream), id)
  const made = node.ids.next("rbk")
  return carryOut(node, { stream, address, txid }, change === null ? undefined : at, (state, { hands }) =>
    decided(node, state, { id, made, hands }),
  )
}

type Asked = { readonly id: string; readonly made: string; readonly hands: Hands }

async function decided(node: CommandAccess, state: ConversationState, { id, made, hands }: Asked): Promise<Made> {
  const stream = state.stream.id
  const rollbacks = await readRollbacks(node, stream)
  const row = checkCancel(rollbacks, id)
  const now = state.stream.head + 1
  const { change } = row
  const files =
    change === null
      ? undefined
      : await planFiles(node, state, hands, (files) => filesBefore(node, stream, files, change))
  const [ended, ...others] = cancelled(rollbacks, row, now) as [RollbackRow, ...RollbackRow[]]
  const dims = row.scope !== "files" && state.lastOrd > row.fromOrd
  const further =
    dims || !isInverse(row, files, hands) ? await dimming(node, state, row, { made, now, files }) : undefined
  if (further !== undefined) checkRoom(rollbacks)
  const after = [...rollbacks.filter((one) => one.id !== id && !others.some((other) => other.id === one.id)), ...others]
  return {
    row: further ?? ended,
    changes: (written) =>
      further === undefined
        ? [rollbackChange(written, "update"), ...others.map(changed)]
        : [rollbackChange(ended, "update"), ...others.map(changed), rollbackChange(written, "insert")],
    status: await statusAfter(node, state, further === undefined ? after : [...after, further]),
    ...(files === undefined ? {} : { files }),
  }
}

/** Dims what came after the rollback, and records what it cancels. */
async function dimming(
  node: CommandAccess,
  state: ConversationState,
  row: RollbackRow,
  { made, now, files }: { readonly made: string; readonly now: number; readonly files: FilesPlan | undefined },
): Promise<RollbackRow> {
  return newRollback({
    id: made,
    to: row.from,
    toOrd: row.fromOrd,
    from: (await newestMessage(node, state.stream.id))?.id ?? null,
    fromOrd: state.lastOrd,
    scope: row.scope,
    cancels: row.id,
    files: [...(files?.files ?? [])],
    change: files?.change ?? null,
    at: node.clock.now(),
    began: now,
  })
}

/** Whether the files are as the rollback left them: then its own row has everything needed to restore them. */
function isInverse(row: RollbackRow, files: FilesPlan | undefined, hands: Hands): boolean {
  if (files === undefined) return true
  const left = new Map(row.files.map((file) => [file.path, file]))
  const isSame = files.files.every((file) => {
    const was = left.get(file.path)
    return was !== undefined && was.after === file.before && was.before === file.after
  })
  return hands.size === 0 && isSame && files.files.length === left.size
}

/** The preview shows the newest message that is not dimmed. */
async function statusAfter(
  node: CommandAccess,
  state: ConversationState,
  rollbacks: readonly RollbackRow[],
): Promise<StatusRow> {
  const ord = visibleFrom(state.lastOrd, dimmedRanges(rollbacks))
  const message = await newestMessage(node, state.stream.id, { before: ord + 1 })
  const preview = excerpt(textOf(message?.parts ?? []), limits.previewLength)
  return { ...state.status, preview, activityAt: node.clock.now() }
}

function changed(row: RollbackRow): NewChange {
  return rollbackChange(row, "update")
}
