/**
 * One decision about rollbacks, made while no turn runs, and its consequences (RBK-8, RBK-9).
 *
 *   turn runs ──stopped, queue held──▶ decide ──┬── files as they were ────────────────────────▶ done
 *                                               └── rows of files written, slot taken ──▶ disk follows ──▶ done, slot free
 *
 * The whole decision is in the log. After a crash nothing is left half done: the files are what their rows say, and the
 * next owner of the conversation updates the disk and frees the slot.
 */
import {
  type Address,
  type Millis,
  type NewChange,
  parseRow,
  Refusal,
  type RollbackRow,
  type StatusRow,
  type StreamId,
  type TxId,
} from "@parlor/protocol"
import { beginDrive } from "../drive/drive.ts"
import { endRunning } from "../drive/stop.ts"
import { type Decision, decide, expectFirst, readState } from "../log/decide.ts"
import { type ConversationState, isBusy, statusChange } from "../log/state.ts"
import { claimBy } from "../log/write.ts"
import { type FilesPlan, type Hands, handsSince, recordedHands } from "../rollback/files.ts"
import { StopAsked } from "../turn/stop-asked.ts"
import { alone } from "../workspace/alone.ts"
import { adopt, folderOf } from "../workspace/disk.ts"
import { keepTree } from "../workspace/trees.ts"
import type { CommandAccess } from "./command-access.ts"

/** Another turn may start while one is being stopped. */
const TRIES = 5

export type Place = { readonly stream: StreamId; readonly address: Address; readonly txid: TxId }

export type Made = {
  /** The row that records the decision; its files are being restored if there are any. */
  readonly row: RollbackRow
  readonly changes: (row: RollbackRow) => readonly NewChange[]
  readonly status: StatusRow
  readonly files?: FilesPlan
}

export type Make = (
  state: ConversationState,
  found: {
    readonly hands: Hands
    /** Whether a turn was stopped for it. */
    readonly stopped: boolean
  },
) => Promise<Made>

const NO_HANDS: Hands = new Map()

/** `since`: edits on disk from then on are considered. If omitted, the files are left alone. */
export async function carryOut(
  node: CommandAccess,
  place: Place,
  since: Millis | undefined,
  make: Make,
): Promise<RollbackRow> {
  const { stream } = place
  let stopped = false
  for (let tries = 0; tries < TRIES; tries++) {
    stopped = (await endTurn(node, stream)) || stopped
    const found = { hands: NO_HANDS, stopped }
    const decided =
      since === undefined
        ? await decideNow(node, place, (state) => make(state, found))
        : await alone(node, stream, async () => {
            const hands = await handsSince(node, stream, since)
            const made = await decideNow(node, place, (state) => make(state, { ...found, hands }))
            if (made !== undefined) await adopt(node, await folderOf(node, stream), recordedHands(hands))
            return made
          })
    if (decided === undefined) continue
    if (decided.row.state === "done") return decided.row
    return finished(node, place, decided)
  }
  throw new Refusal("conversation.contended", "Too many turns started at the same moment. Try again.")
}

/** Its reply so far stays, and the queue is held. False if no turn runs. */
async function endTurn(node: CommandAccess, stream: StreamId): Promise<boolean> {
  const { status } = await readState(node, stream)
  if (status.turn === null) return false
  return (await endRunning(node, stream, status.turn, new StopAsked("hold"))).stopped
}

type Decided = { readonly row: RollbackRow; readonly epoch: number }

/** Undefined if a turn runs again. */
async function decideNow(
  node: CommandAccess,
  { stream, txid }: Place,
  make: (state: ConversationState) => Promise<Made>,
): Promise<Decided | undefined> {
  let files: FilesPlan | undefined
  const decided = await decide<RollbackRow | undefined>(
    node,
    stream,
    async (state) => {
      if (state.status.turn !== null) return { answer: undefined, changes: [] }
      if (isBusy(state.status))
        throw new Refusal("conversation.busy", "Another rollback is in progress. Try again in a moment.")
      const made = await make(state)
      files = made.files
      return decision(node, made)
    },
    { txid },
  )
  const { answer, appended } = expectFirst(decided)
  if (answer === undefined) return undefined
  if (files !== undefined) keepTree(node, stream, files.kept)
  return { row: answer, epoch: appended.epoch }
}

function decision(node: CommandAccess, made: Made): Decision<RollbackRow> {
  const files = made.files?.changes ?? []
  const applies = files.length > 0
  const row: RollbackRow = { ...made.row, state: applies ? "applying" : "done" }
  const filed = made.files === undefined ? made.status : withFiles(made.status, made.files.status)
  // The session of a hosted agent would still know the dimmed messages (HST-10).
  const shown = made.row.scope === "files" ? filed : { ...filed, session: null }
  const now = node.clock.now()
  const status: StatusRow = applies ? { ...shown, state: "busy", busyWith: "rollback", since: now } : shown
  return {
    answer: row,
    changes: [...made.changes(row), ...files, statusChange(status)],
    ...(applies ? { lease: claimBy(node, { force: true }) } : {}),
  }
}

/** Updates the files on disk, then marks the row as done. */
async function finished(
  node: CommandAccess,
  { stream, address }: Place,
  { row, epoch }: Decided,
): Promise<RollbackRow> {
  let told = (_finishing: Promise<void>) => {}
  const finishing = new Promise<void>((resolve, reject) => {
    told = (work) => void work.then(resolve, reject)
  })
  const drive = beginDrive(node, { stream, address, epoch, first: { kind: "rollback", told } })
  await Promise.race([finishing, drive.over])
  const read = await node.store.log.read(stream, [{ collection: "rollbacks", key: row.id }])
  const now = read?.lists[0]?.[0]
  return now === undefined ? row : parseRow("rollbacks", now.value)
}

function withFiles(status: StatusRow, { files, latestFile }: StatusRow): StatusRow {
  return { ...status, files, latestFile }
}
