/**
 * What became of the files: every change, newest first, or what one turn did, each with the difference it made to the text
 * (WSP-4).
 */
import { type ChangeRow, limits, type MessageRow, Refusal, type StreamId } from "@parlor/protocol"
import type { Node } from "../node.ts"
import type { StoredRow } from "../ports/store.ts"
import { readTurn } from "../turn/read-turn.ts"
import { textOf } from "./content.ts"
import { unifiedDiff } from "./diff.ts"

/** Longer files are not compared. */
const MOST_FILE_BYTES = 256 * 1024
/** What all comparisons of one answer read together. */
const MOST_BYTES = 4 * 1024 * 1024

export type ShownChange = ChangeRow & {
  /** Null for what is not text, or too much to compare. */
  readonly diff: string | null
}

export type ChangePage = {
  readonly changes: readonly ShownChange[]
  /** Where older ones go on; null at the first. */
  readonly cursor: string | null
}

export async function listChanges(
  node: Node,
  stream: StreamId,
  options: { readonly cursor: string | undefined; readonly limit: number },
): Promise<ChangePage> {
  const below = options.cursor === undefined ? {} : parseCursor(options.cursor)
  const query = { collection: "changes", newest: options.limit + 1, ...below } as const
  const rows = (await node.store.read(stream, [query]))?.lists[0] ?? []
  const shown = rows.slice(0, options.limit)
  const last = shown.at(-1)
  const cursor = rows.length > options.limit && last !== undefined ? formatCursor(last) : null
  return { changes: await withDiffs(node, shown.map(parse)), cursor }
}

/** In the order they were made; what it did to one file in a row is shown as one. */
export async function turnChanges(node: Node, stream: StreamId, turn: string): Promise<readonly ShownChange[]> {
  const row = await readTurn(node.store, stream, turn)
  const message = row && (await node.store.read(stream, [{ collection: "messages", key: row.message }]))?.lists[0]?.[0]
  if (row === undefined || message === undefined) throw new Refusal("turn.unknown", `There is no turn ${turn} here.`)
  const after = (JSON.parse(message.value) as MessageRow).ord - 1
  const query = { collection: "changes", oldest: limits.pageChanges, after } as const
  const made = ((await node.store.read(stream, [query]))?.lists[0] ?? []).map(parse)
  return withDiffs(node, joined(made.filter((change) => change.turn === turn)))
}

/** What begins where the one before it ended, at the same path, goes on with it. What ends where it began is nothing. */
function joined(changes: readonly ChangeRow[]): readonly ChangeRow[] {
  const byPath = new Map<string, ChangeRow[]>()
  for (const change of changes) {
    const list = byPath.get(change.path) ?? []
    byPath.set(change.path, list)
    const last = list.at(-1)
    if (last?.after !== change.before || last === undefined) list.push(change)
    else list[list.length - 1] = { ...change, id: last.id, before: last.before, bytesBefore: last.bytesBefore }
  }
  return [...byPath.values()].flat().filter((change) => change.before !== change.after)
}

async function withDiffs(node: Node, changes: readonly ChangeRow[]): Promise<readonly ShownChange[]> {
  const shown: ShownChange[] = []
  let bytes = 0
  for (const change of changes) {
    const isShort = change.bytes <= MOST_FILE_BYTES && change.bytesBefore <= MOST_FILE_BYTES
    const isCompared = isShort && bytes <= MOST_BYTES
    if (isCompared) bytes += change.bytes + change.bytesBefore
    shown.push({ ...change, diff: isCompared ? await diffOf(node, change) : null })
  }
  return shown
}

async function diffOf(node: Node, { before, after }: ChangeRow): Promise<string | null> {
  const [old, now] = [await textAt(node, before), await textAt(node, after)]
  return old === undefined || now === undefined ? null : unifiedDiff(old, now)
}

async function textAt(node: Node, hash: string | null): Promise<string | undefined> {
  if (hash === null) return ""
  const content = await node.store.blob(hash)
  return content && textOf(content)
}

function parse(row: StoredRow): ChangeRow {
  return JSON.parse(row.value) as ChangeRow
}

function formatCursor(row: StoredRow): string {
  return `${row.ord ?? 0}~${row.key}`
}

function parseCursor(cursor: string): { readonly before: number; readonly beforeKey: string } {
  const match = /^(\d{1,15})~(chg_\d{1,40})$/.exec(cursor)
  if (match?.[1] && match[2]) return { before: Number(match[1]), beforeKey: match[2] }
  throw new Refusal("cursor.invalid", `"${cursor}" is not a cursor this list gave out.`)
}
