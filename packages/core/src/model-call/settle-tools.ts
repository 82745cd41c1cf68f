/** The parts of a message that breaks off: a call that had begun has an unknown outcome, one that had not never was. Pure. */
import type { Part } from "@parlor/protocol"

export function settleTools(parts: readonly Part[]): Part[] {
  return parts.flatMap((part): Part[] => {
    if (part.type !== "tool") return [part]
    if (part.state === "waiting") return []
    return [part.state === "started" ? { ...part, state: "unknown" } : part]
  })
}
