/** [QUE-5, QUE-6] A held queue starts nothing by itself; it is held after a stop and an error; only a person frees it. */
import type { StatusRow } from "@parlor/protocol"
import type { MakeCheck } from "../check.ts"
import { isRefused, type OnQueue } from "../command.ts"
import type { Commit } from "../journal.ts"
import { startOf } from "./start-of.ts"

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
      if (end === "failed" && held?.reason !== "error") wrong("QUE-6", `${seq}: a turn failed and the queue is not held`)
      if (start !== undefined) return
      if (end === "stopped") {
        const ways = waysToStop()
        if (held === null && ways.every((way) => way === "hold")) wrong("QUE-5", `${seq}: a stop did not hold the queue`)
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

  /** What the stops that may have done it wanted of the queue. */
  function waysToStop(): OnQueue[] {
    const stops = it.opsOf("stop").filter((op) => !isRefused(op) && mayStillAct(op.outcome, op.answeredAt))
    const nows = it.opsOf("send-now").filter((op) => !isRefused(op) && mayStillAct(op.outcome, op.answeredAt))
    const ways = stops.map((op) => op.command.onQueue ?? facts.profile.onStop ?? "hold")
    return [...ways, ...nows.map(() => "drain" as const)]
  }

  function mayStillAct(outcome: string, answeredAt: number): boolean {
    return outcome !== "ok" || answeredAt >= facts.now()
  }
}

function endOf({ entries }: Commit): string | undefined {
  for (const { event } of entries) if (event.type === "turns" && event.value.endedAt !== null) return event.value.state
  return undefined
}
