/** Large contents are sent and stored in pieces, so that nothing else waits long for one of them. */
export const PIECE_BYTES = 1024 * 1024

/** Copies, so that a piece sent to another thread does not take a larger buffer with it. */
export function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield new Uint8Array(bytes.subarray(at, at + PIECE_BYTES))
}

/** A position before the newest of a list. */
export const AT_THE_START = { at: Number.MAX_SAFE_INTEGER, hash: "" }

export type AttachmentRow = {
  readonly hash: string
  readonly name: string
  readonly media_type: string
  readonly bytes: number
  readonly at: number
}

export function toAttachment({ hash, name, media_type: mediaType, bytes, at }: AttachmentRow) {
  return { hash, name, mediaType, bytes, at }
}
