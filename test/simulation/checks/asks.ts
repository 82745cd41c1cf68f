/** [TRN-12] An ask is answered once: the first valid answer wins, the others learn that it is closed. */
import type { AskRow } from "@parlor/protocol"
import type { MakeCheck } from "../check.ts"

export const asks: MakeCheck = (it, wrong) => {
  const won = new Map<string, string>()
  return {
    commit({ append, entries }) {
      for (const { stored, event } of entries) {
        if (event.type !== "asks") continue
        const row = event.value
        const before = it.rows.asks.get(event.key)
        if (event.headers.operation === "insert" && before !== undefined)
          wrong("TRN-12", `${stored.seq}: ${event.key} is asked again`)
        if (before !== undefined && before.state !== "open")
          wrong("TRN-12", `${stored.seq}: ${event.key} was ${before.state} and is ${row.state}`)
        if (row.state === "open" && row.turn !== it.turn?.id)
          wrong("TRN-12", `${stored.seq}: ${event.key} is of ${row.turn}, ${it.turn?.id} runs`)
        if (row.state === "answered" && row.expiresAt !== null && append.at > row.expiresAt)
          wrong("TRN-12", `${stored.seq}: ${event.key} is answered after its time`)
        const op = it.opBy.get(append.txid)
        if (row.state === "answered" && op?.command.kind !== "answer")
          wrong("TRN-12", `${stored.seq}: ${event.key} is answered and nobody did`)
      }
    },
    answered(op) {
      if (op.command.kind !== "answer") return
      const row = it.rows.asks.get(op.command.ask)
      if (op.outcome === "ok") {
        const { id, answer } = op.answer as AskRow
        if (won.has(id)) wrong("TRN-12", `${id} was won by ${won.get(id)} and by ${op.txid}`)
        won.set(id, op.txid)
        if (JSON.stringify(row?.answer) !== JSON.stringify(answer))
          wrong("TRN-12", `${id} has another answer than given`)
      }
      if (op.why === "ask.closed" && row?.state === "open" && row.expiresAt === null)
        wrong("TRN-12", `${row.id} is open and an answer was told it is closed`)
    },
    end() {
      for (const row of it.rows.asks.values()) if (row.state === "open") wrong("TRN-12", `${row.id} is left open`)
    },
  }
}
