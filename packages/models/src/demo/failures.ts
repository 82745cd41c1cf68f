/** Counts how often the demo model has failed a request: its only state, and bounded. */
import { createHash } from "node:crypto"
import type { ModelRequest } from "@parlor/core"
import { messagesText } from "./messages-text.ts"

const maxRequests = 1_000

export type Failures = {
  /** True if it should fail again; false once it has failed `times` times, and the count is dropped. */
  again(request: ModelRequest, times: number): boolean
}

export function failures(): Failures {
  const counts = new Map<string, number>()
  return {
    again(request, times) {
      const key = createHash("sha256").update(messagesText(request.messages)).digest("base64")
      const count = counts.get(key) ?? 0
      counts.delete(key)
      if (count >= times) return false
      counts.set(key, count + 1)
      for (const oldest of counts.keys()) {
        if (counts.size <= maxRequests) break
        counts.delete(oldest)
      }
      return true
    },
  }
}
