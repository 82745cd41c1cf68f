/** The parts of an aborted message: a started call has an unknown outcome, a pending call is removed. Pure. */
import type { Part } from "@parlor/protocol"

export function settleTools(parts: readonly Part[]): Part[] {
  return parts.flatMap((part): Part[] => {
    if (part.type !== "tool") return [part]
    if (part.state === "waiting") return []
    return [part.state === "started" ? { ...part, state: "unknown" } : part]
  })
}
