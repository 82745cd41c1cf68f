/** Every command is answered with what it asked for, a refusal or "later"; and in the end it is answered. */
import type { MakeCheck } from "../check.ts"

export const answers: MakeCheck = (it, wrong) => ({
  answered(op) {
    if (op.outcome === "broken") wrong("QUE-9", `${op.command.kind} ${op.txid} was answered with ${op.why}`)
  },
  end() {
    for (const op of it.ops)
      if (op.outcome === "pending") wrong("J3", `${op.command.kind} ${op.txid} was never answered`)
  },
})
