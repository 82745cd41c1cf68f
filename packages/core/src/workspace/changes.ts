/**
 * The history of files: every change, newest first, or those of one turn, each with a text diff (WSP-4).
 */
import { type ChangeRow, limits, parseRow, Refusal, type StreamId } from "@parlor/protocol"
import { readTurn } from "../log/read-turn.ts"
import type { Ports } from "../ports/ports.ts"
import type { StoredRow } from "../ports/store.ts"
import { diffsOf, type Pair } from "./compare.ts"
import type { Version } from "./content.ts"

/**
 * How many changes of other files are skipped in one answer when filtering by file. The cursor continues from there.
 */
const MAX_PASSED = 2_000

export type ShownChange = ChangeRow & {
  /** Null for binary files, or if too large to compare. */
  readonly diff: string | null
}

export type ChangePage = {
  readonly changes: readonly ShownChange[]
  /** The cursor of older ones; null at the first. */
  readonly cursor: string | null
}

export type ChangesQuery = {
  readonly cursor: string | undefined
  readonly limit: number
  /** Only this file. */
  readonly path?: string | undefined
}

export async function listChanges(node: Ports, stream: StreamId, options: ChangesQuery): Promise<ChangePage> {
  const { limit, path } = options
  let below: Below = options.cursor === undefined ? {} : parseCursor(options.cursor)
  const found: StoredRow[] = []
  for (let passed = 0; ; ) {
    const query = { collection: "changes", newest: limit + 1, ...below } as const
    const rows = (await node.store.log.read(stream, [query]))?.lists[0] ?? []
    const page = rows.slice(0, limit)
    const isLast = rows.length <= limit
    for (const [index, row] of page.entries()) {
      if (path !== undefined && parse(row).path !== path) passed += 1
      else found.push(row)
      const isEnd = isLast && index === page.length - 1
      if (isEnd || (found.length < limit && passed < MAX_PASSED)) continue
      return { changes: await withDiffs(node, found.map(parse)), cursor: formatCursor(row) }
    }
    const last = page.at(-1)
    if (isLast || last === undefined) return { changes: await withDiffs(node, found.map(parse)), cursor: null }
    below = { before: last.ord ?? 0, beforeKey: last.key }
  }
}

/** The content a change left at its path, or the one before it. */
export async function versionAround(
  node: Ports,
  stream: StreamId,
  path: string,
  side: { readonly before: string | undefined; readonly after: string | undefined },
): Promise<Version | null> {
  const id = side.before ?? side.after ?? ""
  const row = (await node.store.log.read(stream, [{ collection: "changes", key: id }]))?.lists[0]?.[0]
  const change = row && parse(row)
  if (change === undefined || change.path !== path)
    throw new Refusal("change.unknown", `There is no change ${id} of ${path} here.`)
  return side.before === undefined ? versionsOf(change).after : versionsOf(change).before
}

/** In order; consecutive changes of one file are merged. */
export async function turnChanges(node: Ports, stream: StreamId, turn: string): Promise<readonly ShownChange[]> {
  const row = await readTurn(node.store, stream, turn)
  const message =
    row && (await node.store.log.read(stream, [{ collection: "messages", key: row.message }]))?.lists[0]?.[0]
  if (row === undefined || message === undefined) throw new Refusal("turn.unknown", `There is no turn ${turn} here.`)
  const after = parseRow("messages", message.value).ord - 1
  const query = { collection: "changes", oldest: limits.pageChanges, after } as const
  const made = ((await node.store.log.read(stream, [query]))?.lists[0] ?? []).map(parse)
  return withDiffs(node, joined(made.filter((change) => change.turn === turn)))
}

/**
 * A change that starts where the previous one at its path ended is merged with it. One that ends where it began is
 * dropped.
 */
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

async function withDiffs(node: Ports, changes: readonly ChangeRow[]): Promise<readonly ShownChange[]> {
  const diffs = await diffsOf(node, changes.map(versionsOf))
  return changes.map((change, index) => ({ ...change, diff: diffs[index] ?? null }))
}

/** The content before a change, and after it. */
function versionsOf({ before, after, bytes, bytesBefore }: ChangeRow): Pair {
  return {
    before: before === null ? null : { hash: before, bytes: bytesBefore },
    after: after === null ? null : { hash: after, bytes },
  }
}

function parse(row: StoredRow): ChangeRow {
  return parseRow("changes", row.value)
}

function formatCursor(row: StoredRow): string {
  return `${row.ord ?? 0}~${row.key}`
}

type Below = { readonly before?: number; readonly beforeKey?: string }

function parseCursor(cursor: string): Below {
  const match = /^(-?\d{1,15})~(chg_\d{1,40})$/.exec(cursor)
  if (match?.[1] && match[2]) return { before: Number(match[1]), beforeKey: match[2] }
  throw new Refusal("cursor.invalid", `"${cursor}" is not a valid cursor.`)
}
