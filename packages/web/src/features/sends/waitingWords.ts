/** Labels for messages that are not delivered yet. Pure. */
import type { LiveState, PendingSend } from "@parlor/client"
import type { ComposerInput } from "@parlor/protocol"
import { attachedList } from "../attachment/attached.ts"

/** Ends in "Retrying" where a time is to follow. */
export function waitingWords(
  first: Pick<PendingSend, "retryAt">,
  connection: LiveState["connection"],
  isOnline: boolean,
): string {
  if (!isOnline) return "Offline: will be sent when you are back online"
  if (first.retryAt === null) return "Sending again…"
  return connection === "live" ? "The server couldn't accept it. Retrying" : "Can't reach the server. Retrying"
}

/** Its text, or its attachments when it has none. */
export function sendTitle(input: ComposerInput, text: string): string {
  if (text.trim() !== "") return text
  return attachedList(input)
    .map(({ name }) => name)
    .join(", ")
}
