import type { Ids } from "../ports/ids.ts"

/** Ids one can read in a transcript: msg_1, msg_2, trn_1. */
export function countingIds(): Ids {
  const counts = new Map<string, number>()
  return {
    next: (prefix) => {
      const count = (counts.get(prefix) ?? 0) + 1
      counts.set(prefix, count)
      return `${prefix}_${count}`
    },
  }
}
