/** A prompt of the client as a message: references resolved, files uploaded. */
import type { ContentBlock } from "@agentclientprotocol/sdk"
import { type AcpFile, readAcpPrompt } from "@parlor/adapters"
import type { Conversation, Parlor } from "@parlor/client"
import { composed } from "@parlor/client/composer"
import type { SendBody } from "@parlor/protocol"
import { referencesFor } from "../references.ts"

export async function composePrompt(
  parlor: Parlor,
  conversation: Conversation,
  blocks: readonly ContentBlock[],
): Promise<{ readonly text: string; readonly body: SendBody }> {
  const { text, files } = readAcpPrompt(blocks)
  const references = await referencesFor(parlor, conversation, text)
  const attachments: { readonly hash: string }[] = []
  for (const file of files) attachments.push(await attach(parlor, file))
  return { text, body: composed(text, { ...references, attachments }) }
}

function attach(parlor: Parlor, { name, mediaType, content }: AcpFile) {
  const bytes = "text" in content ? new TextEncoder().encode(content.text) : Buffer.from(content.base64, "base64")
  return parlor.attachments.add(new Uint8Array(bytes), { name, mediaType })
}
