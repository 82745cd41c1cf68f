/** Contents by hash, and their text. */
import type { StreamId } from "@parlor/protocol"
import type { Ports } from "../ports/ports.ts"

/** A reference to a stored content, as in rows of files and changes. */
export type Version = { readonly hash: string; readonly bytes: number }

/** SHA-256 in hex. Computed off the main thread. */
export async function hashOf(content: Uint8Array): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", content as Uint8Array<ArrayBuffer>))
  let hex = ""
  for (const byte of digest) hex += byte.toString(16).padStart(2, "0")
  return hex
}

/** Stored before any row names it, so that no row refers to missing content. */
export async function keepContent(node: Ports, stream: StreamId, content: Uint8Array): Promise<Version> {
  const hash = await hashOf(content)
  await node.store.blobs.keep(stream, hash, content)
  return { hash, bytes: content.length }
}

/** The content as text; undefined if it is binary: not UTF-8, or with a NUL in it. */
export function decodeText(content: Uint8Array): string | undefined {
  if (content.includes(0)) return undefined
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content)
  } catch {
    return undefined
  }
}
