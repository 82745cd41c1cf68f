/** Why nothing starts by itself, in words (QUE-5, QUE-6). */
import { type StatusRow, unreachable } from "@parlor/protocol"

export function heldWords(held: NonNullable<StatusRow["held"]>): string {
  switch (held.reason) {
    case "stopped":
      return "Held because you stopped"
    case "error":
      return "Held because of an error"
    case "asked":
      return "Held by you"
    default:
      return unreachable(held.reason)
  }
}
