import type { AttachmentNode, ComposerInput, MessageRow } from "@parlor/protocol"
import { attachedTo, retyped, withAttached } from "../draft/doc.ts"

type Sent = Pick<MessageRow, "composer" | "parts">

/**
 * The input of a sent message, to send it again: text, chips, and attachments under their names in the message. With
 * another text, chips outside the changed part are kept (RBK-3).
 */
export function inputOfMessage(message: Sent, text?: string): ComposerInput {
  const input = originalInput(message)
  return text === undefined || text === input.source ? input : retyped(input, text)
}

function originalInput({ composer, parts }: Sent): ComposerInput {
  if (composer === null)
    return { source: parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n") }
  const views = new Map(parts.flatMap((part) => (part.type === "attachment" ? [[part.hash, part] as const] : [])))
  const named = attachedTo(composer).map((node): AttachmentNode => {
    const view = views.get(String(node.hash))
    return view === undefined ? node : { ...node, name: view.name, mediaType: view.mediaType, bytes: view.bytes }
  })
  return withAttached(composer, named)
}
