/**
 * A compaction while it runs: the stretch is summed up, then one decision puts the archive into the log (CPT-1).
 *
 *   busy with the turn ──shown──▶ busy with compaction ──summary──▶ archive written
 *                                        └──fault, stop──▶ as it was: nothing is written before the summary is whole
 */
import {
  type ArchiveRow,
  emptyUsage,
  type MessageRow,
  type NewChange,
  type StatusRow,
  type Usage,
} from "@parlor/protocol"
import { decide } from "../conversation/decide.ts"
import { statusChange } from "../conversation/state.ts"
import type { Node } from "../node.ts"
import type { Model } from "../ports/model.ts"
import type { Drive } from "../turn/owned.ts"
import type { Spender } from "../usage/permit.ts"
import { summarise } from "./summarise.ts"
import { sizeOf, tokensIn } from "./when.ts"

const TITLE_LENGTH = 60

export type Stretch = {
  /** What goes into the archive, in order: never none. */
  readonly messages: readonly MessageRow[]
  /** What stays. */
  readonly kept: readonly MessageRow[]
  /** The summary that stands before it, when there is one. */
  readonly before: string
}

export async function archive(
  node: Node,
  drive: Drive,
  parts: {
    readonly spender: Spender
    readonly model: Model
    readonly stretch: Stretch
    readonly signal: AbortSignal
  },
): Promise<{ readonly archive: ArchiveRow; readonly usage: Usage }> {
  const { spender, model, stretch, signal } = parts
  await show(node, drive, "compaction")
  const { text, usage } = await summarise(node, spender, model, stretch, signal)
  signal.throwIfAborted()
  const row = archiveRow(node, stretch, text)
  const written = await write(node, drive, row)
  return { archive: written, usage }
}

/** The status says what the conversation is busy with. */
export async function show(node: Node, drive: Drive, busyWith: "turn" | "compaction"): Promise<void> {
  await decide(
    node,
    drive.stream,
    (state) => {
      const status: StatusRow = { ...state.status, busyWith, since: node.clock.now() }
      const isShown = state.status.busyWith === busyWith
      return { answer: undefined, changes: isShown ? [] : [statusChange(status)] }
    },
    { txid: drive.txid, owner: drive },
  )
}

async function write(node: Node, drive: Drive, archive: ArchiveRow): Promise<ArchiveRow> {
  let written = archive
  await decide(
    node,
    drive.stream,
    (state) => {
      written = { ...archive, began: state.stream.head + 1 }
      return { answer: undefined, changes: [archiveChange(written, "insert")] }
    },
    { txid: drive.txid, owner: drive },
  )
  return written
}

export function archiveChange(row: ArchiveRow, operation: "insert" | "update"): NewChange {
  return { collection: "archives", key: row.id, operation, row }
}

function archiveRow(node: Node, { messages, kept, before }: Stretch, summary: string): ArchiveRow {
  const first = messages[0] as MessageRow
  const last = messages.at(-1) as MessageRow
  const keptBytes = bytesOf(kept)
  return {
    id: node.ids.next("arc"),
    from: first.id,
    to: last.id,
    fromOrd: first.ord,
    toOrd: last.ord,
    title: titleOf(summary),
    summary,
    tokensBefore: tokensBefore(messages, kept) ?? tokensIn(before.length + bytesOf(messages) + keptBytes),
    tokensAfter: tokensIn(summary.length + keptBytes),
    archivedAt: node.clock.now(),
    madeOrd: (kept.at(-1) ?? last).ord,
    began: 0,
    ended: null,
  }
}

/** As the provider counted it for the last step, where it did. */
function tokensBefore(messages: readonly MessageRow[], kept: readonly MessageRow[]): number | undefined {
  const { inputTokens, outputTokens } = lastUsage([...messages, ...kept]) ?? emptyUsage
  return inputTokens + outputTokens || undefined
}

export function lastUsage(messages: readonly MessageRow[]): Usage | null {
  return messages.findLast((message) => message.usage !== null)?.usage ?? null
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

function bytesOf(messages: readonly MessageRow[]): number {
  return messages.reduce((sum, message) => sum + sizeOf(message), 0)
}
