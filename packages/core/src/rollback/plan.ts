/**
 * The rows that a rollback and its cancellation write. Pure.
 *
 *   in force ──cancel──▶ ended ──cancel of that cancel──▶ in force again …
 *
 * Canceling ends a rollback. Messages that came after it are dimmed by a row of their own, which names what it cancels.
 * Canceling that one restores the first, so everything can be undone in reverse order (RBK-6).
 */
import { isWithin, limits, type NewChange, newestRollback, Refusal, type RollbackRow } from "@parlor/protocol"

export type NewRollback = Pick<RollbackRow, "id" | "to" | "toOrd" | "from" | "fromOrd" | "began" | "at"> &
  Partial<RollbackRow>

export function newRollback(parts: NewRollback): RollbackRow {
  return {
    scope: "conversation",
    state: "done",
    cancels: null,
    files: [],
    change: null,
    ended: null,
    earlier: [],
    ...parts,
  }
}

/** Throws unless this rollback is the next one to cancel. */
export function checkCancel(rollbacks: readonly RollbackRow[], id: string): RollbackRow {
  const row = rollbacks.find((one) => one.id === id)
  if (row === undefined) throw new Refusal("rollback.unknown", `There is no rollback ${id} here.`)
  if (row.ended !== null) throw new Refusal("rollback.over", "This rollback was already canceled.")
  const newest = newestRollback(rollbacks)
  if (newest !== undefined && newest.id !== id)
    throw new Refusal("rollback.not-newest", `The rollback ${newest.id} came later. Cancel that one first.`)
  return row
}

export function checkRoom(rollbacks: readonly RollbackRow[]): void {
  if (rollbacks.length < limits.rollbacks) return
  throw new Refusal(
    "rollback.too-many",
    `This conversation has the maximum of ${limits.rollbacks} rollbacks. Continue in a branch instead.`,
  )
}

/** The rows of those that end, and of those that are in force again, down the chain. */
export function cancelled(rollbacks: readonly RollbackRow[], row: RollbackRow, now: number): readonly RollbackRow[] {
  const changed: RollbackRow[] = []
  const byId = new Map(rollbacks.map((one) => [one.id, one]))
  for (let at: RollbackRow | undefined = row; at !== undefined; at = byId.get(at.cancels ?? "")) {
    changed.push(changed.length % 2 === 0 ? { ...at, ended: now } : again(at, now))
    byId.delete(at.id)
  }
  return changed
}

export function rollbackChange(row: RollbackRow, operation: "insert" | "update"): NewChange {
  return { collection: "rollbacks", key: row.id, operation, row }
}

/**
 * The last event before a message was dimmed: a branch from it shows the history as it was then. `upTo` is the end of
 * the log that counts.
 */
export function beforeDimmed(ord: number, rollbacks: readonly RollbackRow[], upTo: number): number {
  const times = rollbacks
    .filter((row) => row.scope !== "files" && isWithin(ord, row))
    .flatMap((row) => [row, ...(row.earlier ?? [])])
  let seq = upTo
  // Latest first: a later rollback cannot dim what is before an earlier one, so each is checked once.
  for (const { began, ended } of times.sort((a, b) => b.began - a.began))
    if (began <= seq && (ended === null || ended > seq)) seq = began - 1
  return seq
}

function again(row: RollbackRow, now: number): RollbackRow {
  const { began, ended } = row
  return {
    ...row,
    earlier: [...(row.earlier ?? []), ...(ended === null ? [] : [{ began, ended }])],
    began: now,
    ended: null,
  }
}
