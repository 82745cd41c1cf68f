/**
 * A conversation as JSON Lines (LOG-15, LOG-29), in the format of `line.ts`. A branch includes the messages above its
 * fork, with the archives and rollbacks in force there.
 *
 * Read page by page at the reader's pace; pages are limited in bytes too.
 */
import {
  type Address,
  collections,
  type DeltaRow,
  isArchiveDimmed,
  isInForce,
  isWithin,
  type MessageRow,
  type OrdRange,
  parseRow,
  parseRows,
  Refusal,
  type RollbackRow,
  type StreamId,
  withDeltas,
} from "@parlor/protocol"
import { conversationAt } from "../log/address.ts"
import { type Section, sectionsOf } from "../log/line.ts"
import { readTurn } from "../log/read-turn.ts"
import { stateOf, stateQueries } from "../log/state.ts"
import type { StoredRow } from "../ports/store.ts"
import { changeId } from "../workspace/plan.ts"
import { ContentsOut } from "./contents.ts"
import type { TransferAccess } from "./import-access.ts"
import { type ArchiveLine, type RollbackLine, withoutRecord } from "./line.ts"
import { settled } from "./settled.ts"

/** Rows per page, and their bytes. */
const PAGE = { count: 64, bytes: 512 * 1024 } as const
/** The maximum an import accepts. */
const CHANGES = 99_999

type Leaving = { readonly node: TransferAccess; readonly person: string; readonly contents: ContentsOut }

/** `memory`: with the memories of the person. */
export async function* exportLines(
  node: TransferAccess,
  address: Address,
  { memory = false }: { readonly memory?: boolean } = {},
): AsyncGenerator<string> {
  const stream = await conversationAt(node, address)
  const read = await node.store.log.read(stream.id, [...stateQueries, { collection: "deltas" }])
  if (read === undefined) throw new Refusal("conversation.unknown", "The conversation was deleted.")
  const deltas = parseRows("deltas", read.lists[stateQueries.length])
  const { title, preview, latestFile } = stateOf(read).status
  const { agent, branch, person } = address
  yield JSON.stringify({ parlor: 1, agent, branch, title, preview, latestFile })
  const sections = await sectionsOf(node.store, stream.id)
  const dimmed = sections.at(-1)?.dimmed ?? []
  const leaving = { node, person, contents: new ContentsOut(node) }
  const line = [...sections].reverse()
  for (const section of line) yield* messageLines(leaving, section, deltas, dimmed)
  for (const section of line) yield* archiveLines(leaving, section)
  yield* fileLines(leaving, stream.id)
  const changes = new ChangesOut(sections[0]?.rollbacks ?? [])
  yield* changeLines(leaving, stream.id, changes)
  for (const section of line) yield* rollbackLines(leaving, section, changes)
  if (memory) yield* memoryLines(leaving)
}

/** Those of the project belong to everyone, so they are not exported. */
async function* memoryLines({ node, person }: Leaving): AsyncGenerator<string> {
  for (const { scope, name, description, type, pinned, body } of await node.store.memories.all(person))
    if (scope === "user") yield JSON.stringify({ memory: { scope, name, description, type, pinned, body } })
}

async function* messageLines(
  leaving: Leaving,
  section: Section,
  deltas: readonly DeltaRow[],
  dimmed: readonly OrdRange[],
): AsyncGenerator<string> {
  const { store } = leaving.node
  let after = section.above
  let lastTurn: string | null = null
  for (;;) {
    const query = { collection: "messages", oldest: PAGE.count, bytes: PAGE.bytes, after } as const
    const page: readonly StoredRow[] = (await store.log.read(section.stream, [query]))?.lists[0] ?? []
    if (page.length === 0) return
    for (const row of page) {
      const ord = row.ord ?? 0
      if (ord > section.upTo) return
      const message = settled(withDeltas(parseRow("messages", row.value), deltas))
      if (message.turn !== null && message.turn !== lastTurn) {
        lastTurn = message.turn
        const turn = await readTurn(store, section.stream, lastTurn)
        if (turn !== undefined) yield JSON.stringify({ turn: withoutRecord(turn) })
      }
      yield* contentLines(leaving, message)
      yield JSON.stringify({ message: inOrder({ ...message, dimmed: dimmed.some((range) => isWithin(ord, range)) }) })
      after = ord
    }
  }
}

const MESSAGE_KEYS = Object.keys(collections.messages.shape) as (keyof MessageRow)[]

/** The fields in the order of the schema, whoever wrote the row: an import exports the same lines again (LOG-29). */
function inOrder(message: MessageRow): MessageRow {
  return Object.fromEntries(
    MESSAGE_KEYS.flatMap((key) => (key in message ? [[key, message[key]] as const] : [])),
  ) as MessageRow
}

/** Contents that a message names: attachments, tool output that was too long to show, and pictures. */
async function* contentLines({ node, person, contents }: Leaving, message: MessageRow): AsyncGenerator<string> {
  for (const part of message.parts) {
    if (part.type === "tool") {
      yield* contents.lines(part.kept)
      for (const { hash } of part.pictures ?? []) yield* contents.lines(hash)
    }
    if (part.type !== "attachment" || contents.isSent(part.hash, "attachment")) continue
    const attachment = await node.store.blobs.attachment(person, part.hash)
    if (attachment === undefined) continue
    yield* contents.lines(part.hash)
    yield JSON.stringify({ attachment })
  }
}

async function* archiveLines({ node }: Leaving, section: Section): AsyncGenerator<string> {
  const { asOf, upTo } = section
  const rows = (await node.store.log.read(section.stream, [{ collection: "archives" }]))?.lists[0] ?? []
  const archives = rows.map((row) => parseRow("archives", row.value)).sort((a, b) => a.began - b.began)
  for (const { began, ended, ...archive } of archives) {
    const inForce = isInForce({ began, ended }, asOf)
    // From the sections above, only what applies to this conversation.
    if (asOf !== undefined && (!inForce || isArchiveDimmed(archive, [], upTo))) continue
    yield JSON.stringify({ archive: { ...archive, inForce } satisfies ArchiveLine })
  }
}

async function* fileLines({ node, contents }: Leaving, stream: StreamId): AsyncGenerator<string> {
  const rows = (await node.store.log.read(stream, [{ collection: "files" }]))?.lists[0] ?? []
  for (const { value } of rows) {
    const file = parseRow("files", value)
    yield* contents.lines(file.hash)
    yield JSON.stringify({ file })
  }
}

/** Newest first. Their ids are renumbered, so that ids from another log do not matter. */
async function* changeLines(
  { node, contents }: Leaving,
  stream: StreamId,
  changes: ChangesOut,
): AsyncGenerator<string> {
  const count = (await node.store.log.read(stream, [{ collection: "changes", count: true }]))?.lists[0]?.[0]
  changes.begin(Math.min(CHANGES, Number(count?.value ?? 0)))
  for (let below = {}; ; ) {
    const query = { collection: "changes", newest: PAGE.count, bytes: PAGE.bytes, ...below } as const
    const page: readonly StoredRow[] = (await node.store.log.read(stream, [query]))?.lists[0] ?? []
    for (const { value } of page) {
      const row = parseRow("changes", value)
      const id = changes.next(row.id)
      if (id === undefined) return
      yield* contents.lines(row.before)
      yield* contents.lines(row.after)
      yield JSON.stringify({ change: { ...row, id } })
    }
    const last = page.at(-1)
    if (last === undefined) return
    below = { before: last.ord ?? 0, beforeKey: last.key }
  }
}

async function* rollbackLines(
  { contents }: Leaving,
  { asOf, upTo, rollbacks }: Section,
  changes: ChangesOut,
): AsyncGenerator<string> {
  for (const row of [...rollbacks].sort((a, b) => a.began - b.began)) {
    const { began: _, ended: __, earlier: ___, state: ____, ...rest } = row
    const inForce = isInForce(row, asOf)
    if (asOf !== undefined) {
      if (!inForce || row.scope === "files" || row.toOrd >= upTo) continue
      const clipped = row.fromOrd > upTo ? { from: null, fromOrd: upTo } : {}
      const scope = "conversation" as const
      const line: RollbackLine = { ...rest, ...clipped, scope, cancels: null, files: [], change: null, inForce }
      yield JSON.stringify({ rollback: line })
      continue
    }
    for (const file of row.files) for (const hash of [file.before, file.after]) yield* contents.lines(hash)
    const change = row.change === null ? null : changes.from(row.id)
    yield JSON.stringify({ rollback: { ...rest, change, inForce } satisfies RollbackLine })
  }
}

/** New ids of changes, starting with the newest, and those that rollbacks name. */
class ChangesOut {
  readonly #boundaries: readonly RollbackRow[]
  readonly #from = new Map<string, string>()
  #left = 0

  constructor(rollbacks: readonly RollbackRow[]) {
    this.#boundaries = rollbacks.filter(({ change }) => change !== null)
  }

  begin(count: number): void {
    this.#left = count
    for (const { id } of this.#boundaries) this.#from.set(id, changeId(0, count))
  }

  next(id: string): string | undefined {
    if (this.#left === 0) return undefined
    this.#left -= 1
    const renamed = changeId(0, this.#left)
    for (const { id: rollback, change } of this.#boundaries)
      if (change !== null && id >= change) this.#from.set(rollback, renamed)
    return renamed
  }

  /** The first change that came with that rollback or after it. */
  from(rollback: string): string | null {
    return this.#from.get(rollback) ?? null
  }
}
