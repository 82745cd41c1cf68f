import type { LeasedEdit } from "@parlor/client"
import { COMPOSER_INPUT, type ComposerInput, type QueueRow, type SlashCommandRow } from "@parlor/protocol"
import { recognized, retyped } from "../draft/doc.ts"

/**
 * The new input after editing a queued message's text. Unchanged chips and attachments stay. Newly mentioned agents
 * stay text, because editing does not change whom a message is for.
 */
export function editOf(row: QueueRow | undefined, text: string, commands: readonly SlashCommandRow[]): LeasedEdit {
  if (row?.type !== COMPOSER_INPUT) return { text }
  const input = retyped(row.payload as unknown as ComposerInput, text)
  const edited = recognized(input, { commands: commands.map(({ name }) => name), agents: [] })
  return edited.nodes === undefined ? { text } : { payload: edited as unknown as QueueRow["payload"] }
}
