/** Limits the number of messages sent to a model (CPT-9). Pure. */
import type { MessageRow } from "@parlor/protocol"

/**
 * At most `most` of the newest messages, starting at the beginning of a turn. A turn longer than the limit is still
 * sent whole, because half a turn would make no sense to the model. A step contains its tool calls with their results,
 * so no pair is ever split.
 */
export function newestMessages(messages: readonly MessageRow[], most: number | undefined): readonly MessageRow[] {
  if (most === undefined || messages.length <= most) return messages
  const from = messages.length - most
  const within = messages.findIndex((message, index) => index >= from && message.role === "person")
  const begin = within >= 0 ? within : messages.findLastIndex((message) => message.role === "person")
  return begin <= 0 ? messages : messages.slice(begin)
}
