/** A prompt as content blocks, as far as the agent accepts them (HST-2). Pure. */
import { pathToFileURL } from "node:url"
import type { ContentBlock, PromptCapabilities } from "@agentclientprotocol/sdk"
import type { HarnessPrompt } from "@parlor/core"

export const CONTINUE = "You were interrupted. Continue where you left off."

export type Told = {
  /** The text of the message, or what stands for it. */
  readonly text: string
  /** What a new session has to know first. */
  readonly background: string
}

export function promptBlocks(
  prompt: Pick<HarnessPrompt, "files" | "attachments" | "folder" | "missed">,
  { text, background }: Told,
  can: PromptCapabilities = {},
): ContentBlock[] {
  const notes = [background, missedNote(prompt.missed)].filter((note) => note !== "").join("\n\n")
  const message: ContentBlock = { type: "text", text }
  const told: ContentBlock[] = notes === "" ? [] : [{ type: "text", text: `${notes}\n\nThe message to answer:\n` }]
  // A command is recognized only at the beginning.
  const words = text.startsWith("/") ? [message] : [...told, message]
  const links = prompt.files.map(
    ({ path, from }): ContentBlock => ({
      type: "resource_link",
      name: path,
      uri: `${pathToFileURL(`${prompt.folder}/${path}`).href}${from === undefined ? "" : `#L${from}`}`,
    }),
  )
  return [...words, ...links, ...prompt.attachments.flatMap((one) => attachmentBlock(one, can))]
}

function missedNote(missed: string): string {
  return missed === "" ? "" : `Said in this conversation since your last reply:\n\n${missed}`
}

/** One that the agent does not accept is named in the text already. */
function attachmentBlock(
  { name, mediaType, data }: HarnessPrompt["attachments"][number],
  can: PromptCapabilities,
): ContentBlock[] {
  const base64 = () => Buffer.from(data).toString("base64")
  if (mediaType.startsWith("image/") && can.image === true)
    return [{ type: "image", mimeType: mediaType, data: base64() }]
  if (mediaType.startsWith("audio/") && can.audio === true)
    return [{ type: "audio", mimeType: mediaType, data: base64() }]
  if (can.embeddedContext !== true) return [{ type: "text", text: `[${name}: ${mediaType}, which you cannot read]` }]
  return [
    {
      type: "resource",
      resource: { uri: `attachment:///${encodeURIComponent(name)}`, mimeType: mediaType, blob: base64() },
    },
  ]
}
