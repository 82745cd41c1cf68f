/**
 * Which attachments a provider accepts, and how they are sent (CMP-13). Others are described as text: a request that the
 * provider refuses would be refused in every later turn too.
 */
import type { ModelAttachment, ModelMessage } from "@parlor/core"

/** Whether a provider accepts this media type. */
export type Takes = (mediaType: string) => boolean

const images = ["image/png", "image/jpeg", "image/gif", "image/webp"]

export const openaiTakes: Takes = oneOf([...images, "application/pdf"])
export const anthropicTakes: Takes = oneOf([...images, "application/pdf"])
export const googleTakes: Takes = oneOf([
  ...images.filter((type) => type !== "image/gif"),
  "application/pdf",
  "audio/wav",
  "audio/mpeg",
  "audio/ogg",
  "audio/flac",
])
/** What most compatible servers accept. */
export const compatibleTakes: Takes = oneOf(images)

export type Carried = { readonly text: string; readonly files: readonly ModelAttachment[] }

export function carried({ text, attachments = [] }: Extract<ModelMessage, { role: "person" }>, takes: Takes): Carried {
  const files = attachments.filter(({ mediaType }) => takes(mediaType))
  const left = attachments.filter(({ mediaType }) => !takes(mediaType))
  const words = left.map(
    ({ name, mediaType }) => `[The attachment ${name} is ${mediaType}, which you cannot be given.]`,
  )
  return { text: [text, ...words].join("\n\n"), files }
}

/** Cached, because each step of a turn sends the same content. */
const encoded = new WeakMap<Uint8Array, string>()

export function base64Of(data: Uint8Array): string {
  const known = encoded.get(data)
  if (known !== undefined) return known
  const text = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("base64")
  encoded.set(data, text)
  return text
}

function oneOf(types: readonly string[]): Takes {
  const known = new Set(types)
  return (mediaType) => known.has(mediaType)
}
