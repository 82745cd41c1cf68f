/**
 * A running compaction: the range is summarized, then one decision writes the archive to the log (CPT-1).
 *
 *   busy with the turn ──shown──▶ busy with compaction ──summary──▶ archive written
 *                                        └──fault, stop──▶ as it was: nothing is written before the summary is whole
 */
import type { ArchiveRow, MessageRow, NewChange, StatusRow, Usage } from "@parlor/protocol"
import { decide } from "../log/decide.ts"
import type { Owner } from "../log/owner.ts"
import { statusChange } from "../log/state.ts"
import type { ModelAccess } from "../model-call/model-access.ts"
import { type SummaryOptions, summarize } from "./summarize.ts"

const TITLE_LENGTH = 60

export type Stretch = {
  /** The messages of the archive, in order; never empty. */
  readonly messages: readonly MessageRow[]
  /** The summary that precedes it, if there is one. */
  readonly before: string
  /** The newest message of the conversation. */
  readonly madeOrd: number
  /** Tokens of the current prompt, and of the prompt without these messages and any summary. */
  readonly tokensBefore: number
  readonly tokensKept: number
}

/** The archive covers exactly the summarized messages (CPT-12). */
export async function archive(
  node: ModelAccess,
  owner: Owner,
  stretch: Stretch,
  how: SummaryOptions,
): Promise<{ readonly archive: ArchiveRow; readonly usage: Usage }> {
  await show(node, owner, "compaction")
  const { text, usage } = await summarize(node, stretch, how)
  how.signal.throwIfAborted()
  const written = await write(node, owner, archiveRow(node, stretch, text, how.charsPerToken))
  return { archive: written, usage }
}

/** Shows in the status what the conversation is busy with. */
export async function show(node: ModelAccess, owner: Owner, busyWith: "turn" | "compaction"): Promise<void> {
  await decide(
    node,
    owner.stream,
    (state) => {
      const status: StatusRow = { ...state.status, busyWith, since: node.clock.now() }
      const isShown = state.status.busyWith === busyWith
      return { answer: undefined, changes: isShown ? [] : [statusChange(status)] }
    },
    { txid: owner.txid, owner },
  )
}

async function write(node: ModelAccess, owner: Owner, archive: ArchiveRow): Promise<ArchiveRow> {
  let written = archive
  await decide(
    node,
    owner.stream,
    (state) => {
      written = { ...archive, began: state.stream.head + 1 }
      return { answer: undefined, changes: [archiveChange(written, "insert")] }
    },
    { txid: owner.txid, owner },
  )
  return written
}

export function archiveChange(row: ArchiveRow, operation: "insert" | "update"): NewChange {
  return { collection: "archives", key: row.id, operation, row }
}

function archiveRow(node: ModelAccess, stretch: Stretch, summary: string, charsPerToken: number): ArchiveRow {
  const first = stretch.messages[0] as MessageRow
  const last = stretch.messages.at(-1) as MessageRow
  return {
    id: node.ids.next("arc"),
    from: first.id,
    to: last.id,
    fromOrd: first.ord,
    toOrd: last.ord,
    title: titleOf(summary),
    summary,
    tokensBefore: Math.ceil(stretch.tokensBefore),
    tokensAfter: Math.ceil(stretch.tokensKept + summary.length / charsPerToken),
    charsPerToken,
    archivedAt: node.clock.now(),
    madeOrd: stretch.madeOrd,
    began: 0,
    ended: null,
  }
}

/** The first sentence, at most 60 characters (CPT-2). Pure. */
export function titleOf(summary: string): string {
  const line = summary.replace(/^[#*\s>-]+/, "").split("\n", 1)[0] ?? ""
  const sentence = /^.*?[.!?。！？](?=\s|$|\P{ASCII})/u.exec(line)?.[0] ?? line
  const characters = [...sentence.replace(/[*_`]/g, "").trim()]
  return characters.length <= TITLE_LENGTH
    ? characters.join("")
    : `${characters
        .slice(0, TITLE_LENGTH - 1)
        .join("")
        .trimEnd()}…`
}
