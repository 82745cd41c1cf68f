/** Bounds what is sent to a model in messages, whatever is stored (CPT-9). Pure. */
import type { MessageRow } from "@parlor/protocol"

/**
 * At most so many of the newest messages, beginning where a turn begins. A turn longer than the bound is sent from its
 * beginning all the same: half a turn would be a riddle. A step holds its tool calls with their results, so no pair is
 * ever cut.
 */
export function newestMessages(messages: readonly MessageRow[], most: number | undefined): readonly MessageRow[] {
  if (most === undefined || messages.length <= most) return messages
  const from = messages.length - most
  const within = messages.findIndex((message, index) => index >= from && message.role === "person")
  const begin = within >= 0 ? within : messages.findLastIndex((message) => message.role === "person")
  return begin <= 0 ? messages : messages.slice(begin)
}
