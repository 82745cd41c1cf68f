/** Where chapters end, for marks between messages. Pure (CPT-1). */
import { type ArchiveRow, dimmedRanges, isArchiveDimmed, type MessageRow, type RollbackRow } from "@parlor/protocol"

/** By the last message that each chapter in force covers. */
export function chapterMarks(
  messages: readonly Pick<MessageRow, "id" | "ord">[],
  archives: readonly ArchiveRow[],
  rollbacks: readonly RollbackRow[],
): ReadonlyMap<string, ArchiveRow> {
  const marks = new Map<string, ArchiveRow>()
  const inForce = archives.filter(({ ended }) => ended === null)
  if (inForce.length === 0) return marks
  const ranges = dimmedRanges(rollbacks)
  for (const archive of inForce) {
    if (isArchiveDimmed(archive, ranges)) continue
    const last = messages.find(({ id }) => id === archive.to)
    if (last !== undefined) marks.set(last.id, archive)
  }
  return marks
}
