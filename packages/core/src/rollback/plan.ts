/**
 * What a rollback and its cancelling write. Pure.
 *
 *   in force ──cancel──▶ ended ──cancel of that cancel──▶ in force again …
 *
 * Cancelling ends a rollback. When something came after it, that is dimmed in turn by a row of its own, which says what
 * it cancels. Cancelling that one brings the first back, so whatever is done can be undone, in reverse (RBK-6).
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

/** Refuses when it is not this one's turn to be cancelled. */
export function checkCancel(rollbacks: readonly RollbackRow[], id: string): RollbackRow {
  const row = rollbacks.find((one) => one.id === id)
  if (row === undefined) throw new Refusal("rollback.unknown", `There is no rollback ${id} here.`)
  if (row.ended !== null) throw new Refusal("rollback.over", "This rollback was cancelled already.")
  const newest = newestRollback(rollbacks)
  if (newest !== undefined && newest.id !== id)
    throw new Refusal("rollback.not-newest", `The rollback ${newest.id} came later. Cancel that one first.`)
  return row
}

export function checkRoom(rollbacks: readonly RollbackRow[]): void {
  if (rollbacks.length < limits.rollbacks) return
  throw new Refusal("rollback.too-many", `There are ${limits.rollbacks} rollbacks here. Go on in a branch instead.`)
}

/** The rows of those that end, and of those that are in force again: one after the other down the chain. */
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
 * The log as far as it went before a message was dimmed: a branch from it shows the history as it was then. `upTo` is as
 * far as the log counts anyway.
 */
export function beforeDimmed(ord: number, rollbacks: readonly RollbackRow[], upTo: number): number {
  const times = rollbacks
    .filter((row) => row.scope !== "files" && isWithin(ord, row))
    .flatMap((row) => [row, ...(row.earlier ?? [])])
  let seq = upTo
  // The latest first: one that began later cannot dim what lies before an earlier one, so each is looked at once.
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
