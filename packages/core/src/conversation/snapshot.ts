/**
 * A conversation as it is now: bounded, whatever its length, text still streaming included (LOG-8, LOG-9). Of a branch the
 * messages above its fork are shown too, as they were then (BRA-1).
 */
import {
  type Address,
  assert,
  type CommandRow,
  type DeltaRow,
  limits,
  type MessagePage,
  type MessageRow,
  Refusal,
  SNAPSHOT_TXID,
  type Snapshot,
  type StoredChange,
  type StreamId,
  type TxId,
  withDeltas,
} from "@parlor/protocol"
import { type Agents, agentOf } from "../agent/agent-of.ts"
import { conversationAt } from "../log/address.ts"
import { isOnLineDimmed, readLine, type Section } from "../log/line.ts"
import { offsetAt } from "../log/offset-at.ts"
import { wholeStateOf, wholeStateQueries } from "../log/state.ts"
import type { Ports } from "../ports/ports.ts"
import type { RowQuery, RowsRead, StoredRow, Stream } from "../ports/store.ts"
import { baseCommands } from "../slash-command/command.ts"

export async function snapshot(
  node: Ports & Agents,
  address: Address,
  options: { messages: number },
): Promise<Snapshot> {
  const stream = await conversationAt(node, address)
  const also = [
    ...wholeStateQueries,
    { collection: "deltas" },
    { collection: "commands" },
    { collection: "archives" },
    { collection: "branches" },
  ] satisfies readonly RowQuery[]
  const page = await readPage(node, stream.id, { limit: options.messages, also })
  const [deltas, commands, archives, branches] = page.read.lists.slice(wholeStateQueries.length)
  const state = wholeStateOf(page.read)
  const { messages, older } = shown(page, parse<DeltaRow>(deltas))
  return {
    agent: address.agent,
    person: address.person,
    branch: address.branch,
    title: state.status.title,
    status: state.status,
    messages: [...messages].reverse(),
    older,
    queue: [...state.queue],
    asks: [...state.asks],
    commands: stream.head > 0 ? parse<CommandRow>(commands) : [...baseCommands(agentOf(node, address.agent)).values()],
    archives: parse<Snapshot["archives"][number]>(archives),
    rollbacks: [...page.own.rollbacks],
    inherited: [...page.last.inherited],
    branches: parse<Snapshot["branches"][number]>(branches),
    files: { count: state.status.files, latest: state.status.latestFile },
    usage: state.status.usage,
    offset: await offsetAt(node, stream.id, page.read.stream.head),
  }
}

/** Newest first. `older` is the cursor of the next page, null at the beginning of the conversation. */
export async function history(
  node: Ports & Agents,
  address: Address,
  options: { before: string | undefined; limit: number },
): Promise<MessagePage> {
  const stream = await conversationAt(node, address)
  const before = options.before === undefined ? undefined : parseCursor(options.before)
  const page = await readPage(node, stream.id, { limit: options.limit, before, also: [{ collection: "deltas" }] })
  const { messages, older } = shown(page, parse<DeltaRow>(page.read.lists[0]))
  return { messages: [...messages], older, inherited: [...page.last.inherited] }
}

/** The current rows as inserts, for a reader that starts from the state and then follows the log. */
export async function stateChanges(
  node: Ports & Agents,
  stream: Stream,
  messages: number,
): Promise<{ head: number; offset: string; changes: readonly StoredChange[] }> {
  if (stream.key.kind === "feed") {
    const read = await node.store.read(stream.id, [{ collection: "conversations", newest: limits.listConversations }])
    if (read === undefined) throw new Refusal("conversation.unknown", "There is no such feed.")
    const { head } = read.stream
    const changes = (read.lists[0] ?? []).map(asInsert(node, read))
    return { head, offset: await offsetAt(node, stream.id, head), changes }
  }
  const also: RowQuery[] = [
    ...STATE_COLLECTIONS.map((collection) => ({ collection })),
    { collection: "turns", newest: messages },
    { collection: "deltas" },
  ]
  const page = await readPage(node, stream.id, { limit: messages, also })
  const lists = page.read.lists.slice(0, STATE_COLLECTIONS.length)
  const [turns = [], deltas = []] = page.read.lists.slice(STATE_COLLECTIONS.length)
  const rows = [...lists.flat(), ...[...turns].reverse(), ...page.rows.map(filled).reverse(), ...deltas]
  const { head } = page.read.stream
  return { head, offset: await offsetAt(node, stream.id, head), changes: rows.map(asInsert(node, page.read)) }
}

const STATE_COLLECTIONS = ["status", "queue", "asks", "commands", "archives", "rollbacks", "files", "branches"] as const

/** A row and the section of the line it is of. */
type LineRow = { readonly row: StoredRow; readonly section: Section }

type Page = {
  /** Newest first. */
  readonly rows: readonly LineRow[]
  readonly isMore: boolean
  readonly own: Section
  /** The highest section that was read. */
  readonly last: Section
  readonly read: RowsRead
}

async function readPage(
  node: Ports & Agents,
  stream: StreamId,
  options: { readonly limit: number; readonly before?: number | undefined; readonly also: readonly RowQuery[] },
): Promise<Page> {
  const rows: LineRow[] = []
  let first: { readonly own: Section; readonly read: RowsRead } | undefined
  let last: Section | undefined
  const { limit, before, also } = options
  for await (const page of readLine(node.store, stream, { page: limit + 1, before, also })) {
    if (page.read !== undefined) first = { own: page.section, read: page.read }
    last = page.section
    for (const row of page.rows) rows.push({ row, section: page.section })
    if (rows.length > limit) break
  }
  assert(first !== undefined && last !== undefined, "a line has at least the conversation's own section")
  return { rows: rows.slice(0, limit), isMore: rows.length > limit, last, ...first }
}

function shown(page: Page, deltas: readonly DeltaRow[]): { messages: readonly MessageRow[]; older: string | null } {
  return {
    messages: page.rows.map(({ row, section }) => {
      const message = withDeltas(JSON.parse(row.value) as MessageRow, deltas)
      return isDimmedRow(row, section) ? { ...message, dimmed: true } : message
    }),
    older: page.isMore ? String(page.rows.at(-1)?.row.ord) : null,
  }
}

/** As stored, unless it is dimmed now: the page gives the text on as it is. */
function filled({ row, section }: LineRow): StoredRow {
  if (!isDimmedRow(row, section)) return row
  return { ...row, value: JSON.stringify({ ...(JSON.parse(row.value) as MessageRow), dimmed: true }) }
}

function isDimmedRow(row: StoredRow, section: Section): boolean {
  return isOnLineDimmed(row.ord ?? 0, section)
}

function asInsert(node: Ports & Agents, { stream }: RowsRead): (row: StoredRow) => StoredChange {
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

function parseCursor(cursor: string): number {
  const ord = Number(cursor)
  if (/^\d{1,15}$/.test(cursor) && Number.isSafeInteger(ord)) return ord
  throw new Refusal("cursor.invalid", `"${cursor}" is not a cursor this list gave out.`)
}

function parse<T>(rows: readonly StoredRow[] | undefined): T[] {
  return (rows ?? []).map((row) => JSON.parse(row.value) as T)
}
