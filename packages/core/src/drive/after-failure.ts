/** What a failed turn leaves behind: how long the queue is held, and a notice if nobody will answer (QUE-20, TRN-25). */
import { type MessageId, type Millis, type NewChange, newMessage } from "@parlor/protocol"
import type { ConversationState } from "../log/state.ts"
import { afterError } from "../turn/after-error.ts"
import type { Finished } from "../turn/standard-turn.ts"
import type { QueueAfter } from "../turn/turn.ts"
import type { DriveAccess } from "./drive-access.ts"

/** Undefined unless it failed. */
export async function afterFailure(
  node: DriveAccess,
  { status, address }: ConversationState,
  { turn, end }: Finished,
  at: Millis,
): Promise<QueueAfter | undefined> {
  if (end.state !== "failed") return undefined
  const { isPassing, retryAfterMs } = end
  const { onError } = node.agents.get(address.agent) ?? {}
  // The end of a turn is kept while the store is down: then this process's own clock has to do.
  const storeTime = await node.store.now().catch(() => at)
  const random = node.random.next()
  const settings = node.settings.errorHold
  return afterError({ status, turn, isPassing, retryAfterMs, onError, settings, at, storeTime, random })
}

/** The person was not there when it failed: a notice in the conversation says what was not answered, and why. */
export function noteUnanswered(
  node: DriveAccess,
  { status, lastOrd }: ConversationState,
  { turn, end }: Finished,
  at: Millis,
): readonly NewChange[] {
  if (end.state !== "failed" || turn.unattended !== true) return []
  const tries = (status.again?.message === turn.message ? status.again.tries : 0) + 1
  const text = `Not answered${tries > 1 ? ` after ${tries} attempts` : ""}: ${end.error.detail}`
  const id = node.ids.next("msg") as MessageId
  const row = newMessage({
    id,
    ord: lastOrd + 1,
    role: "agent",
    author: turn.guest ?? "",
    turn: turn.id,
    state: "done",
    parts: [{ type: "notice", code: end.error.code, text }],
    at,
  })
  return [{ collection: "messages", key: id, operation: "insert", row }]
}
