/** [QUE-1, QUE-12, TRN-9] The answer to a send says what happened, and it was the right thing. */
import type { MakeCheck } from "../check.ts"
import { sentOf } from "../command.ts"

type Happened = { readonly outcome: string; readonly turn: string | undefined; readonly place: number | undefined }

export const outcome: MakeCheck = (it, wrong) => {
  const happened = new Map<string, Happened>()
  return {
    folded({ append, entries }) {
      const op = it.opBy.get(append.txid)
      if (op?.command.kind !== "send") return
      for (const { event } of entries) {
        if (event.type === "turns") happened.set(event.value.message, { outcome: "started", turn: event.key, place: 0 })
        if (event.type !== "queue") continue
        const place = it.queue.findIndex((row) => row.id === event.key) + 1
        const steers = event.value.mode === "steer"
        happened.set(event.key, { outcome: steers ? "steering" : "queued", turn: it.turn?.id, place })
        const others = it.queue.some((row) => row.id !== event.key && row.mode !== "paused")
        const isFree = it.status?.held === null ? !others : op.command.isTriggered !== true
        const mayStart = it.turn === undefined && !op.process.isDraining && isFree
        if (mayStart && event.value.mode === "immediate") wrong("QUE-12", `${event.key} queues and nothing is running`)
        if (steers && it.turn === undefined) wrong("TRN-9", `${event.key} steers and nothing is running`)
      }
    },
    answered(op) {
      const sent = op.command.kind === "send" ? sentOf(op) : undefined
      const real = sent && happened.get(sent.message)
      if (sent === undefined || real === undefined) return
      if (sent.outcome !== real.outcome)
        wrong("QUE-1", `${sent.message} ${real.outcome}; the answer is ${sent.outcome}`)
      if (sent.outcome !== "queued" && sent.turn !== real.turn)
        wrong("TRN-9", `${sent.message} is answered with ${sent.turn}, it is ${real.turn}`)
      if (sent.outcome === "queued" && sent.place !== real.place)
        wrong("QUE-1", `${sent.message} is at place ${real.place}; the answer is ${sent.place}`)
    },
  }
}
