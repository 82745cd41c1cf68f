/** The message a commit starts, and who had it start. */
import { isRefused } from "../command.ts"
import type { Conversation } from "../conversation.ts"
import type { Commit } from "../journal.ts"

export type Start = {
  readonly message: string
  readonly turn: string
  readonly seq: number
  /**
   * `itself`: it left the queue because its turn had come. `guest`: one more answers what another has answered. `retry`:
   * its turn failed, and it is tried again.
   */
  readonly by: "send" | "send-now" | "itself" | "guest" | "retry"
}

export function startOf(it: Conversation, { append, entries }: Commit): Start | undefined {
  for (const { stored, event } of entries) {
    if (event.type !== "turns" || event.headers.operation !== "insert") continue
    const { message, id } = event.value
    const op = it.opBy.get(append.txid)
    const base = { message, turn: id, seq: stored.seq }
    if (op?.command.kind === "send") return { ...base, by: "send" }
    const isFollowing = entries.some((one) => one.event.type === "turns" && one.event.value.state === "done")
    if (it.rows.messages.has(message)) return { ...base, by: isFollowing ? "guest" : "retry" }
    const asked = it.opsOf("send-now").some((one) => one.command.message === message && !isRefused(one))
    const ends = entries.some((one) => one.event.type === "turns" && one.event.value.endedAt !== null)
    const isNow = op?.command.kind === "send-now" || (asked && ends)
    return { ...base, by: isNow ? "send-now" : "itself" }
  }
  return undefined
}
