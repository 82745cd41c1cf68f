/**
 * Contents in an export: each is written once, in pieces, before the first line that names it; an import reads them
 * back.
 */
import { limits, Refusal } from "@parlor/protocol"
import { hashOf } from "../workspace/content.ts"
import type { TransferAccess } from "./import-access.ts"
import type { ContentPiece } from "./line.ts"

/** Bytes of content per line: 128 KiB of base64. */
const PIECE_BYTES = 96 * 1024
/** The longest content possible: an attachment. Files and stored outputs are shorter. */
const CONTENT_BYTES = limits.attachmentBytes

export class ContentsOut {
  readonly #node: TransferAccess
  readonly #sent = new Set<string>()

  constructor(node: TransferAccess) {
    this.#node = node
  }

  /** Whether this was called for it before, under that name. */
  isSent(hash: string, as: string): boolean {
    const name = `${as} ${hash}`
    if (this.#sent.has(name)) return true
    this.#sent.add(name)
    return false
  }

  /** Nothing if it was already written, or was deleted. */
  async *lines(hash: string | null | undefined): AsyncGenerator<string> {
    if (hash === null || hash === undefined || this.#sent.has(hash)) return
    this.#sent.add(hash)
    const content = await this.#node.store.blobs.get(hash)
    if (content === undefined) return
    for (let at = 0; at === 0 || at < content.length; at += PIECE_BYTES) {
      const data = toBase64(content.subarray(at, at + PIECE_BYTES))
      yield JSON.stringify({ content: { hash, bytes: content.length, data } satisfies ContentPiece })
    }
  }
}

/** One content at a time: its pieces are consecutive. */
export class ContentsIn {
  readonly #keep: (hash: string, content: Uint8Array) => Promise<void>
  readonly #brought = new Map<string, number>()
  #open: { readonly hash: string; readonly content: Uint8Array; at: number } | undefined

  constructor(keep: (hash: string, content: Uint8Array) => Promise<void>) {
    this.#keep = keep
  }

  /**
   * Its length; undefined if the import did not contain it. Knowing a hash gives nobody access to its content (SEC-1).
   */
  bytesOf(hash: string): number | undefined {
    return this.#brought.get(hash)
  }

  async take({ hash, bytes, data }: ContentPiece, number: number): Promise<void> {
    const open = this.#open ?? this.#begin(hash, bytes, number)
    const piece = fromBase64(data, number)
    if (open.hash !== hash || open.content.length !== bytes || open.at + piece.length > bytes)
      throw broken(number, "is not the next piece of the content before it")
    if (piece.length === 0 && bytes > 0) throw broken(number, "has no content")
    open.content.set(piece, open.at)
    open.at += piece.length
    if (open.at < bytes) return
    this.#open = undefined
    if ((await hashOf(open.content)) !== hash) throw broken(number, "ends a content that does not match its hash")
    await this.#keep(hash, open.content)
    this.#brought.set(hash, bytes)
  }

  /** Other lines must not come within a content. */
  checkEnded(number: number): void {
    if (this.#open !== undefined) throw broken(number, "comes before the end of a content")
  }

  #begin(hash: string, bytes: number, number: number) {
    if (bytes > CONTENT_BYTES) throw broken(number, `has a content of more than ${CONTENT_BYTES} bytes`)
    if (this.#brought.size >= limits.importContents)
      throw broken(number, `is past the limit of ${limits.importContents} contents`)
    this.#open = { hash, content: new Uint8Array(bytes), at: 0 }
    return this.#open
  }
}

/** Characters per call. */
const CALL_CHARS = 8 * 1024

function toBase64(bytes: Uint8Array): string {
  let binary = ""
  for (let at = 0; at < bytes.length; at += CALL_CHARS)
    binary += String.fromCharCode(...bytes.subarray(at, at + CALL_CHARS))
  return btoa(binary)
}

function fromBase64(text: string, number: number): Uint8Array {
  let binary: string
  try {
    binary = atob(text)
  } catch {
    throw broken(number, "has a content that is not base64")
  }
  const bytes = new Uint8Array(binary.length)
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at)
  return bytes
}

export function broken(number: number, what: string, pointer = ""): Refusal {
  return new Refusal("import.invalid", `Line ${number} ${what}.`, `/${number - 1}${pointer}`)
}
