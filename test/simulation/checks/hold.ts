/**
 * [QUE-5, QUE-6, QUE-20, QUE-21] A held queue starts nothing by itself before its time; it is held after a stop and an
 * error; only a person frees it, or the time that it names, for those that it names.
 */
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
      if (before === null || (start?.by !== "itself" && start?.by !== "retry")) return
      const said = `${start.seq}: ${start.message} starts by itself; the queue is held`
      if (before.until === undefined) wrong("QUE-5", `${said} (${before.reason})`)
      else if (before.until > facts.now()) wrong("QUE-20", `${said} until ${before.until}, it is ${facts.now()}`)
      const isPersons = start.by === "itself" && it.rows.queue.get(start.message)?.trigger === null
      if (before.only === "triggers" && isPersons) wrong("QUE-21", `${said} for people`)
    },
    folded(commit) {
      const seq = commit.entries.at(-1)?.stored.seq
      const held = it.status?.held ?? null
      const start = startOf(it, commit)
      const end = endOf(commit)
      const goesOn = end?.value.state === "failed" && facts.profile.onError === "continue"
      if (end?.value.state === "failed" && held === null && !goesOn)
        wrong("QUE-6", `${seq}: a turn failed and the queue is not held`)
      if (start !== undefined) return
      if (end?.value.state === "stopped") {
        const asked = stopsOf(it, end.key, facts.now()).map((op) => onQueueOf(op, facts.profile.onStop))
        const mayGoOn = asked.some((way) => way !== "hold") || hasSendNow(it, facts.now())
        if (held === null && !mayGoOn) wrong("QUE-5", `${seq}: a stop did not hold the queue`)
      } else if (
        before !== null &&
        held === null &&
        !goesOn &&
        it.opBy.get(commit.append.txid)?.command.kind !== "resume"
      )
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
  for (const { event } of entries)
    if (event.type === "turns" && event.value.endedAt !== null && event.value.retriedBy === undefined) return event
  return undefined
}
