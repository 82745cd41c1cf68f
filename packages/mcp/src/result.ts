/** What servers answer, as a model is shown it: marked, in words, bounded. Pure. */
import type { Json } from "@parlor/core"

/** One piece of an answer, of whatever kind. */
export type Piece = { readonly type: string; readonly [key: string]: unknown }

const MAX_PIECES = 500
/** More than this is not even kept to read on in. */
const MAX_CHARS = 4 * 1024 * 1024

export type CallResult = {
  readonly content?: readonly Piece[] | undefined
  readonly structuredContent?: unknown
  readonly isError?: boolean | undefined
}

/** Throws what the server called an error: that is a failed call, and the model sees it. */
export function callOutput(server: string, result: CallResult): Json {
  const text = piecesText(result.content ?? [])
  if (result.isError === true) throw new Error(`The MCP server ${server} says: ${text || "It failed."}`)
  const { structuredContent: structured } = result
  if (structured === undefined) return marked(server, { text })
  const isSame = text === "" || sameJson(text, structured)
  return marked(server, { structured: structured as Json, ...(isSame ? {} : { text }) })
}

export function marked(server: string, what: { readonly [key: string]: Json }): Json {
  return { from: `MCP server ${server}`, untrusted: true, ...what }
}

export function piecesText(pieces: readonly Piece[]): string {
  const said = pieces.slice(0, MAX_PIECES).map(pieceText)
  if (pieces.length > MAX_PIECES) said.push(`[${pieces.length - MAX_PIECES} more pieces are left out]`)
  return clean(said.join("\n\n"))
}

function pieceText(piece: Piece): string {
  switch (piece.type) {
    case "text":
      return stringOf(piece.text)
    case "image":
    case "audio":
      return `[${piece.type}, ${stringOf(piece.mimeType)}, ${bytesOf(piece.data)} bytes: not shown]`
    case "resource_link":
      return `[resource ${stringOf(piece.uri)}: ${stringOf(piece.description) || stringOf(piece.name)}]`
    case "resource":
      return resourceText(piece.resource)
    default:
      return `[something of the kind ${piece.type}: not shown]`
  }
}

/** Of a resource that was read, or that came with an answer. */
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
