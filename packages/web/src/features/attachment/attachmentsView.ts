/** What a person attached: how it is asked for, and in words for them. */
import type { Parlor } from "@parlor/client"
import { type AnswerOf, limits, sizeWords } from "@parlor/protocol"
import { percentOf } from "../../ui/Progress.tsx"
import { noteOf } from "../status/problemWords.ts"
import { isPicture } from "./media.ts"

/** The newest of what was attached, as many as are wanted, and the room all of it takes. */
export type Shelf = Omit<AnswerOf<"listAttachments">, "cursor"> & { readonly hasMore: boolean }

/** From the newest on, each time: what came or went meanwhile is never there twice, and never left out. */
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

/** One that another window has deleted already is what was wanted. */
export async function deleteOnce(attachments: Pick<Parlor["attachments"], "delete">, hash: string): Promise<void> {
  try {
    await attachments.delete(hash)
  } catch (error) {
    if (noteOf(error).code !== "attachment.unknown") throw error
  }
}

/** How much room is taken. */
export function roomWords({ bytes, most }: Pick<Shelf, "bytes" | "most">): string {
  return `${sizeWords(bytes)} of ${sizeWords(most)} taken`
}

/** For the bar: what is there is seen, however little it is. */
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

/** What it is: `PNG picture`, `PDF`, `Text`. */
export function kindWords(mediaType: string): string {
  const known = Object.hasOwn(kinds, mediaType) ? kinds[mediaType] : undefined
  if (known !== undefined) return known
  const [family, type = ""] = mediaType.split("/")
  if (isPicture(mediaType)) return `${type === "webp" ? "WebP" : type.toUpperCase()} picture`
  if (family === "audio") return `${type === "webm" ? "WebM" : type.toUpperCase()} audio`
  return family === "text" ? `Text (${type})` : mediaType
}

export function whenWords(at: number): string {
  return times.format(at)
}

const times = new Intl.DateTimeFormat([], { dateStyle: "medium", timeStyle: "short" })
