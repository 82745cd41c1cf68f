import type { MessageRow } from "@parlor/protocol"

type Spoken = Pick<MessageRow, "id" | "ord" | "role" | "dimmed" | "inbox">

/** The person's message that a reply answers; a person's message itself. Undefined if it cannot be sent again. */
export function questionOf<M extends Spoken>(message: M, messages: readonly M[]): M | undefined {
  const found =
    message.role === "person"
      ? message
      : messages.findLast(({ role, ord, dimmed }) => role === "person" && ord < message.ord && !dimmed)
  return found === undefined || found.inbox !== null || found.dimmed ? undefined : found
}
