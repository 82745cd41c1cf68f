/** What holds for every stream, feeds too: numbers, rows, readers. */
import type { StoredRow } from "@parlor/core"
import { type Collection, changeOf, emptyRows, fold, parseRow, type StoredChange } from "@parlor/protocol"
import type { Dump } from "./backing.ts"
import type { Wrong } from "./check.ts"
import type { Tracked } from "./conversation.ts"
import type { Commit } from "./journal.ts"

/** [LOG-1] 1, 2, 3 … in commit order. */
export function checkNumbers(it: Tracked, { entries }: Commit, wrong: Wrong): void {
  for (const [index, { stored }] of entries.entries())
    if (stored.seq !== it.log.length + index + 1) wrong("LOG-1", `${stored.seq} comes after ${it.log.length + index}`)
}

/** [LOG-1, LOG-3] The store's log is the one that was committed. From `from` on; what is before was looked at. */
export function checkLog(it: Tracked, dump: Dump | undefined, from: number, wrong: Wrong): void {
  const events = dump?.events ?? []
  const last = events.at(-1)?.seq ?? 0
  if (last !== it.log.length) wrong("LOG-1", `the last event of the store is ${last}, not ${it.log.length}`)
  let next = events.length
  while (next > 0 && (events[next - 1]?.seq ?? 0) > from) next--
  for (let index = from; index < it.log.length; index++) {
    const [kept, stored] = [events[next], it.log[index]]
    if (stored === undefined) continue
    if (kept?.seq !== stored.seq) {
      if (!mayBeDropped(it, stored)) wrong("LOG-36", `event ${index + 1} is missing: ${JSON.stringify(stored)}`)
      continue
    }
    next += 1
    if (!isSame(kept, stored)) wrong("LOG-3", `event ${index + 1} is ${JSON.stringify(kept)}`)
  }
}

/** [LOG-36, LOG-37] Deltas of a finished message, a turn's status that was replaced, anything replaced in a feed. */
export function mayBeDropped(it: Tracked, { seq, collection, key, value }: StoredChange): boolean {
  if (collection === "deltas") return !it.rows.deltas.has(key)
  const isReplaced = isAgainAfter(it.log, seq, { collection, key })
  if (it.key.kind === "feed" || collection !== "status" || !isReplaced) return it.key.kind === "feed" && isReplaced
  const { state } = parseRow("status", value)
  return it.log[seq - 2]?.collection === "turns" && (state === "busy" || state === "idle")
}

function isAgainAfter(
  log: readonly StoredChange[],
  seq: number,
  { collection, key }: Pick<StoredChange, "collection" | "key">,
): boolean {
  for (let index = seq; index < log.length; index++)
    if (log[index]?.collection === collection && log[index]?.key === key) return true
  return false
}

/** [LOG-36, LOG-37] Folding what the store still has gives the rows beside it. */
export function checkFold(dump: Dump | undefined, wrong: Wrong): void {
  const rows = fold(emptyRows(), (dump?.events ?? []).map(changeOf))
  const folded = Object.entries(rows).flatMap(([collection, table]) =>
    [...table.keys()].map((key) => `${collection} ${key}`),
  )
  const kept = new Map((dump?.rows ?? []).map((row) => [`${row.collection} ${row.key}`, row]))
  for (const name of folded) if (!kept.has(name)) wrong("LOG-36", `the log gives ${name}, which is not kept`)
  if (kept.size !== folded.length) wrong("LOG-36", `${kept.size} rows are kept, the trimmed log gives ${folded.length}`)
  for (const { collection, key, value } of kept.values())
    if (JSON.stringify(rows[collection].get(key)) !== JSON.stringify(parseRow(collection as Collection, value)))
      wrong("LOG-36", `${collection} ${key} is kept as ${value}`)
}

/** [LOG-5] Folding the log gives the rows beside it. */
export function checkRows(it: Tracked, rows: readonly StoredRow[], wrong: Wrong): void {
  let folded = 0
  for (const table of Object.values(it.rows)) folded += table.size
  if (rows.length !== folded) wrong("LOG-5", `${rows.length} rows are kept, the log gives ${folded}`)
  for (const { collection, key, value } of rows) {
    const row: object | undefined = it.rows[collection as Collection].get(key)
    if (row === undefined) wrong("LOG-5", `${collection} ${key} is kept and not in the log`)
    else if (it.texts.get(row) !== value) wrong("LOG-5", `${collection} ${key} is kept as ${value}`)
  }
}

export function isSame(a: StoredChange, b: StoredChange): boolean {
  return (
    a.seq === b.seq &&
    a.value === b.value &&
    a.key === b.key &&
    a.collection === b.collection &&
    a.operation === b.operation &&
    a.txid === b.txid &&
    a.at === b.at
  )
}
