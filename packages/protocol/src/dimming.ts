/**
 * What rollbacks hide (RBK-1), derived from their rows and never stored on messages. Pure: decisions, answers, live
 * views and the page all use it.
 *
 * A rollback, like an archive, is in force from event `began` until event `ended`. Seen as of event `asOf`, the one
 * that a branch was forked at, it is in force when `began <= asOf < ended`; without `asOf`, when it has not ended.
 */
import type { ArchiveRow } from "./rows/archive.ts"
import type { RollbackRow } from "./rows/rollback.ts"

/** The messages after `toOrd`, up to and including `fromOrd`. */
export type OrdRange = { readonly toOrd: number; readonly fromOrd: number }

type Times = Pick<RollbackRow, "began" | "ended"> & Partial<Pick<RollbackRow, "earlier">>
type Dimming = Times & OrdRange & Pick<RollbackRow, "scope">

export function isInForce(row: Times, asOf?: number): boolean {
  if (asOf === undefined) return row.ended === null
  return [row, ...(row.earlier ?? [])].some(({ began, ended }) => began <= asOf && (ended === null || ended > asOf))
}

export function isDimmed(ord: number, rollbacks: Iterable<Dimming>, asOf?: number): boolean {
  for (const row of rollbacks) if (dims(row, asOf) && isWithin(ord, row)) return true
  return false
}

/** The dimmed messages as ranges that neither touch nor overlap, newest first. */
export function dimmedRanges(rollbacks: Iterable<Dimming>, asOf?: number): readonly OrdRange[] {
  const ranges: OrdRange[] = []
  for (const row of rollbacks) if (dims(row, asOf)) ranges.push(row)
  return joined(ranges)
}

export function joined(ranges: readonly OrdRange[]): readonly OrdRange[] {
  const apart: OrdRange[] = []
  for (const { toOrd, fromOrd } of [...ranges].sort((a, b) => b.fromOrd - a.fromOrd)) {
    if (fromOrd <= toOrd) continue
    const last = apart.at(-1)
    if (last === undefined || fromOrd < last.toOrd) apart.push({ toOrd, fromOrd })
    else apart[apart.length - 1] = { fromOrd: last.fromOrd, toOrd: Math.min(last.toOrd, toOrd) }
  }
  return apart
}

export function isWithin(ord: number, range: OrdRange): boolean {
  return ord > range.toOrd && ord <= range.fromOrd
}

/** The greatest number up to `ord` that no range covers. */
export function visibleFrom(ord: number, ranges: readonly OrdRange[]): number {
  return ranges.find((range) => isWithin(ord, range))?.toOrd ?? ord
}

/** How many of the numbers after `toOrd`, up to `fromOrd`, no range covers. */
export function visibleCount({ toOrd, fromOrd }: OrdRange, ranges: readonly OrdRange[]): number {
  return ranges.reduce(
    (count, one) => count - Math.max(0, Math.min(one.fromOrd, fromOrd) - Math.max(one.toOrd, toOrd)),
    Math.max(0, fromOrd - toOrd),
  )
}

/** The one that can be canceled: rollbacks are undone in reverse order (RBK-6). */
export function newestRollback<R extends Dimming>(rollbacks: Iterable<R>): R | undefined {
  let newest: R | undefined
  for (const row of rollbacks) if (isInForce(row) && (newest === undefined || isNewer(row, newest))) newest = row
  return newest
}

/**
 * Whether an archive in force is hidden: by a rollback to before it was made (RBK-10), or in a branch whose last message
 * of this log is `upTo`, because it was made later (BRA-7).
 */
export function isArchiveDimmed(
  archive: Pick<ArchiveRow, "toOrd" | "madeOrd">,
  ranges: readonly OrdRange[],
  upTo: number = Number.MAX_SAFE_INTEGER,
): boolean {
  const made = archive.madeOrd ?? archive.toOrd
  return made > upTo || ranges.some((range) => isWithin(made, range))
}

function dims(row: Dimming, asOf: number | undefined): boolean {
  return row.scope !== "files" && isInForce(row, asOf)
}

/** Among rollbacks put in force by one decision, the new one is the newest, then the one restored fewer times. */
function isNewer(a: Dimming, b: Dimming): boolean {
  if (a.began !== b.began) return a.began > b.began
  const [again, before] = [a.earlier?.length ?? 0, b.earlier?.length ?? 0]
  return again === before ? a.fromOrd > b.fromOrd : again < before
}
