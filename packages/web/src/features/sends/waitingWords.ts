/** What becomes of messages that could not be delivered yet, in words. Pure. */
import type { LiveState, PendingSend } from "@parlor/client"
import type { ComposerInput } from "@parlor/protocol"
import { attachedList } from "../attachment/attached.ts"

/** Ends in "again" where a time is to follow. */
export function waitingWords(
  first: Pick<PendingSend, "retryAt">,
  connection: LiveState["connection"],
  isOnline: boolean,
): string {
  if (!isOnline) return "Offline: it will go out when the connection is back"
  if (first.retryAt === null) return "Sending once more…"
  return connection === "live"
    ? "The server could not take it. Sending again"
    : "The server cannot be reached. Sending again"
}

/** What it says, or what goes along when it says nothing. */
export function sendTitle(input: ComposerInput, text: string): string {
  if (text.trim() !== "") return text
  return attachedList(input)
    .map(({ name }) => name)
    .join(", ")
}
