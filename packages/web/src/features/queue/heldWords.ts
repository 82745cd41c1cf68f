/** Why the queue is paused (QUE-5, QUE-6). */
import { type StatusRow, unreachable } from "@parlor/protocol"

export function heldWords(held: NonNullable<StatusRow["held"]>): string {
  switch (held.reason) {
    case "stopped":
      return "Queue paused after you stopped"
    case "error":
      return "Queue paused after an error"
    case "asked":
      return "Queue paused"
    default:
      return unreachable(held.reason)
  }
}
