import type { LeasedEdit } from "@parlor/client"
import { COMPOSER_INPUT, type CommandRow, type ComposerInput, type QueueRow } from "@parlor/protocol"
import { recognised, retyped } from "../draft/doc.ts"

/**
 * What an edit of a waiting message's text puts in its place: chips that were not typed into stay what they are, and so
 * does what is attached. Agents that are named anew stay text: whom a message is for is not changed in passing.
 */
export function editOf(row: QueueRow | undefined, text: string, commands: readonly CommandRow[]): LeasedEdit {
  if (row?.type !== COMPOSER_INPUT) return { text }
  const input = retyped(row.payload as ComposerInput, text)
  const edited = recognised(input, { commands: commands.map(({ name }) => name), agents: [] })
  return edited.nodes === undefined ? { text } : { payload: edited as QueueRow["payload"] }
}
