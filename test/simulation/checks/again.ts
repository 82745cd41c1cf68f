/**
 * [QUE-20, QUE-22, TRN-23 to TRN-25] Only a failed message is tried again, when its fault may pass, at its time and so
 * many times; in the end none is left, and those that were given up are told of.
 */
import type { MakeCheck } from "../check.ts"
import { startOf } from "./start-of.ts"

export const again: MakeCheck = (it, wrong, facts) => {
  const { onError } = facts.profile
  const retries = new Map<string, number>()
  return {
    commit(commit) {
      const start = startOf(it, commit)
      if (start?.by !== "retry") return
      const pending = it.status?.again ?? null
      const said = `${start.seq}: ${start.message} is tried again`
      if (pending?.message !== start.message) wrong("TRN-24", `${said}, it was for ${pending?.message}`)
      if (pending !== null && pending.at > facts.now()) wrong("QUE-20", `${said} before ${pending.at}`)
      const last = [...it.rows.turns.values()].filter(({ message }) => message === start.message).at(-1)
      if (last?.state !== "failed") wrong("TRN-24", `${said} after its turn was ${last?.state}`)
      if (last?.unattended !== true && onError !== "retry") wrong("QUE-20", `${said}, a person sent it`)
      if (onError === "hold" || onError === "continue") wrong("QUE-20", `${said}, errors ${onError}`)
      const count = (retries.get(start.message) ?? 0) + 1
      retries.set(start.message, count)
      if (count > facts.settings.errorHold.tries) wrong("TRN-23", `${said} ${count} times`)
    },
    end() {
      if (it.status?.again) wrong("J3", `${it.status.again.message} is still to be tried again`)
      const last = new Map([...it.rows.turns.values()].map((turn) => [turn.message, turn]))
      for (const { id, message, state, unattended } of last.values()) {
        if (state !== "failed" || unattended !== true) continue
        const isTold = [...it.rows.messages.values()].some(
          (row) => row.turn === id && row.parts.some(({ type }) => type === "notice"),
        )
        if (!isTold) wrong("TRN-25", `${message} was not answered, and nobody is told`)
      }
    },
  }
}
