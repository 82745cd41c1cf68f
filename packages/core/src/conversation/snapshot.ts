/** A conversation as it is now: bounded, whatever its length, text still streaming included (LOG-8, LOG-9). */
import {
  type Address,
  assert,
  type CommandRow,
  type DeltaRow,
  formatOffset,
  limits,
  type MessagePage,
  type MessageRow,
  Refusal,
  type Snapshot,
  type StoredChange,
  type TxId,
  withDeltas,
} from "@parlor/protocol"
import type { Node } from "../node.ts"
import type { RowQuery, RowsRead, StoredRow, Stream } from "../ports/store.ts"
import { agentOf, conversationAt } from "./address.ts"
import { stateOf, wholeStateQueries } from "./state.ts"

export async function snapshot(node: Node, address: Address, options: { messages: number }): Promise<Snapshot> {
  const stream = await conversationAt(node, address)
  const queries = [
    ...wholeStateQueries,
    { collection: "messages", newest: options.messages + 1 },
    { collection: "deltas" },
    { collection: "commands" },
    { collection: "archives" },
    { collection: "rollbacks" },
    { collection: "files" },
  ] satisfies readonly RowQuery[]
  const read = await readOr404(node, stream, queries)
  const [messages, deltas, commands, archives, rollbacks, files] = read.lists.slice(wholeStateQueries.length)
  const state = stateOf(read)
  const page = pageOf(messages ?? [], options.messages, parse<DeltaRow>(deltas))
  return {
    agent: address.agent,
    person: address.person,
    branch: address.branch,
    title: state.status.title,
    status: state.status,
    messages: [...page.messages].reverse(),
    older: page.older,
    queue: [...state.queue],
    asks: [...state.asks],
    commands: stream.head > 0 ? parse<CommandRow>(commands) : [...agentOf(node, address.agent).commands],
    archives: parse<Snapshot["archives"][number]>(archives),
    rollbacks: parse<Snapshot["rollbacks"][number]>(rollbacks),
    files: { count: files?.length ?? 0, latest: files?.at(-1)?.key ?? null },
    usage: state.status.usage,
    offset: formatOffset(read.stream.head),
  }
}

/** Newest first. `older` is the cursor of the next page, null at the beginning of the conversation. */
export async function history(
  node: Node,
  address: Address,
  options: { before: string | undefined; limit: number },
): Promise<MessagePage> {
  const stream = await conversationAt(node, address)
  const before = options.before === undefined ? {} : { before: parseCursor(options.before) }
  const read = await readOr404(node, stream, [
    { collection: "messages", newest: options.limit + 1, ...before },
    { collection: "deltas" },
  ])
  return pageOf(read.lists[0] ?? [], options.limit, parse<DeltaRow>(read.lists[1]))
}

/** The current rows as inserts, for a reader that starts from the state and then follows the log. */
export async function stateChanges(
  node: Node,
  stream: Stream,
  messages: number,
): Promise<{ head: number; changes: readonly StoredChange[] }> {
  const queries: RowQuery[] =
    stream.key.kind === "feed"
      ? [{ collection: "conversations", newest: limits.listConversations }]
      : [
          ...(
            ["status", "queue", "turns", "asks", "commands", "archives", "rollbacks", "files", "branches"] as const
          ).map((collection) => (collection === "turns" ? { collection, newest: messages } : { collection })),
          { collection: "messages", newest: messages },
          { collection: "deltas" },
        ]
  const read = await readOr404(node, stream, queries)
  const rows = read.lists.flatMap((list, index) =>
    queries[index]?.newest === undefined || stream.key.kind === "feed" ? list : [...list].reverse(),
  )
  const at = node.clock.now()
  return { head: read.stream.head, changes: rows.map((row) => asInsert(row, read.stream.head, at)) }
}

function asInsert(row: StoredRow, seq: number, at: number): StoredChange {
  const { collection, key, value } = row
  return { seq, collection, key, operation: "insert", value, txid: "snapshot" as TxId, at }
}

function pageOf(rows: readonly StoredRow[], limit: number, deltas: readonly DeltaRow[]): MessagePage {
  const shown = rows.slice(0, limit)
  const older = rows.length > limit ? String(shown.at(-1)?.ord) : null
  return { messages: shown.map((row) => withDeltas(JSON.parse(row.value) as MessageRow, deltas)), older }
}

function parseCursor(cursor: string): number {
  const ord = Number(cursor)
  if (/^\d{1,15}$/.test(cursor) && Number.isSafeInteger(ord)) return ord
  throw new Refusal("cursor.invalid", `"${cursor}" is not a cursor this list gave out.`)
}

async function readOr404(node: Node, stream: Stream, queries: readonly RowQuery[]): Promise<RowsRead> {
  const read = await node.store.read(stream.id, queries)
  if (read === undefined) throw new Refusal("conversation.unknown", "The conversation was deleted.")
  assert(read.lists.length === queries.length, "a list for each query")
  return read
}

function parse<T>(rows: readonly StoredRow[] | undefined): T[] {
  return (rows ?? []).map((row) => JSON.parse(row.value) as T)
}
