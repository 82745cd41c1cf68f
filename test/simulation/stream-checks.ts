/** What holds for every stream, feeds too: numbers, rows, readers. */
import type { StoredRow } from "@parlor/core"
import type { Collection } from "@parlor/protocol"
import type { Dump } from "./backing.ts"
import type { Wrong } from "./check.ts"
import type { Tracked } from "./conversation.ts"
import { isSame } from "./follower.ts"
import type { Commit } from "./journal.ts"

/** [LOG-1] 1, 2, 3 … in commit order. */
export function checkNumbers(it: Tracked, { entries }: Commit, wrong: Wrong): void {
  for (const [index, { stored }] of entries.entries())
    if (stored.seq !== it.log.length + index + 1) wrong("LOG-1", `${stored.seq} comes after ${it.log.length + index}`)
}

/** [LOG-1, LOG-3] The store's log is the one that was committed. From `from` on; what is before was looked at. */
export function checkLog(it: Tracked, dump: Dump | undefined, from: number, wrong: Wrong): void {
  const events = dump?.events ?? []
  if (events.length !== it.log.length) wrong("LOG-1", `the store has ${events.length} events, not ${it.log.length}`)
  for (let index = from; index < it.log.length; index++) {
    const [kept, stored] = [events[index], it.log[index]]
    if (kept === undefined || stored === undefined || !isSame(kept, stored))
      wrong("LOG-3", `event ${index + 1} is ${JSON.stringify(kept)}`)
  }
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
