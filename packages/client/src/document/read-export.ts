/** The visible messages of an export, with the pictures they show. Reads line by line. */
import type { AttachmentPart, MessageRow } from "@parlor/protocol"

export type ExportedTitle = { readonly title: string; readonly agent: string }
export type ExportedMessage = {
  readonly message: MessageRow
  /** Pictures as base64, by hash. */
  readonly pictures: ReadonlyMap<string, string>
}

type Line = {
  readonly parlor?: number
  readonly title?: string
  readonly agent?: string
  readonly message?: MessageRow
  readonly content?: { readonly hash: string; readonly bytes: number; readonly data: string }
}

/** Larger ones are named, not shown. */
const MAX_PICTURE_BYTES = 5 * 1024 * 1024

/** The title first, then the messages. */
export async function* readExport(lines: AsyncIterable<string>): AsyncGenerator<ExportedTitle | ExportedMessage> {
  const contents = new Map<string, string[]>()
  for await (const line of lines) {
    const { parlor, title, agent, message, content } = JSON.parse(line) as Line
    if (parlor !== undefined) yield { title: title ?? "", agent: agent ?? "" }
    if (content !== undefined && content.bytes <= MAX_PICTURE_BYTES) {
      // A piece is a multiple of three bytes, so that the texts of all pieces can be joined.
      const known = contents.get(content.hash)
      if (known === undefined) contents.set(content.hash, [content.data])
      else known.push(content.data)
    }
    if (message === undefined) continue
    if (!message.dimmed) yield { message, pictures: picturesOf(message, contents) }
    else for (const { hash } of attachmentsOf(message)) contents.delete(hash)
  }
}

function picturesOf(message: MessageRow, contents: Map<string, string[]>): ReadonlyMap<string, string> {
  const pictures = new Map<string, string>()
  for (const { hash, mediaType } of attachmentsOf(message)) {
    const pieces = contents.get(hash)
    if (pieces !== undefined && mediaType.startsWith("image/")) pictures.set(hash, pieces.join(""))
  }
  return pictures
}

export function attachmentsOf({ parts }: MessageRow): readonly AttachmentPart[] {
  return parts.filter((part) => part.type === "attachment")
}
