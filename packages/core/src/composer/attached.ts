/**
 * The contents a request carries: of the messages in the window, newest first, as far as there is room. What does not fit
 * is described instead (`lower.ts`).
 *
 * Loaded once in a turn. A hash in a row is not enough to get at a content, since rows can be imported: whoever's
 * conversation it is must have attached it.
 */
import { type AttachmentPart, limits, type MessageRow } from "@parlor/protocol"
import type { Blobs } from "../ports/blobs.ts"
import { type Attached, type AttachedContent, NOTHING_ATTACHED } from "./lower.ts"
import { kindOf } from "./media.ts"

/** Of images, documents and audio together, in one request. */
const DATA_BYTES = limits.attachmentBytes
/** Of text together, in one request; a model with a small window gets a quarter of it. */
const TEXT_BYTES = 256 * 1024
const BYTES_PER_TOKEN = 3
const WINDOW_SHARE = 4
/** Less than this of a text is not worth showing. */
const LEAST_TEXT_BYTES = 512

/** What a turn has loaded so far; undefined for what is not this person's. */
export type Shelf = Map<string, AttachedContent | undefined>

export type LoadOptions = { readonly window: number; readonly shelf: Shelf }

export async function loadAttached(
  blobs: Pick<Blobs, "attachment" | "blob">,
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

/** What a request carried, as it is remembered of one. */
export type Carried = { readonly hash: string; readonly kind: AttachedContent["kind"]; readonly bytes: number }

export function carriedBy(attached: Attached): Carried[] {
  return [...attached].map(([hash, content]) => {
    const { kind } = content
    return { hash, kind, bytes: kind === "text" ? content.bytes : kind === "data" ? content.data.length : 0 }
  })
}

/** The contents a request carried, once more. What is gone since is left out. */
export async function loadCarried(
  blobs: Pick<Blobs, "attachment" | "blob">,
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

/** Whether there is anything in it beside text. */
export function carriesData(attached: Attached): boolean {
  return [...attached.values()].some(({ kind }) => kind === "data")
}

export function withoutData(attached: Attached): Attached {
  return new Map(
    [...attached].map(([hash, content]) => [hash, content.kind === "data" ? { kind: "refused" } : content]),
  )
}

type Picked = { readonly part: AttachmentPart; readonly most: number }

/** Which attachments fit, and how many bytes of each. */
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
      if (most > room[kind] || most < Math.min(part.bytes, LEAST_TEXT_BYTES)) continue
      room[kind] -= most
      picked.set(part.hash, { part, most })
    }
  }
  return [...picked.values()]
}

async function contentOf(
  blobs: Pick<Blobs, "attachment" | "blob">,
  person: string,
  part: AttachmentPart,
  most: number,
): Promise<AttachedContent | undefined> {
  const attachment = await blobs.attachment(person, part.hash)
  // What a row says about it may be made up; what was checked when it was attached counts.
  if (attachment === undefined || attachment.mediaType !== part.mediaType || attachment.bytes !== part.bytes)
    return undefined
  const data = await blobs.blob(part.hash)
  if (data === undefined) return undefined
  return kindOf(part.mediaType) === "text"
    ? { kind: "text", text: textOf(data, most), bytes: Math.floor(most) }
    : { kind: "data", data }
}

/** As much of the text as there is room for, cut between characters. */
function textOf(data: Uint8Array, most: number): string {
  const text = new TextDecoder().decode(data.subarray(0, most), { stream: true })
  return data.length <= most ? text : `${text}\n[cut off: ${Math.floor(most)} of ${data.length} bytes]`
}
