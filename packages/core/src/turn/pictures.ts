/**
 * Pictures in the output of a tool (TRN-27): `{ type: "image", data, mimeType }`, anywhere in it. They are stored, and a
 * note takes their place, so that neither the log nor the model gets their base64 text.
 */
import { limits, sizeWords, type ToolPart } from "@parlor/protocol"
import { kindOf, mediaTypeOf, mismatch } from "../composer/media.ts"
import type { Json } from "../ports/json.ts"

export type ToolPicture = NonNullable<ToolPart["pictures"]>[number]

/** Deeper values are left as they are. */
const MAX_DEPTH = 8

export async function takePictures(
  output: Json,
  keep: (content: Uint8Array) => Promise<string>,
): Promise<{ readonly output: Json; readonly pictures: readonly ToolPicture[] }> {
  const pictures: ToolPicture[] = []
  const take = async (picture: Picture): Promise<Json> => {
    const mediaType = mediaTypeOf(picture.mimeType) ?? picture.mimeType
    const content = pictures.length < limits.toolPictures ? contentOf(picture.data, mediaType) : TOO_MANY
    if (typeof content === "string") return { type: "image", mediaType, note: `Left out. ${content}` }
    pictures.push({ hash: await keep(content), mediaType, bytes: content.length })
    return { type: "image", mediaType, bytes: content.length, note: "The person sees this picture; you do not." }
  }
  const walk = async (value: Json, depth: number): Promise<Json> => {
    if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return value
    const picture = pictureIn(value)
    if (picture !== undefined) return take(picture)
    if (Array.isArray(value)) {
      const items: Json[] = []
      for (const item of value as readonly Json[]) items.push(await walk(item, depth + 1))
      return items
    }
    const fields: [string, Json][] = []
    for (const [name, field] of Object.entries(value)) fields.push([name, await walk(field, depth + 1)])
    return Object.fromEntries(fields)
  }
  return { output: await walk(output, 0), pictures }
}

type Picture = { readonly data: string; readonly mimeType: string }

function pictureIn(value: object): Picture | undefined {
  const { type, data, mimeType, mediaType = mimeType } = value as Readonly<Record<string, unknown>>
  if (type !== "image" || typeof data !== "string" || typeof mediaType !== "string") return undefined
  return { data, mimeType: mediaType }
}

const TOO_MANY = `At most ${limits.toolPictures} pictures are shown.`

/** The content, or why it cannot be shown. */
function contentOf(data: string, mediaType: string): Uint8Array | string {
  if (mediaTypeOf(mediaType) === undefined || kindOf(mediaType) !== "image") return "Use PNG, JPEG, GIF or WebP."
  if (data.length * 0.75 > limits.toolPictureBytes + 2) return `The maximum is ${sizeWords(limits.toolPictureBytes)}.`
  let binary: string
  try {
    binary = atob(data)
  } catch {
    return "Its data is not base64."
  }
  const bytes = new Uint8Array(binary.length)
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at)
  return mismatch(mediaType, bytes) ?? bytes
}
