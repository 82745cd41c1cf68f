/** Pieces that the stream and the list of messages share. */
import type { MessageRow } from "@parlor/protocol"
import type { UiUserPart } from "./ui-chunk.ts"

/** The error codes of a tool that a person, or nobody being there, did not allow. */
export const deniedCodes: ReadonlySet<string> = new Set(["tool.refused"])

export const outcomeUnknown = "The outcome of this call is unknown: the server stopped while it was running."

/** What a person's message shows: its text and what is attached. */
export function userParts({ parts }: Pick<MessageRow, "parts">): readonly UiUserPart[] {
  return parts.flatMap((part): UiUserPart[] => {
    if (part.type === "text") return [{ type: "text", text: part.text }]
    if (part.type !== "attachment") return []
    const { mediaType, name, hash } = part
    return [{ type: "file", mediaType, filename: name, url: `/v1/attachments/${hash}` }]
  })
}
