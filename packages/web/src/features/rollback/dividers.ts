/** The rollback dividers between messages. Pure (RBK-1). */
import { isInForce, type MessageRow, newestRollback, type RollbackRow, unreachable } from "@parlor/protocol"

export type Divider = {
  readonly id: string
  readonly words: string
  /** Only the newest can be canceled: rollbacks are undone in reverse (RBK-6). */
  readonly canCancel: boolean
}

/** Keyed by the message above: the last dimmed one, so that new messages come below the divider (RBK-2). */
export function dividersBelow(
  messages: readonly Pick<MessageRow, "id" | "ord">[],
  rollbacks: readonly RollbackRow[],
): ReadonlyMap<string, readonly Divider[]> {
  const newest = newestRollback(rollbacks)
  const below = new Map<string, Divider[]>()
  for (const row of rollbacks) {
    if (!isInForce(row)) continue
    const last = lastUpTo(messages, row.fromOrd)
    if (last === undefined) continue
    const divider = { id: row.id, words: wordsFor(row), canCancel: row.id === newest?.id }
    below.set(last.id, [...(below.get(last.id) ?? []), divider])
  }
  return below
}

/** Binary search: there may be ten thousand messages. */
function lastUpTo<M extends Pick<MessageRow, "ord">>(messages: readonly M[], most: number): M | undefined {
  let low = 0
  let high = messages.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((messages[middle]?.ord ?? most) <= most) low = middle + 1
    else high = middle
  }
  return messages[low - 1]
}

export function wordsFor({ cancels, scope }: Pick<RollbackRow, "cancels" | "scope">): string {
  if (cancels !== null) return "Rollback canceled; the messages after it are hidden instead"
  switch (scope) {
    case "both":
      return "Rolled back, including files"
    case "conversation":
      return "Rolled back"
    case "files":
      return "Files rolled back"
    default:
      return unreachable(scope)
  }
}
