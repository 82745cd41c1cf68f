/** Which files can be attached, and whether a file matches its declared type (CMP-15). Pure. */

export type MediaKind = "image" | "document" | "audio" | "text"

type Media = { readonly kind: MediaKind; readonly isOne: (bytes: Uint8Array) => boolean }

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const ANYWHERE_IN = 1_024

/** Everything except text is recognized by its first bytes. */
const binary: ReadonlyMap<string, Media> = new Map<string, Media>([
  ["image/png", { kind: "image", isOne: (bytes) => startsWith(bytes, PNG) }],
  ["image/jpeg", { kind: "image", isOne: (bytes) => startsWith(bytes, [0xff, 0xd8, 0xff]) }],
  ["image/gif", { kind: "image", isOne: (bytes) => hasTextAt(bytes, 0, "GIF87a") || hasTextAt(bytes, 0, "GIF89a") }],
  ["image/webp", { kind: "image", isOne: (bytes) => hasTextAt(bytes, 0, "RIFF") && hasTextAt(bytes, 8, "WEBP") }],
  // Some programs write a few bytes before it, and readers accept that.
  ["application/pdf", { kind: "document", isOne: (bytes) => latin(bytes, 0, ANYWHERE_IN).includes("%PDF-") }],
  ["audio/mpeg", { kind: "audio", isOne: (bytes) => hasTextAt(bytes, 0, "ID3") || isMpegFrame(bytes) }],
  ["audio/wav", { kind: "audio", isOne: (bytes) => hasTextAt(bytes, 0, "RIFF") && hasTextAt(bytes, 8, "WAVE") }],
  ["audio/ogg", { kind: "audio", isOne: (bytes) => hasTextAt(bytes, 0, "OggS") }],
  ["audio/flac", { kind: "audio", isOne: (bytes) => hasTextAt(bytes, 0, "fLaC") }],
  ["audio/mp4", { kind: "audio", isOne: (bytes) => hasTextAt(bytes, 4, "ftyp") }],
  ["audio/webm", { kind: "audio", isOne: (bytes) => startsWith(bytes, [0x1a, 0x45, 0xdf, 0xa3]) }],
])

const otherNames: ReadonlyMap<string, string> = new Map([
  ["image/jpg", "image/jpeg"],
  ["audio/mp3", "audio/mpeg"],
  ["audio/x-wav", "audio/wav"],
  ["audio/wave", "audio/wav"],
  ["audio/x-flac", "audio/flac"],
  ["audio/x-m4a", "audio/mp4"],
])

export const SUPPORTED_TYPES = [...binary.keys(), "application/json", "text/*"].join(", ")

const TEXT = /^text\/[a-z0-9][a-z0-9.+-]{0,60}$/
const UTF_8 = /^(?:utf-?8|us-ascii)$/

/** The canonical type without parameters. Undefined if it is not supported. */
export function mediaTypeOf(contentType: string): string | undefined {
  const [claimed = "", ...parameters] = contentType
    .toLowerCase()
    .split(";")
    .map((piece) => piece.trim())
  const type = otherNames.get(claimed) ?? claimed
  if (binary.has(type)) return type
  const charset = parameters.find((parameter) => parameter.startsWith("charset="))?.slice("charset=".length)
  if (charset !== undefined && !UTF_8.test(charset.replaceAll('"', ""))) return undefined
  return type === "application/json" || TEXT.test(type) ? type : undefined
}

export function kindOf(mediaType: string): MediaKind {
  return binary.get(mediaType)?.kind ?? "text"
}

/** Why the content is not of this type; undefined if it is. */
export function mismatch(mediaType: string, bytes: Uint8Array): string | undefined {
  const media = binary.get(mediaType)
  if (media !== undefined) return media.isOne(bytes) ? undefined : `The content is not valid ${mediaType}.`
  if (bytes.includes(0)) return "The content is not text: it contains a NUL byte."
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes)
    return undefined
  } catch {
    return "The content is not valid UTF-8."
  }
}

/** Eleven sync bits, then a valid layer, bit rate and sample rate. */
function isMpegFrame([a = 0, b = 0, c = 0]: Uint8Array): boolean {
  return a === 0xff && (b & 0xe0) === 0xe0 && (b & 0x06) !== 0 && (c & 0xf0) !== 0xf0 && (c & 0x0c) !== 0x0c
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte)
}

function hasTextAt(bytes: Uint8Array, at: number, word: string): boolean {
  return latin(bytes, at, at + word.length) === word
}

function latin(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to))
}
