/** Blobs between the main thread and the writer: a large one is sent in pieces, with other calls in between. */
import { setImmediate } from "node:timers/promises"
import { Fault } from "@parlor/protocol"
import { PIECE_BYTES, piecesOf } from "../../blob-pieces.ts"
import { type BlobHold, type BlobHolder, BlobReads } from "../blobs.ts"
import type { Database } from "../connect.ts"
import { guarded } from "../faults.ts"
import type { Channel } from "./channel.ts"

export class BlobFlow {
  readonly reads: BlobReads
  readonly #channel: Channel

  constructor(channel: Channel, db: Database) {
    this.#channel = channel
    this.reads = new BlobReads(db)
  }

  async keep(holder: BlobHolder, hash: string, content: Uint8Array): Promise<void> {
    const hold = { holder, hash, bytes: content.length }
    if (content.length <= PIECE_BYTES) await this.#hold({ ...hold, data: new Uint8Array(content) })
    else if (!(await this.#hold(hold))) await this.#keepPieces(hold, content)
  }

  async read(hash: string): Promise<Uint8Array | undefined> {
    const found = await this.#read(() => this.reads.find(hash))
    if (found === undefined) return undefined
    const content = new Uint8Array(found.bytes)
    for (let at = 0, n = 0; at < found.bytes; n++) {
      if (n > 0) await setImmediate()
      const piece = await this.#read(() => this.reads.piece(found.id, n))
      // Deleted while it was being read.
      if (piece === undefined) return undefined
      content.set(piece, at)
      at += piece.length
    }
    return content
  }

  async #keepPieces(hold: BlobHold, content: Uint8Array): Promise<void> {
    const staged = await this.#channel.call<number>("stageBlob", undefined)
    try {
      let n = 0
      for (const data of piecesOf(content)) await this.#channel.call("addPiece", { staged, n: n++, data })
      await this.#hold({ ...hold, staged })
    } catch (error) {
      // What cannot be dropped now is dropped at the next start.
      await this.#channel.call("unstageBlob", staged).catch(() => undefined)
      throw error
    }
  }

  #hold(hold: BlobHold): Promise<boolean> {
    return this.#channel.call<boolean>("holdBlob", hold)
  }

  #read<T>(work: () => T): Promise<T> {
    if (this.reads.db.isOpen) return guarded(work)
    return Promise.reject(new Fault("The store is closed.", { code: "server.stopping" }))
  }
}
