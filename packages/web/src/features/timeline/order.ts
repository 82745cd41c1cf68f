/** The keys of a timeline's rows in order: the messages, then the rows below them. Pure. */
import type { MessageRow } from "@parlor/protocol"

export type Order = { readonly keys: readonly string[] }

export const NO_ORDER: Order = { keys: [] }

/**
 * Returns the same object while the rows and their order are unchanged: a streaming message creates a new array with
 * every update, which must not cause a new layout (TAB-7).
 */
export function orderOf(before: Order, rows: readonly { readonly id: string }[], below: readonly string[]): Order {
  const { keys } = before
  const isSame =
    keys.length === rows.length + below.length &&
    rows.every(({ id }, index) => id === keys[index]) &&
    below.every((key, index) => key === keys[rows.length + index])
  return isSame ? before : { keys: [...rows.map(({ id }) => id), ...below] }
}

/** The number of messages since the person was last at the end. */
export function newSince(messages: readonly Pick<MessageRow, "ord">[], seen: number): number {
  let count = 0
  for (let index = messages.length - 1; index >= 0 && (messages[index]?.ord ?? seen) > seen; index--) count += 1
  return count
}
