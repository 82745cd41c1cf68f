/** Labels for messages that are not delivered yet. Pure. */
import type { LiveState, PendingSend } from "@parlor/client"
import type { ComposerInput } from "@parlor/protocol"
import { t } from "../../texts/en/sends.ts"
import { attachedList } from "../attachment/attached.ts"

/** Ends in "Retrying" where a time is to follow. */
export function waitingWords(
  first: Pick<PendingSend, "retryAt">,
  connection: LiveState["connection"],
  isOnline: boolean,
): string {
  if (!isOnline) return t("offlineWillBeSentWhen")
  if (first.retryAt === null) return t("sendingAgain")
  return connection === "live" ? t("theServerCouldntAcceptIt") : t("cantReachTheServerRetrying")
}

/** Its text, or its attachments when it has none. */
export function sendTitle(input: ComposerInput, text: string): string {
  if (text.trim() !== "") return text
  return attachedList(input)
    .map(({ name }) => name)
    .join(", ")
}
