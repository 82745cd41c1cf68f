/** What can be attached, and how much (CMP-15). Mirrors the server's rules, to reject files before the upload. Pure. */

import { limits, sizeWords } from "@parlor/protocol"
import { t } from "../../texts/en/attachment.ts"

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

/** Aliases that browsers use. */
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

/** The limits, shown before anything is attached. */
export function limitWords(): string {
  return t("limits", {
    size: sizeWords(limits.attachmentBytes),
    textSize: sizeWords(limits.attachmentTextBytes),
    most: limits.attachmentsPerMessage,
  })
}

/**
 * The media type the server accepts. Browsers guess it from the file name and get source code wrong (a `.ts` file is
 * reported as video), so anything that decodes as text is text. Undefined when it can't be attached.
 */
export async function mediaTypeOf(file: Pick<File, "type" | "slice">): Promise<string | undefined> {
  const [claimed = ""] = file.type.toLowerCase().split(";")
  const type = otherNames[claimed] ?? claimed
  if (TAKEN.has(type) || type.startsWith("text/")) return type
  const probe = new Uint8Array(await file.slice(0, PROBE_BYTES).arrayBuffer())
  return isText(probe) ? "text/plain" : undefined
}

/** Why the server would reject it. */
export function refusalOf(file: { readonly size: number }, mediaType: string | undefined): Refused | undefined {
  if (mediaType === undefined)
    return {
      code: "attachment.media-type",
      detail: t("unsupportedType"),
    }
  if (file.size === 0) return { code: "attachment.mismatch", detail: t("emptyFile") }
  const most = isTextType(mediaType) ? limits.attachmentTextBytes : limits.attachmentBytes
  if (file.size <= most) return undefined
  return {
    code: "request.too-large",
    detail: t("tooLarge", { size: sizeWords(file.size), most: sizeWords(most) }),
  }
}

export function isPicture(mediaType: string): boolean {
  return PICTURES.test(mediaType)
}

function isTextType(mediaType: string): boolean {
  return mediaType.startsWith("text/") || mediaType === "application/json"
}

/** The probe may end in the middle of a character, so an incomplete one at the end is allowed. */
function isText(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}
