import type { Ids } from "@parlor/core"

/** Ids one can read, rising also as text: msg_00001, msg_00002, trn_00001. All processes share them. */
export function risingIds(): Ids {
  const counts = new Map<string, number>()
  return {
    next: (prefix) => {
      const count = (counts.get(prefix) ?? 0) + 1
      counts.set(prefix, count)
      return `${prefix}_${String(count).padStart(5, "0")}`
    },
  }
}
