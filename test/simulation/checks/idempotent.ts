/** [QUE-11] One key, one message, one answer; the same key with another body is refused. */
import type { MakeCheck } from "../check.ts"
import { hashOf, sentOf } from "../command.ts"

export const idempotent: MakeCheck = (it, wrong) => {
  const first = new Map<string, { readonly hash: string; readonly answer: string }>()
  const stored = new Map<string, string>()
  return {
    commit({ append, entries }) {
      const op = it.opBy.get(append.txid)
      if (op?.command.kind !== "send" || op.command.key === undefined) return
      const message = entries.find(({ event }) => event.type === "queue" || event.type === "messages")?.event.key
      const known = stored.get(op.command.key)
      if (known !== undefined && message !== undefined)
        wrong("QUE-11", `the key ${op.command.key} gave ${known} and then ${message}`)
      if (message !== undefined) stored.set(op.command.key, message)
    },
    answered(op) {
      if (op.command.kind !== "send" || op.command.key === undefined) return
      const { key } = op.command
      const sent = sentOf(op)
      const known = first.get(key)
      if (op.outcome === "refused" && op.why === "idempotency.reused" && !hasOther(key, hashOf(op.command)))
        wrong("QUE-11", `the key ${key} is refused and was never used with another body`)
      if (sent === undefined) return
      const answer = JSON.stringify({ ...sent, key })
      if (sent.message !== stored.get(key)) wrong("QUE-11", `the key ${key} is answered with ${sent.message}`)
      if (known === undefined) first.set(key, { hash: hashOf(op.command), answer })
      else if (known.hash !== hashOf(op.command)) wrong("QUE-11", `the key ${key} was taken with two bodies`)
      else if (known.answer !== answer) wrong("QUE-11", `the key ${key}: ${known.answer} and then ${answer}`)
    },
  }

  function hasOther(key: string, hash: string): boolean {
    return it.opsOf("send").some((op) => op.command.key === key && hashOf(op.command) !== hash)
  }
}
