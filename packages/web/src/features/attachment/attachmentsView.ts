/** A person's attachments: loading them, and their labels. */
import type { Parlor } from "@parlor/client"
import { type AnswerOf, limits, sizeWords } from "@parlor/protocol"
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
  return `${sizeWords(bytes)} of ${sizeWords(most)} used`
}

/** For the progress bar: a non-zero share is always visible. */
export function roomPercent({ bytes, most }: Pick<Shelf, "bytes" | "most">): number {
  return bytes === 0 ? 0 : Math.max(1, percentOf(bytes / most))
}

const kinds: Readonly<Record<string, string>> = {
  "application/pdf": "PDF",
  "application/json": "JSON",
  "audio/mpeg": "MP3 audio",
  "audio/mp4": "M4A audio",
  "text/plain": "Text",
  "text/markdown": "Markdown",
  "text/csv": "CSV",
  "text/html": "HTML",
}

/** What it is: `PNG image`, `PDF`, `Text`. */
export function kindWords(mediaType: string): string {
  const known = Object.hasOwn(kinds, mediaType) ? kinds[mediaType] : undefined
  if (known !== undefined) return known
  const [family, type = ""] = mediaType.split("/")
  if (isPicture(mediaType)) return `${type === "webp" ? "WebP" : type.toUpperCase()} image`
  if (family === "audio") return `${type === "webm" ? "WebM" : type.toUpperCase()} audio`
  return family === "text" ? `Text (${type})` : mediaType
}

export function whenWords(at: number): string {
  return times.format(at)
}

const times = new Intl.DateTimeFormat([], { dateStyle: "medium", timeStyle: "short" })
