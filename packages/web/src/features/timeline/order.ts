/** The rows of a timeline by name, in order: the messages, then what stands below them. Pure. */
import type { MessageRow } from "@parlor/protocol"

export type Order = { readonly keys: readonly string[] }

export const NO_ORDER: Order = { keys: [] }

/**
 * The same object as long as the rows are the same ones in the same order: while a message streams the list of messages
 * is another one with every piece, and nothing is laid out again because of that (TAB-7).
 */
export function orderOf(before: Order, messages: readonly Pick<MessageRow, "id">[], below: readonly string[]): Order {
  const { keys } = before
  const isSame =
    keys.length === messages.length + below.length &&
    messages.every((message, index) => message.id === keys[index]) &&
    below.every((key, index) => key === keys[messages.length + index])
  return isSame ? before : { keys: [...messages.map(({ id }) => id), ...below] }
}

/** How many messages came after the one that was newest when the person last looked at the end. */
export function newSince(messages: readonly Pick<MessageRow, "ord">[], seen: number): number {
  let count = 0
  for (let index = messages.length - 1; index >= 0 && (messages[index]?.ord ?? seen) > seen; index--) count += 1
  return count
}
