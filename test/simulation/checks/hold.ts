/** [QUE-5, QUE-6] A held queue starts nothing by itself; it is held after a stop and an error; only a person frees it. */
import type { ChangeEvent, StatusRow } from "@parlor/protocol"
import type { MakeCheck } from "../check.ts"
import type { Commit } from "../journal.ts"
import { startOf } from "./start-of.ts"
import { hasSendNow, onQueueOf, stopsOf } from "./stops-of.ts"

export const hold: MakeCheck = (it, wrong, facts) => {
  let before: StatusRow["held"] = null
  return {
    commit(commit) {
      before = it.status?.held ?? null
      const start = startOf(it, commit)
      if (before !== null && start?.by === "itself")
        wrong("QUE-5", `${start.seq}: ${start.message} starts by itself; the queue is held (${before.reason})`)
    },
    folded(commit) {
      const seq = commit.entries.at(-1)?.stored.seq
      const held = it.status?.held ?? null
      const start = startOf(it, commit)
      const end = endOf(commit)
      if (end?.value.state === "failed" && held?.reason !== "error")
        wrong("QUE-6", `${seq}: a turn failed and the queue is not held`)
      if (start !== undefined) return
      if (end?.value.state === "stopped") {
        const asked = stopsOf(it, end.key, facts.now()).map((op) => onQueueOf(op, facts.profile.onStop))
        const mayGoOn = asked.some((way) => way !== "hold") || hasSendNow(it, facts.now())
        if (held === null && !mayGoOn) wrong("QUE-5", `${seq}: a stop did not hold the queue`)
      } else if (before !== null && held === null && it.opBy.get(commit.append.txid)?.command.kind !== "resume")
        wrong("QUE-5", `${seq}: the queue is not held any more and nobody resumed it`)
      if (before === null && held?.reason === "asked" && it.opBy.get(commit.append.txid)?.command.kind !== "hold")
        wrong("QUE-5", `${seq}: the queue is held and nobody asked for it`)
    },
    answered(op) {
      const isHold = op.command.kind === "hold" && op.outcome === "ok"
      if (isHold && (op.answer as { held: unknown }).held === null) wrong("QUE-5", "a hold was answered with no hold")
    },
  }
}

function endOf({ entries }: Commit): Extract<ChangeEvent, { type: "turns" }> | undefined {
  for (const { event } of entries) if (event.type === "turns" && event.value.endedAt !== null) return event
  return undefined
}
