/**
 * The current rows of a stream as inserts, for a reader that starts from the state and then follows the log (LOG-8).
 *
 * They are sent in pieces. The first piece is from one moment, whose offset the reader follows from; each further piece
 * is read once the reader has taken the previous one. Whatever changed in between arrives again with the log, and the
 * result is the same rows.
 */
import { limits, parseRow, Refusal, SNAPSHOT_TXID, type StoredChange, type TxId } from "@parlor/protocol"
import type { Agents } from "../agent/agent-of.ts"
import { offsetAt } from "../log/offset-at.ts"
import type { Ports } from "../ports/ports.ts"
import type { RowQuery, RowsRead, StoredRow, Stream } from "../ports/store.ts"
import { firstCommands } from "../slash-command/lent-commands.ts"
import { isDimmedRow, type LineRow, readMessagePage } from "./message-page.ts"

const PIECE_BYTES = 256 * 1024
const PIECE_ROWS = 500

export type StateView = {
  /** The number of the last event in the first piece. */
  readonly head: number
  readonly offset: string
  readonly pieces: AsyncIterable<readonly StoredChange[]>
}

export async function stateChanges(node: Ports & Agents, stream: Stream, messages: number): Promise<StateView> {
  return stream.key.kind === "feed" ? feedState(node, stream) : conversationState(node, stream, messages)
}

const STATE_COLLECTIONS = [
  "status",
  "queue",
  "asks",
  "slashCommands",
  "archives",
  "rollbacks",
  "files",
  "branches",
] as const

async function feedState(node: Ports, stream: Stream): Promise<StateView> {
  const query = { collection: "conversations", newest: limits.listConversations } as const
  const read = await node.store.log.read(stream.id, [query])
  if (read === undefined) throw new Refusal("conversation.unknown", "There is no such feed.")
  return view(node, stream, read, pieces(read.lists[0] ?? [], asInsert(node, read)))
}

async function conversationState(node: Ports & Agents, stream: Stream, messages: number): Promise<StateView> {
  const also: RowQuery[] = [
    ...STATE_COLLECTIONS.map((collection) => ({ collection, bytes: PIECE_BYTES })),
    { collection: "turns", newest: messages, bytes: PIECE_BYTES },
    { collection: "deltas" },
  ]
  const page = await readMessagePage(node, stream.id, { limit: messages, also, show: filled })
  return view(node, stream, page.read, rest())

  async function* rest(): AsyncGenerator<readonly StoredChange[]> {
    const { read } = page
    const insert = asInsert(node, read)
    for (const [index, collection] of STATE_COLLECTIONS.entries()) {
      const rows = read.lists[index] ?? []
      yield* pieces(rows, insert)
      if (collection === "slashCommands" && read.stream.head === 0) yield* pieces(firstRows(node, stream), insert)
      if (read.cut.includes(index))
        yield* following(node, stream, { collection, afterKey: rows.at(-1)?.key ?? "" }, insert)
    }
    const [turns = [], deltas = []] = read.lists.slice(STATE_COLLECTIONS.length)
    yield* pieces([...turns].reverse(), insert)
    yield* pieces([...page.messages].reverse(), insert)
    yield* pieces(deltas, insert)
  }
}

/** The rows of a collection after a key, page by page. */
async function* following(
  node: Ports,
  stream: Stream,
  from: RowQuery & { readonly afterKey: string },
  insert: (row: StoredRow) => StoredChange,
): AsyncGenerator<readonly StoredChange[]> {
  let { afterKey } = from
  for (;;) {
    const read = await node.store.log.read(stream.id, [{ ...from, afterKey, bytes: PIECE_BYTES }])
    const rows = read?.lists[0] ?? []
    yield* pieces(rows, insert)
    const last = rows.at(-1)
    if (read === undefined || last === undefined || read.cut.length === 0) return
    afterKey = last.key
  }
}

function* pieces(
  rows: readonly StoredRow[],
  insert: (row: StoredRow) => StoredChange,
): Generator<readonly StoredChange[]> {
  let piece: StoredChange[] = []
  let bytes = 0
  for (const row of rows) {
    piece.push(insert(row))
    bytes += row.value.length
    if (bytes < PIECE_BYTES && piece.length < PIECE_ROWS) continue
    yield piece
    piece = []
    bytes = 0
  }
  if (piece.length > 0) yield piece
}

async function view(
  node: Ports,
  stream: Stream,
  read: RowsRead,
  given: AsyncIterable<readonly StoredChange[]> | Iterable<readonly StoredChange[]>,
): Promise<StateView> {
  const { head } = read.stream
  return { head, offset: await offsetAt(node, stream.id, head), pieces: joined(given) }
}

/** Small pieces are sent together. */
async function* joined(
  given: AsyncIterable<readonly StoredChange[]> | Iterable<readonly StoredChange[]>,
): AsyncGenerator<readonly StoredChange[]> {
  let waiting: readonly StoredChange[] = []
  let bytes = 0
  for await (const piece of given) {
    const size = piece.reduce((sum, { value }) => sum + value.length, 0)
    if (waiting.length > 0 && (bytes + size > PIECE_BYTES || waiting.length + piece.length > PIECE_ROWS)) {
      yield waiting
      waiting = []
      bytes = 0
    }
    waiting = waiting.length === 0 ? piece : [...waiting, ...piece]
    bytes += size
  }
  if (waiting.length > 0) yield waiting
}

/** A conversation that has no rows yet already has its agent's commands (CMP-20). */
function firstRows(node: Agents, { key }: Stream): readonly StoredRow[] {
  if (key.kind !== "conversation" || !node.agents.has(key.agent)) return []
  return [...firstCommands(node, key.agent).values()].map((row) => ({
    collection: "slashCommands",
    key: row.name,
    ord: null,
    value: JSON.stringify(row),
  }))
}

/** As stored, unless it is dimmed now: the stored text is passed through. */
function filled(line: LineRow): StoredRow {
  const { row } = line
  if (!isDimmedRow(line)) return row
  return { ...row, value: JSON.stringify({ ...parseRow("messages", row.value), dimmed: true }) }
}

function asInsert(node: Ports, { stream }: RowsRead): (row: StoredRow) => StoredChange {
  const at = node.clock.now()
  return ({ collection, key, value }) => ({
    seq: stream.head,
    collection,
    key,
    operation: "insert",
    value,
    txid: SNAPSHOT_TXID as TxId,
    at,
  })
}
