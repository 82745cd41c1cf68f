/** [LOG-27] Message numbers increase in log order, and a message keeps its number. */
import type { MakeCheck } from "../check.ts"

export const places: MakeCheck = (it, wrong) => {
  let highest = 0
  return {
    commit({ entries }) {
      for (const { stored, event } of entries) {
        if (event.type !== "messages") continue
        const { ord } = event.value
        const known = it.rows.messages.get(event.key)
        if (known !== undefined) {
          if (known.ord !== ord) wrong("LOG-27", `${stored.seq}: ${event.key} moves from ${known.ord} to ${ord}`)
          continue
        }
        if (event.headers.operation !== "insert") continue
        if (ord <= highest) wrong("LOG-27", `${stored.seq}: ${event.key} has number ${ord}, after ${highest}`)
        highest = Math.max(highest, ord)
      }
    },
  }
}
