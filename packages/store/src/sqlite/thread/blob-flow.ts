/** Blobs between the main thread and the writer: a large one is sent in pieces, with other calls in between. */
import { setImmediate } from "node:timers/promises"
import type { Blobs } from "@parlor/core"
import { Fault } from "@parlor/protocol"
import { PIECE_BYTES, piecesOf } from "../../blob-pieces.ts"
import { type BlobHold, type BlobHolder, BlobReads, BlobWrites } from "../blobs.ts"
import type { Database } from "../connect.ts"
import type { Channel } from "./channel.ts"
import { guarded } from "./faults.ts"
import { type Async, type RunRead, readPart, writePart } from "./part.ts"

export function blobPart(db: Database, run: RunRead, channel: Channel): Blobs {
  const reads = new BlobReads(db)
  const writes = writePart(channel, "blobs", BlobWrites)
  const flow = new BlobFlow(reads, writes)
  return {
    ...readPart(reads, run),
    ...writes,
    keep: (stream, hash, bytes) => flow.keep({ stream }, hash, bytes),
    attach: (person, { hash, ...attachment }, bytes) => flow.keep({ person, attachment }, hash, bytes),
    get: (hash) => flow.get(hash),
  }
}

class BlobFlow {
  readonly #reads: BlobReads
  readonly #writes: Async<BlobWrites>

  constructor(reads: BlobReads, writes: Async<BlobWrites>) {
    this.#reads = reads
    this.#writes = writes
  }

  async keep(holder: BlobHolder, hash: string, content: Uint8Array): Promise<void> {
    const hold = { holder, hash, bytes: content.length }
    if (content.length <= PIECE_BYTES) await this.#writes.hold({ data: new Uint8Array(content), ...hold })
    else if (!(await this.#writes.hold(hold))) await this.#keepPieces(hold, content)
  }

  async get(hash: string): Promise<Uint8Array | undefined> {
    const found = await this.#read(() => this.#reads.find(hash))
    if (found === undefined) return undefined
    const content = new Uint8Array(found.bytes)
    for (let at = 0, n = 0; at < found.bytes; n++) {
      if (n > 0) await setImmediate()
      const piece = await this.#read(() => this.#reads.piece(found.id, n))
      // Deleted while it was being read.
      if (piece === undefined) return undefined
      content.set(piece, at)
      at += piece.length
    }
    return content
  }

  async #keepPieces(hold: BlobHold, content: Uint8Array): Promise<void> {
    const staged = await this.#writes.stage()
    try {
      let n = 0
      for (const data of piecesOf(content)) await this.#writes.addPiece(staged, n++, data)
      await this.#writes.hold({ ...hold, staged })
    } catch (error) {
      // What cannot be dropped now is dropped at the next start.
      await this.#writes.unstage(staged).catch(() => undefined)
      throw error
    }
  }

  #read<T>(work: () => T): Promise<T> {
    if (this.#reads.db.isOpen) return guarded(work)
    return Promise.reject(new Fault("The store is closed.", { code: "server.stopping" }))
  }
}
