/** What can be attached, and how much of it (CMP-15): the server's rules, so that they are said before and not after. Pure. */
import { limits, sizeWords } from "@parlor/protocol"

export type Refused = { readonly code: string; readonly detail: string }

const TAKEN: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "application/pdf",
  "application/json",
  "audio/mpeg",
  "audio/wav",
  "audio/ogg",
  "audio/flac",
  "audio/mp4",
  "audio/webm",
])

/** Names that browsers have for the same thing. */
const otherNames: Readonly<Record<string, string>> = {
  "image/jpg": "image/jpeg",
  "audio/mp3": "audio/mpeg",
  "audio/x-wav": "audio/wav",
  "audio/wave": "audio/wav",
  "audio/x-flac": "audio/flac",
  "audio/x-m4a": "audio/mp4",
}

const PICTURES = /^image\/(?:png|jpeg|gif|webp)$/
const PROBE_BYTES = 64 * 1024

/** What is said beforehand. */
export const limitWords = `Pictures, PDF, text and audio, up to ${sizeWords(limits.attachmentBytes)} each (text ${sizeWords(limits.attachmentTextBytes)}), ${limits.attachmentsPerMessage} to a message`

/**
 * The type the server knows it by. Browsers guess by the name, and call source code many things or nothing (a `.ts` file
 * is a video to them): what can be read as text is text. Undefined for what cannot be attached.
 */
export async function mediaTypeOf(file: Pick<File, "type" | "slice">): Promise<string | undefined> {
  const [claimed = ""] = file.type.toLowerCase().split(";")
  const type = otherNames[claimed] ?? claimed
  if (TAKEN.has(type) || type.startsWith("text/")) return type
  const probe = new Uint8Array(await file.slice(0, PROBE_BYTES).arrayBuffer())
  return isText(probe) ? "text/plain" : undefined
}

/** Why it will not be taken, known without asking. */
export function refusalOf(file: { readonly size: number }, mediaType: string | undefined): Refused | undefined {
  if (mediaType === undefined)
    return {
      code: "attachment.media-type",
      detail: "Pictures, PDF, text and audio can be attached; this is none of them.",
    }
  if (file.size === 0) return { code: "attachment.mismatch", detail: "There is nothing in it." }
  const most = isTextType(mediaType) ? limits.attachmentTextBytes : limits.attachmentBytes
  if (file.size <= most) return undefined
  return { code: "request.too-large", detail: `It has ${sizeWords(file.size)}; the most is ${sizeWords(most)}.` }
}

export function isPicture(mediaType: string): boolean {
  return PICTURES.test(mediaType)
}

function isTextType(mediaType: string): boolean {
  return mediaType.startsWith("text/") || mediaType === "application/json"
}

/** A character may be cut at the end of what was read, so an unfinished one is no fault. */
function isText(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}
