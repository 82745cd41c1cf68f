/** Converts the results of servers to what models see: marked, as text, bounded. Pure. */
import type { Json } from "@parlor/core"
import { limits } from "@parlor/protocol"

/** One content block of a result. */
export type Piece = { readonly type: string; readonly [key: string]: unknown }

const MAX_PIECES = 500
/** Longer text is cut before it is stored. */
const MAX_CHARS = 4 * 1024 * 1024

export type CallResult = {
  readonly content?: readonly Piece[] | undefined
  readonly structuredContent?: unknown
  readonly isError?: boolean | undefined
}

/** Throws if the server reported an error: the call has failed, and the model sees why. */
export function callOutput(server: string, result: CallResult): Json {
  const text = piecesText(result.content ?? [])
  if (result.isError === true) throw new Error(`The MCP server ${server} says: ${text || "It failed."}`)
  const { structuredContent: structured } = result
  const images = imagesIn(result.content ?? [])
  if (structured === undefined) return marked(server, { text, ...images })
  const isSame = text === "" || sameJson(text, structured)
  return marked(server, { structured: structured as Json, ...(isSame ? {} : { text }), ...images })
}

/** Pictures are shown to the person; the turn stores them and puts notes in their places (TRN-27). */
function imagesIn(pieces: readonly Piece[]): { readonly images?: Json } {
  const images = pieces
    .filter(({ type }) => type === "image")
    .slice(0, limits.toolPictures)
    .map(({ data, mimeType }) => ({ type: "image", data: stringOf(data), mimeType: stringOf(mimeType) }))
  return images.length === 0 ? {} : { images }
}

export function marked(server: string, what: { readonly [key: string]: Json }): Json {
  return { from: `MCP server ${server}`, untrusted: true, ...what }
}

export function piecesText(pieces: readonly Piece[]): string {
  const said = pieces.slice(0, MAX_PIECES).map(pieceText)
  if (pieces.length > MAX_PIECES) said.push(`[${pieces.length - MAX_PIECES} more content blocks were left out]`)
  return clean(said.join("\n\n"))
}

function pieceText(piece: Piece): string {
  switch (piece.type) {
    case "text":
      return stringOf(piece.text)
    case "image":
      return `[image, ${stringOf(piece.mimeType)}, ${bytesOf(piece.data)} bytes]`
    case "audio":
      return `[${piece.type}, ${stringOf(piece.mimeType)}, ${bytesOf(piece.data)} bytes: not shown]`
    case "resource_link":
      return `[resource ${stringOf(piece.uri)}: ${stringOf(piece.description) || stringOf(piece.name)}]`
    case "resource":
      return resourceText(piece.resource)
    default:
      return `[content of type ${piece.type}: not shown]`
  }
}

/** The text of a resource that was read or embedded in a result. */
export function resourceText(resource: unknown): string {
  const { uri, text, blob, mimeType } = (resource ?? {}) as Readonly<Record<string, unknown>>
  if (typeof text === "string") return clean(`[resource ${stringOf(uri)}]\n${text}`)
  return `[resource ${stringOf(uri)}, ${stringOf(mimeType) || "binary"}, ${bytesOf(blob)} bytes: not shown]`
}

function clean(text: string): string {
  return text.slice(0, MAX_CHARS).toWellFormed().replaceAll("\u0000", "")
}

function stringOf(value: unknown): string {
  return typeof value === "string" ? value : ""
}

function bytesOf(base64: unknown): number {
  return typeof base64 === "string" ? Math.floor((base64.length * 3) / 4) : 0
}

function sameJson(text: string, value: unknown): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(value)
  } catch {
    return false
  }
}
