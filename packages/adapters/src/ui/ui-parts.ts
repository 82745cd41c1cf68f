/** Helpers shared by the stream and the list of messages. */
import type { MessageRow } from "@parlor/protocol"
import type { UiUserPart } from "./ui-chunk.ts"

/** The error codes of a tool call that was denied, by a person or because nobody was there to ask. */
export const deniedCodes: ReadonlySet<string> = new Set(["tool.refused"])

export const outcomeUnknown = "The outcome of this call is unknown: the server stopped while it was running."

/** The visible parts of a person's message: its text and its attachments. */
export function userParts({ parts }: Pick<MessageRow, "parts">): readonly UiUserPart[] {
  return parts.flatMap((part): UiUserPart[] => {
    if (part.type === "text") return [{ type: "text", text: part.text }]
    if (part.type !== "attachment") return []
    const { mediaType, name, hash } = part
    return [{ type: "file", mediaType, filename: name, url: `/v1/attachments/${hash}` }]
  })
}
