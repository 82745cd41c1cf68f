/**
 * The attachments a request carries: newest first, from the messages in the window, as far as there is room. What does
 * not fit is only described (`lower.ts`).
 *
 * Loaded once per turn. A hash in a row does not give access to a content, because rows can be imported: the person of
 * the conversation must have attached it.
 */
import { type AttachmentPart, limits, type MessageRow } from "@parlor/protocol"
import type { Blobs } from "../ports/blobs.ts"
import { type Attached, type AttachedContent, NOTHING_ATTACHED } from "./lower.ts"
import { kindOf } from "./media.ts"

/** Limit for images, documents and audio together, per request. */
const DATA_BYTES = limits.attachmentBytes
/** Limit for all text of one request; for a model with a small window, a quarter of the window. */
const TEXT_BYTES = 256 * 1024
const BYTES_PER_TOKEN = 3
const WINDOW_SHARE = 4
/** A shorter excerpt of a text is not worth showing. */
const MIN_TEXT_BYTES = 512

/** What a turn has loaded so far; undefined for contents that are not this person's. */
export type Shelf = Map<string, AttachedContent | undefined>

export type LoadOptions = { readonly window: number; readonly shelf: Shelf }

export async function loadAttached(
  blobs: Pick<Blobs, "attachment" | "get">,
  person: string,
  messages: readonly MessageRow[],
  { window, shelf }: LoadOptions,
): Promise<Attached> {
  const picked = pickAttached(messages, window)
  if (picked.length === 0) return NOTHING_ATTACHED
  const attached = new Map<string, AttachedContent>()
  for (const { part, most } of picked) {
    if (!shelf.has(part.hash)) shelf.set(part.hash, await contentOf(blobs, person, part, most))
    const content = shelf.get(part.hash)
    if (content !== undefined) attached.set(part.hash, content)
  }
  return attached
}

/** What a request carried, as recorded for the inspector. */
export type Carried = { readonly hash: string; readonly kind: AttachedContent["kind"]; readonly bytes: number }

export function carriedBy(attached: Attached): Carried[] {
  return [...attached].map(([hash, content]) => {
    const { kind } = content
    return { hash, kind, bytes: kind === "text" ? content.bytes : kind === "data" ? content.data.length : 0 }
  })
}

/** Loads the contents that a request carried again. Deleted ones are left out. */
export async function loadCarried(
  blobs: Pick<Blobs, "attachment" | "get">,
  person: string,
  messages: readonly MessageRow[],
  carried: readonly Carried[],
): Promise<Attached> {
  if (carried.length === 0) return NOTHING_ATTACHED
  const parts = messages.flatMap((message) => message.parts.filter((part) => part.type === "attachment"))
  const attached = new Map<string, AttachedContent>()
  for (const { hash, kind, bytes } of carried) {
    const part = parts.find((one) => one.hash === hash)
    const content = part && (await contentOf(blobs, person, part, bytes))
    if (content !== undefined) attached.set(hash, kind === "refused" ? { kind } : content)
  }
  return attached
}

/** Whether it contains anything besides text. */
export function carriesData(attached: Attached): boolean {
  return [...attached.values()].some(({ kind }) => kind === "data")
}

export function withoutData(attached: Attached): Attached {
  return new Map(
    [...attached].map(([hash, content]) => [hash, content.kind === "data" ? { kind: "refused" } : content]),
  )
}

type Picked = { readonly part: AttachmentPart; readonly most: number }

/** The attachments that fit, and how many bytes of each. */
export function pickAttached(messages: readonly MessageRow[], window: number): readonly Picked[] {
  const room = { data: DATA_BYTES, text: Math.min(TEXT_BYTES, (window * BYTES_PER_TOKEN) / WINDOW_SHARE) }
  const picked = new Map<string, Picked>()
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index]
    if (message === undefined || message.dimmed || message.role !== "person" || message.state === "failed") continue
    for (const part of message.parts) {
      if (part.type !== "attachment" || picked.has(part.hash)) continue
      const kind = kindOf(part.mediaType) === "text" ? "text" : "data"
      const most = kind === "text" ? Math.min(part.bytes, room.text) : part.bytes
      if (most > room[kind] || most < Math.min(part.bytes, MIN_TEXT_BYTES)) continue
      room[kind] -= most
      picked.set(part.hash, { part, most })
    }
  }
  return [...picked.values()]
}

async function contentOf(
  blobs: Pick<Blobs, "attachment" | "get">,
  person: string,
  part: AttachmentPart,
  most: number,
): Promise<AttachedContent | undefined> {
  const attachment = await blobs.attachment(person, part.hash)
  // What a row claims may be made up; what was checked on upload counts.
  if (attachment === undefined || attachment.mediaType !== part.mediaType || attachment.bytes !== part.bytes)
    return undefined
  const data = await blobs.get(part.hash)
  if (data === undefined) return undefined
  return kindOf(part.mediaType) === "text"
    ? { kind: "text", text: excerptOf(data, most), bytes: Math.floor(most) }
    : { kind: "data", data }
}

/** As much of the text as fits, cut between characters. */
function excerptOf(data: Uint8Array, most: number): string {
  const text = new TextDecoder().decode(data.subarray(0, most), { stream: true })
  return data.length <= most ? text : `${text}\n[cut off: ${Math.floor(most)} of ${data.length} bytes]`
}
