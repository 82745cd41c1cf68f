/** Why the queue is paused, and until when (QUE-5, QUE-6, QUE-20). */
import { type StatusRow, unreachable } from "@parlor/protocol"
import { t } from "../../texts/en/queue.ts"
import { clockText } from "../../texts/format.ts"

export function heldWords(held: NonNullable<StatusRow["held"]>): string {
  switch (held.reason) {
    case "stopped":
      return t("queuePausedAfterYouStopped")
    case "error":
      if (held.until === undefined || held.only === "triggers") return t("queuePausedAfterAnError")
      return t("queuePausedAfterAnError2", { time: clockText(held.until) })
    case "asked":
      return t("queuePaused")
    default:
      return unreachable(held.reason)
  }
}
