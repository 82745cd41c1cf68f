/** [J3] When faults have stopped and time has passed, everything has come to its end. */
import type { MakeCheck } from "../check.ts"

export const rest: MakeCheck = (it, wrong) => ({
  end() {
    if (it.status !== undefined && (it.status.state !== "idle" || it.turn !== undefined))
      wrong("J3", `it rests as ${it.status.state} with ${it.turn?.id}`)
    for (const row of it.rows.messages.values())
      if (row.state === "streaming") wrong("J3", `${row.id} is still being said`)
    if (it.rows.deltas.size > 0) wrong("LOG-10", `${it.rows.deltas.size} deltas are left`)
  },
})
