import type { Ids } from "../ports/ids.ts"

/** Readable ids for transcripts: msg_1, msg_2, trn_1. */
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
