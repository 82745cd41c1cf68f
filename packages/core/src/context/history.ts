/**
 * The newest messages that fit a model's window, read by page from the end: the cost of a turn follows the window,
 * never the length of the conversation.
 */
import { Bug, type DeltaRow, type MessageRow, type StreamId, withDeltas } from "@parlor/protocol"
import type { WholeHistory } from "../conversation/known.ts"
import type { Store } from "../ports/store.ts"

const PAGE = 100
/** A cautious guess; the provider's own count rules once compaction looks at it. */
const BYTES_PER_TOKEN = 3
const RESERVE_TOKENS = 20_000

/**
 * In the order of the conversation. The newest message of the person is there in any case: without it a long turn that is
 * taken up again would have nothing to answer (TRN-8). Only a turn that is taken up again can have a message that is
 * still streaming, with its text in deltas.
 */
export async function readHistory(
  store: Pick<Store, "read">,
  stream: StreamId,
  windowTokens: number,
  isResumed: boolean,
): Promise<readonly MessageRow[]> {
  let room = roomIn(windowTokens)
  const newestFirst: MessageRow[] = []
  let before: number | undefined
  let isAnswering = false
  while (room > 0 || !isAnswering) {
    const read = await store.read(stream, [
      { collection: "messages", newest: PAGE, ...(before === undefined ? {} : { before }) },
      ...(before === undefined && isResumed ? ([{ collection: "deltas" }] as const) : []),
    ])
    if (read === undefined) throw new Bug("a turn reads a conversation that is gone")
    const deltas = (read.lists[1] ?? []).map((row) => JSON.parse(row.value) as DeltaRow)
    const rows = read.lists[0] ?? []
    for (const row of rows) {
      room -= row.value.length
      const isFull = room <= 0 && newestFirst.length > 0
      if (isFull && isAnswering) break
      const message = withDeltas(JSON.parse(row.value) as MessageRow, deltas)
      if (isFull && !isQuestion(message)) continue
      newestFirst.push(message)
      isAnswering ||= isQuestion(message)
    }
    before = rows.at(-1)?.ord ?? undefined
    if (rows.length < PAGE || before === undefined) break
  }
  return newestFirst.reverse()
}

/** What is known without reading, where it fits whole: the same as would be read. */
export function knownHistory(known: WholeHistory | undefined, windowTokens: number): readonly MessageRow[] | undefined {
  return known !== undefined && known.chars < roomIn(windowTokens) ? known.messages : undefined
}

function roomIn(windowTokens: number): number {
  return Math.max(windowTokens - RESERVE_TOKENS, windowTokens / 2) * BYTES_PER_TOKEN
}

function isQuestion(message: MessageRow): boolean {
  return message.role === "person" && !message.dimmed && message.state !== "failed"
}
