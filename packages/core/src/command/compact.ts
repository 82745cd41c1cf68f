/**
 * Compaction by command, undoing it, and opening its archives (CPT-3 to CPT-6).
 *
 * A commanded compaction takes the turn slot, so that sends queue; it can be stopped. After a crash it runs again,
 * because nothing is in the log before the archive is.
 */
import {
  type Address,
  type ArchiveRow,
  emptyUsage,
  type MessagePage,
  parseRow,
  Refusal,
  type StatusRow,
  type StreamId,
  type TurnId,
  type TurnRow,
  type TxId,
} from "@parlor/protocol"
import { archiveChange } from "../compaction/archive.ts"
import { KEEP_TURNS } from "../compaction/when.ts"
import { history } from "../conversation/snapshot.ts"
import { beginDrive } from "../drive/drive.ts"
import { conversationAt } from "../log/address.ts"
import { type Decision, decide, expectFirst } from "../log/decide.ts"
import { type ConversationState, isBusy, statusChange } from "../log/state.ts"
import { claimBy } from "../log/write.ts"
import { isTimed } from "../queue/next-up.ts"
import type { CommandAccess } from "./command-access.ts"

const CHAPTER_MESSAGES = 200

export async function compact(
  node: CommandAccess,
  address: Address,
  options: { readonly keepTurns: number | undefined; readonly txid: TxId },
): Promise<{ readonly turn: TurnId }> {
  if (node.agents.get(address.agent)?.harness !== undefined)
    throw new Refusal("agent.hosted", `${address.agent} is a hosted agent: it keeps its own context.`)
  const stream = await conversationAt(node, address)
  const newest = (await history(node, address, { before: undefined, limit: 1 })).messages[0]
  if (newest === undefined) throw new Refusal("compaction.nothing", "There are no messages to compact yet.")
  const decided = await decide<TurnRow>(
    node,
    stream.id,
    (state) => {
      if (isBusy(state.status))
        throw new Refusal("conversation.busy", "A turn is running. Wait until it ends, or stop it first.")
      return starting(node, state, { message: newest.id, keepTurns: options.keepTurns ?? KEEP_TURNS })
    },
    { txid: options.txid },
  )
  const { answer: turn, appended } = expectFirst(decided)
  beginDrive(node, { stream: stream.id, address, epoch: appended.epoch, first: { kind: "turn", turn } })
  return { turn: turn.id }
}

export async function openArchive(
  node: CommandAccess,
  address: Address,
  id: string,
): Promise<MessagePage & { readonly archive: ArchiveRow }> {
  const archive = await readArchive(node, (await conversationAt(node, address)).id, id)
  const limit = Math.min(CHAPTER_MESSAGES, archive.toOrd - archive.fromOrd + 1)
  const page = await history(node, address, { before: String(archive.toOrd + 1), limit })
  return { archive, ...page }
}

export async function undoCompaction(
  node: CommandAccess,
  address: Address,
  id: string,
  txid: TxId,
): Promise<ArchiveRow> {
  const stream = await conversationAt(node, address)
  const decided = await decide<ArchiveRow>(
    node,
    stream.id,
    async (state) => {
      const row = await readArchive(node, stream.id, id)
      if (row.ended !== null) throw new Refusal("archive.dissolved", "This compaction was already undone.")
      if (isBusy(state.status))
        throw new Refusal("conversation.busy", "A turn is running. Undo the compaction when it ends.")
      const ended = { ...row, ended: state.stream.head + 1 }
      return { answer: ended, changes: [archiveChange(ended, "update")] }
    },
    { txid },
  )
  return expectFirst(decided).answer
}

async function readArchive(node: CommandAccess, stream: StreamId, id: string): Promise<ArchiveRow> {
  const read = await node.store.log.read(stream, [{ collection: "archives", key: id }])
  const row = read?.lists[0]?.[0]
  if (row === undefined) throw new Refusal("archive.unknown", `There is no archive ${id} here.`)
  return parseRow("archives", row.value)
}

function starting(
  node: CommandAccess,
  state: ConversationState,
  { message, keepTurns }: { readonly message: TurnRow["message"]; readonly keepTurns: number },
): Decision<TurnRow> {
  const now = node.clock.now()
  const turn: TurnRow = {
    id: node.ids.next("trn") as TurnId,
    message,
    agent: state.address.agent,
    guest: null,
    guestsNext: [],
    compaction: { keepTurns },
    settings: state.status.settings,
    state: "running",
    steps: 0,
    runs: [],
    usage: emptyUsage,
    startedAt: now,
    endedAt: null,
    error: null,
    began: state.stream.head,
    step: null,
  }
  const status: StatusRow = {
    ...state.status,
    state: "busy",
    busyWith: "compaction",
    turn: turn.id,
    message: null,
    attempt: null,
    retryAt: null,
    error: null,
    since: now,
  }
  return {
    answer: turn,
    changes: [{ collection: "turns", key: turn.id, operation: "insert", row: turn }, statusChange(status)],
    lease: claimBy(node, { force: isTimed(state.status) }),
  }
}
