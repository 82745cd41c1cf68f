/** The parts of an aborted message: a started call has an unknown outcome, a pending call is removed. Pure. */
import type { Part } from "@parlor/protocol"

export function settleTools(parts: readonly Part[]): Part[] {
  return parts.flatMap((part): Part[] => {
    if (part.type !== "tool") return [part]
    if (part.state === "waiting") return []
    if (part.state !== "started") return [part]
    const { startedAt: _at, progress: _progress, ...call } = part
    return [{ ...call, state: "unknown" }]
  })
}
