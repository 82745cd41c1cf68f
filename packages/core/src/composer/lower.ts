/** What a person's message says to a model. Pure (CMP-13). */
import type { MessageRow } from "@parlor/protocol"

export function personText(message: MessageRow): string {
  let text = ""
  for (const part of message.parts) if (part.type === "text") text += part.text
  return text
}
