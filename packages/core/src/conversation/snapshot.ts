/**
 * The current state of a conversation: bounded whatever its length, including text that is still streaming (LOG-8,
 * LOG-9, LOG-25). A branch includes the messages above its fork as they were then (BRA-1).
 */
import {
  type Address,
  type DeltaRow,
  limits,
  type MessagePage,
  type MessageRow,
  parseRow,
  parseRows,
  type Snapshot,
  withDeltas,
} from "@parlor/protocol"
import type { Agents } from "../agent/agent-of.ts"
import { conversationAt } from "../log/address.ts"
import { offsetAt } from "../log/offset-at.ts"
import { wholeStateOf, wholeStateQueries } from "../log/state.ts"
import type { Ports } from "../ports/ports.ts"
import type { RowQuery, RowsRead } from "../ports/store.ts"
import { firstCommands } from "../slash-command/lent-commands.ts"
import { isDimmedRow, type LineRow, parseMessageCursor, readMessagePage } from "./message-page.ts"

/** What decisions read, and the front of the queue. */
const SHOWN_STATE: readonly RowQuery[] = wholeStateQueries.map((query) =>
  query.collection === "queue" ? { collection: "queue", first: limits.queued, bytes: limits.pageBytes } : query,
)
const SHOWN: readonly RowQuery[] = [
  ...SHOWN_STATE,
  { collection: "deltas" },
  { collection: "slashCommands" },
  { collection: "archives", newest: limits.snapshotArchives, bytes: limits.pageBytes },
  { collection: "branches" },
  { collection: "queue", count: true },
  { collection: "turns", newest: limits.snapshotTurns, bytes: limits.pageBytes },
]

export async function snapshot(
  node: Ports & Agents,
  address: Address,
  options: { messages: number },
): Promise<Snapshot> {
  const stream = await conversationAt(node, address)
  const show = shownWith(SHOWN_STATE.length)
  const page = await readMessagePage(node, stream.id, { limit: options.messages, also: SHOWN, show })
  const [, commands, archives, branches, queued, turns] = page.read.lists.slice(SHOWN_STATE.length)
  const state = wholeStateOf(page.read)
  return {
    agent: address.agent,
    person: address.person,
    branch: address.branch,
    title: state.status.title,
    status: state.status,
    messages: [...page.messages].reverse(),
    older: page.older,
    queue: [...state.queue],
    queued: Number(queued?.[0]?.value ?? 0),
    asks: [...state.asks],
    slashCommands:
      stream.head > 0 ? parseRows("slashCommands", commands) : [...firstCommands(node, address.agent).values()],
    archives: parseRows("archives", archives).sort((a, b) => a.began - b.began),
    rollbacks: [...page.own.rollbacks],
    turns: failedTurns(turns),
    inherited: [...page.last.inherited],
    branches: parseRows("branches", branches),
    files: { count: state.status.files, latest: state.status.latestFile },
    usage: state.status.usage,
    offset: await offsetAt(node, stream.id, page.read.stream.head),
  }
}

/** A failure stays visible after later turns. One that was tried again is not the last word. */
function failedTurns(rows: RowsRead["lists"][number] | undefined): Snapshot["turns"] {
  return parseRows("turns", rows)
    .filter(({ state, retriedBy }) => state === "failed" && retriedBy === undefined)
    .map((turn) => ({ ...turn, step: null }))
}

/** Newest first. `older` is the cursor of the next page; null at the beginning of the conversation. */
export async function history(
  node: Ports & Agents,
  address: Address,
  options: { before: string | undefined; limit: number },
): Promise<MessagePage> {
  const stream = await conversationAt(node, address)
  const before = options.before === undefined ? undefined : parseMessageCursor(options.before)
  const also = [{ collection: "deltas" }] as const
  const page = await readMessagePage(node, stream.id, { limit: options.limit, before, also, show: shownWith(0) })
  return { messages: [...page.messages], older: page.older, inherited: [...page.last.inherited] }
}

/** Deltas are parsed once for all messages of a page. */
function shownWith(deltasAt: number): (line: LineRow, read: RowsRead) => MessageRow {
  let deltas: readonly DeltaRow[] | undefined
  return (line, read) => {
    deltas ??= parseRows("deltas", read.lists[deltasAt])
    const message = withDeltas(parseRow("messages", line.row.value), deltas)
    return isDimmedRow(line) ? { ...message, dimmed: true } : message
  }
}
