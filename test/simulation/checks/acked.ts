/** [LOG-4] What was answered with success is in the log. */
import type { AskRow, QueueRow } from "@parlor/protocol"
import type { MakeCheck } from "../check.ts"
import { type Op, sentOf } from "../command.ts"

export const acked: MakeCheck = (it, wrong) => {
  const written = new Set<string>()
  return {
    commit({ append, entries }) {
      if (entries.length > 0) written.add(append.txid)
    },
    answered(op) {
      if (op.outcome === "ok" && !isThere(op))
        wrong("LOG-4", `${op.command.kind} ${op.txid} was answered and is not there`)
    },
    end() {
      for (const op of it.ops) {
        const sent = sentOf(op)
        if (sent !== undefined && !it.log.some((change) => change.key === sent.message))
          wrong("LOG-4", `${sent.message} was answered and is lost`)
      }
    },
  }

  function isThere(op: Op): boolean {
    const { command } = op
    switch (command.kind) {
      case "send": {
        const message = sentOf(op)?.message ?? ""
        return written.has(op.txid) || (command.key !== undefined && isKnown(message))
      }
      case "send-now":
        return isKnown(sentOf(op)?.message ?? "")
      case "stop":
        return it.rows.turns.get((op.answer as { turn: string }).turn)?.state === "stopped"
      case "answer":
        return written.has(op.txid) && it.rows.asks.get((op.answer as AskRow).id)?.state === "answered"
      case "edit":
        return written.has(op.txid) && (op.answer as QueueRow).version === command.body.version + 1
      case "clear":
        return written.has(op.txid) || (op.answer as { removed: number }).removed === 0
      default:
        return written.has(op.txid)
    }
  }

  function isKnown(message: string): boolean {
    return it.rows.queue.has(message) || it.rows.messages.has(message) || it.log.some((one) => one.key === message)
  }
}
