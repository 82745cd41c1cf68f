/** [QUE-10] Sent now: the running turn stops and that message starts, in one act; the others keep their places. */
import type { MakeCheck } from "../check.ts"
import { isRefused, sentOf } from "../command.ts"
import { startOf } from "./start-of.ts"
import { stopsOf } from "./stops-of.ts"

export const sendNow: MakeCheck = (it, wrong, facts) => ({
  commit(commit) {
    const start = startOf(it, commit)
    if (start?.by === "send-now") {
      const others = commit.entries.filter(({ event }) => event.type === "queue" && event.key !== start.message)
      if (others.length > 0) wrong("QUE-10", `${start.seq}: sending ${start.message} now changed others in the queue`)
    }
    const stop = commit.entries.find(({ event }) => event.type === "turns" && event.value.state === "stopped")
    if (stop === undefined || start !== undefined || stopsOf(it, stop.event.key, facts.now()).length > 0) return
    const wanted = it.opsOf("send-now").filter((op) => !isRefused(op) && op.outcome !== "ok")
    const waiting = wanted.filter((op) => it.rows.queue.has(op.command.message))
    if (waiting.length > 0 && waiting.length === wanted.length)
      wrong("QUE-10", `${stop.stored.seq}: ${stop.event.key} stopped and ${waiting[0]?.command.message} did not start`)
  },
  answered(op) {
    if (op.command.kind !== "send-now") return
    const sent = sentOf(op)
    if (sent === undefined) return
    const turn = it.rows.turns.get(sent.turn ?? "")
    if (turn?.message !== op.command.message)
      wrong("QUE-10", `${op.command.message} was sent now and ${turn?.id} is not it`)
  },
})
