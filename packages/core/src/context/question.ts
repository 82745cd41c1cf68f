import type { MessageRow } from "@parlor/protocol"

/** Whether the message asks for an answer. Pure. */
export function isQuestion(message: MessageRow): boolean {
  return message.role === "person" && message.state !== "failed" && !isInserted(message)
}

/** Nothing but context, from a handler or a sidecar: it is on the person's side, but asks nothing. */
function isInserted({ inbox, parts }: MessageRow): boolean {
  return inbox === null && parts.length > 0 && parts.every(({ type }) => type === "context")
}
