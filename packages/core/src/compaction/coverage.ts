/** Checks that summaries cover everything a model is not shown (CPT-12). Pure: used by tests and the simulator. */
import type { ArchiveRow, MessageRow, StepNote } from "@parlor/protocol"

/**
 * The numbers of messages missing from a step's prompt: neither shown, nor covered by the archive whose summary was
 * shown or by one that this archive was built on. `messages`: those that were visible then.
 */
export function uncovered(
  step: Pick<StepNote, "shown" | "archive" | "message">,
  messages: readonly Pick<MessageRow, "id" | "ord">[],
  archives: readonly ArchiveRow[],
): readonly number[] {
  // A step without output has no message; messages after the last one shown arrived later.
  const end = messages.find(({ id }) => id === step.message)?.ord ?? step.shown.at(-1)?.[1] ?? 0
  const ranges = [...step.shown, ...coveredBy(step.archive, archives)]
  return messages
    .map(({ ord }) => ord)
    .filter((ord) => ord < end && !ranges.some(([from, to]) => from <= ord && ord <= to))
    .sort((a, b) => a - b)
}

/** An archive was built on the summary in force before it, whatever happened to that one later. */
function coveredBy(id: string | null, archives: readonly ArchiveRow[]): readonly [number, number][] {
  const standing = archives.find((archive) => archive.id === id)
  if (standing === undefined) return []
  return archives
    .filter(({ began, ended }) => began <= standing.began && (ended === null || ended > standing.began))
    .map(({ fromOrd, toOrd }) => [fromOrd, toOrd])
}
