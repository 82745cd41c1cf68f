/** Why the queue is paused, and until when (QUE-5, QUE-6, QUE-20). */
import { type StatusRow, unreachable } from "@parlor/protocol"

export function heldWords(held: NonNullable<StatusRow["held"]>): string {
  switch (held.reason) {
    case "stopped":
      return "Queue paused after you stopped"
    case "error":
      if (held.until === undefined || held.only === "triggers") return "Queue paused after an error"
      return `Queue paused after an error until ${timeOf(held.until)}`
    case "asked":
      return "Queue paused"
    default:
      return unreachable(held.reason)
  }
}

function timeOf(at: number): string {
  return new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })
}
