/** A person's attachments: loading them, and their labels. */

import type { Parlor } from "@parlor/client"
import { type AnswerOf, limits, sizeWords } from "@parlor/protocol"
import { t } from "../../texts/en/attachments.ts"
import { percentOf } from "../../ui/Progress.tsx"
import { noteOf } from "../status/problemWords.ts"
import { isPicture } from "./media.ts"

/** The newest attachments, up to the requested count, and the total storage used. */
export type Shelf = Omit<AnswerOf<"listAttachments">, "cursor"> & { readonly hasMore: boolean }

/** Always reloads from the newest, so that additions and deletions never duplicate or skip an item. */
export async function readShelf(attachments: Pick<Parlor["attachments"], "list">, wanted: number): Promise<Shelf> {
  let page = await attachments.list({ limit: Math.min(wanted, limits.listAttachments) })
  const found = [...page.attachments]
  while (page.cursor !== null && page.attachments.length > 0 && found.length < wanted) {
    const limit = Math.min(wanted - found.length, limits.listAttachments)
    page = await attachments.list({ cursor: page.cursor, limit })
    found.push(...page.attachments)
  }
  const { bytes, most, cursor } = page
  return { attachments: found, bytes, most, hasMore: cursor !== null }
}

/** Deleting an attachment that is already gone counts as success. */
export async function deleteOnce(attachments: Pick<Parlor["attachments"], "delete">, hash: string): Promise<void> {
  try {
    await attachments.delete(hash)
  } catch (error) {
    if (noteOf(error).code !== "attachment.unknown") throw error
  }
}

/** How much storage is used. */
export function roomWords({ bytes, most }: Pick<Shelf, "bytes" | "most">): string {
  return t("usedOf", { used: sizeWords(bytes), most: sizeWords(most) })
}

/** For the progress bar: a non-zero share is always visible. */
export function roomPercent({ bytes, most }: Pick<Shelf, "bytes" | "most">): number {
  return bytes === 0 ? 0 : Math.max(1, percentOf(bytes / most))
}

/** The names of formats, where they are not the end of the media type in capitals. */
const formats: Readonly<Record<string, string>> = {
  "audio/mpeg": "MP3",
  "audio/mp4": "M4A",
  "audio/webm": "WebM",
  "image/webp": "WebP",
  "text/markdown": "Markdown",
}
const PLAIN = /^(?:application\/(?:pdf|json)|text\/(?:csv|html|markdown))$/

/** What it is: `PNG image`, `PDF`, `Text`. */
export function kindWords(mediaType: string): string {
  const [family, type = ""] = mediaType.split("/")
  const format = (Object.hasOwn(formats, mediaType) ? formats[mediaType] : undefined) ?? type.toUpperCase()
  if (PLAIN.test(mediaType)) return format
  if (isPicture(mediaType)) return t("image", { format })
  if (family === "audio") return t("audio", { format })
  if (family !== "text") return mediaType
  return type === "plain" ? t("text") : t("textOf", { type })
}
