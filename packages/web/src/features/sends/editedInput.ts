import type { AttachmentNode, ComposerInput, MessageRow } from "@parlor/protocol"
import { attachedTo, withAttached } from "../draft/doc.ts"

/**
 * The draft for a message that was rolled back to be edited: text, chips and attachments under their names in the
 * message (RBK-3).
 */
export function editedInput(
  edited: { readonly message: string; readonly text: string },
  messages: readonly Pick<MessageRow, "id" | "composer" | "parts">[],
): ComposerInput {
  const row = messages.find(({ id }) => id === edited.message)
  const input = row?.composer ?? undefined
  // If the text differs from its composer input, the text wins.
  if (row === undefined || input === undefined || input.source !== edited.text) return { source: edited.text }
  const views = new Map(row.parts.flatMap((part) => (part.type === "attachment" ? [[part.hash, part] as const] : [])))
  const named = attachedTo(input).map((node): AttachmentNode => {
    const view = views.get(String(node.hash))
    return view === undefined ? node : { ...node, name: view.name, mediaType: view.mediaType, bytes: view.bytes }
  })
  return withAttached(input, named)
}
