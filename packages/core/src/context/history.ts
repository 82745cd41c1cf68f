/**
 * What a model is to see of a conversation: the newest messages that fit its window, and the summary that stands for what
 * came before them. Read by page from the end: the cost of a turn follows the window, never the length of the
 * conversation, nor how much of it is dimmed.
 */
import { type ArchiveRow, type DeltaRow, type MessageRow, type StreamId, withDeltas } from "@parlor/protocol"
import { readLine, standingArchive } from "../branch/line.ts"
import type { WholeHistory } from "../conversation/known.ts"
import type { Store } from "../ports/store.ts"

const PAGE = 100
/** A cautious guess; the provider's own count rules once compaction looks at it. */
const BYTES_PER_TOKEN = 3
const RESERVE_TOKENS = 20_000

export type History = {
  /** In the order of the conversation, and nothing that is dimmed. */
  readonly messages: readonly MessageRow[]
  /** Its summary stands for everything at or before its end (CPT-1). */
  readonly archive: ArchiveRow | undefined
}

/**
 * The newest message of the person is there in any case: without it a long turn that is taken up again would have
 * nothing to answer (TRN-8).
 */
export async function readHistory(
  store: Pick<Store, "read">,
  stream: StreamId,
  windowTokens: number,
): Promise<History> {
  let room = roomIn(windowTokens)
  const newestFirst: MessageRow[] = []
  let deltas: readonly DeltaRow[] = []
  let archive: ArchiveRow | undefined
  let isAnswering = false
  const pages = readLine(store, stream, { page: PAGE, visible: true, also: [{ collection: "deltas" }] })
  for await (const { section, rows, read } of pages) {
    if (read !== undefined) deltas = (read.lists[0] ?? []).map((row) => JSON.parse(row.value) as DeltaRow)
    archive = standingArchive(section.archives)
    for (const row of rows) {
      if (archive !== undefined && (row.ord ?? 0) <= archive.toOrd) return inOrder(newestFirst, archive)
      room -= row.value.length
      const isFull = room <= 0 && newestFirst.length > 0
      if (isFull && isAnswering) return inOrder(newestFirst, archive)
      const message = withDeltas(JSON.parse(row.value) as MessageRow, deltas)
      if (isFull && !isQuestion(message)) continue
      newestFirst.push(message)
      isAnswering ||= isQuestion(message)
    }
    if (room <= 0 && isAnswering) break
  }
  return inOrder(newestFirst, archive)
}

function inOrder(newestFirst: MessageRow[], archive: ArchiveRow | undefined): History {
  return { messages: newestFirst.reverse(), archive }
}

/** What is known without reading, where it fits whole: the same as would be read. */
export function knownHistory(known: WholeHistory | undefined, windowTokens: number): History | undefined {
  if (known === undefined || known.chars >= roomIn(windowTokens)) return undefined
  return { messages: known.messages, archive: undefined }
}

function roomIn(windowTokens: number): number {
  return Math.max(windowTokens - RESERVE_TOKENS, windowTokens / 2) * BYTES_PER_TOKEN
}

function isQuestion(message: MessageRow): boolean {
  return message.role === "person" && message.state !== "failed"
}
