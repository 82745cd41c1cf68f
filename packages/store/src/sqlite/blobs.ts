/**
 * Contents by hash, in pieces, with their holders.
 *
 * A small one is one write. A large one is staged: its pieces are written one by one under a number without a hash,
 * with other commits in between; the last write gives it its hash and its first holder. What a crash leaves staged is
 * dropped at the next start.
 */
import type { Attachment, AttachmentPlace } from "@parlor/core"
import type { StreamId } from "@parlor/protocol"
import { AT_THE_START, type AttachmentRow, toAttachment } from "../blob-pieces.ts"
import { type Database, transaction, unhurried } from "./connect.ts"

export type BlobHolder =
  | { readonly stream: StreamId }
  | { readonly person: string; readonly attachment: Omit<Attachment, "hash" | "bytes"> }

/** `data`: a small content. `staged`: the number of a large one. Neither: hold it if it exists. */
export type BlobHold = {
  readonly holder: BlobHolder
  readonly hash: string
  readonly bytes: number
  readonly data?: Uint8Array
  readonly staged?: number
}

export class BlobReads {
  readonly db: Database
  readonly #find
  readonly #piece
  readonly #attachment
  readonly #attached
  readonly #page

  constructor(db: Database) {
    this.db = db
    this.#find = db.prepare("SELECT id, bytes FROM blobs WHERE hash = ?")
    this.#piece = db.prepare("SELECT data FROM blob_pieces WHERE blob = ? AND n = ?")
    this.#attachment = db.prepare(
      "SELECT hash, name, media_type, bytes, at FROM attachments WHERE person = ? AND hash = ?",
    )
    this.#attached = db.prepare("SELECT coalesce(sum(bytes), 0) AS sum FROM attachments WHERE person = ?")
    this.#page = db.prepare(
      `SELECT hash, name, media_type, bytes, at FROM attachments WHERE person = ? AND (at, hash) < (?, ?)
       ORDER BY at DESC, hash DESC LIMIT ?`,
    )
  }

  find(hash: string): { readonly id: number; readonly bytes: number } | undefined {
    return this.#find.get(hash) as { readonly id: number; readonly bytes: number } | undefined
  }

  piece(id: number, n: number): Uint8Array | undefined {
    return (this.#piece.get(id, n) as { readonly data: Uint8Array } | undefined)?.data
  }

  attachment(person: string, hash: string): Attachment | undefined {
    const row = this.#attachment.get(person, hash) as AttachmentRow | undefined
    return row && toAttachment(row)
  }

  attachedBytes(person: string): number {
    return (this.#attached.get(person) as { readonly sum: number }).sum
  }

  attachments(
    person: string,
    { limit, after = AT_THE_START }: { readonly limit: number; readonly after?: AttachmentPlace },
  ): Attachment[] {
    return (this.#page.all(person, after.at, after.hash, limit) as AttachmentRow[]).map(toAttachment)
  }
}

export class BlobWrites {
  readonly db: Database
  readonly #find
  readonly #add
  readonly #addPiece
  readonly #name
  readonly #stream
  readonly #hold
  readonly #attach
  readonly #held
  readonly #someHeld
  readonly #unhold
  readonly #heldLess
  readonly #heldNoMore
  readonly #release
  readonly #attached
  readonly #unattach
  readonly #detach
  readonly #unheld
  readonly #drop
  readonly #dropPieces
  readonly #stages
  readonly #isStaged

  constructor(db: Database) {
    this.db = db
    this.#find = db.prepare("SELECT id FROM blobs WHERE hash = ?")
    this.#add = db.prepare("INSERT INTO blobs (hash, bytes) VALUES (?, ?)")
    this.#addPiece = db.prepare("INSERT INTO blob_pieces VALUES (?, ?, ?)")
    this.#name = db.prepare("UPDATE blobs SET hash = ?, bytes = ? WHERE id = ? AND hash IS NULL")
    this.#stream = db.prepare("SELECT 1 FROM streams WHERE id = ?")
    this.#hold = db.prepare("INSERT INTO blob_holds VALUES (?, ?) ON CONFLICT DO NOTHING")
    this.#attach = db.prepare("INSERT INTO attachments VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING")
    this.#held = db.prepare("SELECT hash FROM blob_holds WHERE stream = ?")
    this.#someHeld = db.prepare("SELECT hash FROM blob_holds WHERE stream = ? LIMIT ?")
    this.#unhold = db.prepare("DELETE FROM blob_holds WHERE stream = ? AND hash = ?")
    this.#heldLess = db.prepare("UPDATE contents_held SET holds = holds - 1 WHERE person = ? AND hash = ?")
    this.#heldNoMore = db.prepare("DELETE FROM contents_held WHERE person = ? AND hash = ? AND holds = 0")
    this.#release = db.prepare("DELETE FROM blob_holds WHERE stream = ?")
    this.#attached = db.prepare("SELECT hash FROM attachments WHERE person = ?")
    this.#unattach = db.prepare("DELETE FROM attachments WHERE person = ?")
    this.#detach = db.prepare("DELETE FROM attachments WHERE person = ? AND hash = ?")
    this.#unheld = db.prepare(
      `SELECT id FROM blobs WHERE hash = ?1 AND NOT EXISTS (SELECT 1 FROM blob_holds WHERE hash = ?1)
       AND NOT EXISTS (SELECT 1 FROM attachments WHERE hash = ?1)`,
    )
    this.#drop = db.prepare("DELETE FROM blobs WHERE id = ?")
    this.#dropPieces = db.prepare("DELETE FROM blob_pieces WHERE blob = ?")
    this.#stages = db.prepare("SELECT id FROM blobs WHERE hash IS NULL")
    this.#isStaged = db.prepare("SELECT 1 FROM blobs WHERE id = ? AND hash IS NULL")
  }

  /** False if the content itself is needed. A conversation's hold has no effect before one of its rows refers to it. */
  hold(hold: BlobHold): boolean {
    const write = () => this.#write(hold)
    return "stream" in hold.holder ? unhurried(this.db, write) : write()
  }

  #write({ holder, hash, bytes, data, staged }: BlobHold): boolean {
    return transaction(this.db, () => {
      const isGone = "stream" in holder && this.#stream.get(holder.stream) === undefined
      const isKnown = this.#find.get(hash) !== undefined
      if (!isGone && !isKnown && data === undefined && staged === undefined) return false
      if (staged !== undefined && (isGone || isKnown)) this.#dropBlob(staged)
      if (isGone) return true
      if (!isKnown && staged !== undefined) this.#name.run(hash, bytes, staged)
      else if (!isKnown) this.#addWhole(hash, data)
      if ("stream" in holder) this.#hold.run(holder.stream, hash)
      else {
        const { name, mediaType, at } = holder.attachment
        this.#attach.run(holder.person, hash, name, mediaType, bytes, at)
      }
      return true
    })
  }

  /** A place for pieces that nobody sees yet. */
  stage(): number {
    return Number(this.#add.run(null, 0).lastInsertRowid)
  }

  addPiece(staged: number, n: number, data: Uint8Array): void {
    this.#addPiece.run(staged, n, data)
  }

  /** If its hold was carried out although the answer was lost, it stays. */
  unstage(staged: number): void {
    transaction(this.db, () => {
      if (this.#isStaged.get(staged) !== undefined) this.#dropBlob(staged)
    })
  }

  /** Only this process writes, so nothing staged when it starts will ever be finished. */
  dropStaged(): void {
    for (const { id } of this.#stages.all() as { readonly id: number }[]) this.unstage(id)
  }

  /** Within the removal of the stream: deletes contents without holders. */
  release(stream: number): void {
    const held = this.#held.all(stream) as { readonly hash: string }[]
    this.#release.run(stream)
    this.#dropUnheld(held)
  }

  /**
   * At most `most` of those that a removed stream of this person held. Without its row, triggers cannot count for the
   * person. False if it holds no more.
   */
  releaseLeft(stream: number, person: string, most: number): boolean {
    const some = this.#someHeld.all(stream, most) as { readonly hash: string }[]
    for (const { hash } of some) {
      this.#unhold.run(stream, hash)
      this.#heldLess.run(person, hash)
      this.#heldNoMore.run(person, hash)
    }
    this.#dropUnheld(some)
    return some.length > 0
  }

  /**
   * Content of a stream becomes an attachment of the person, within a transaction. `held`: the stream holds it as well.
   */
  hand(stream: number, person: string, attachment: Attachment, held: boolean): void {
    const { hash, name, mediaType, bytes, at } = attachment
    this.#attach.run(person, hash, name, mediaType, bytes, at)
    if (!held) this.#unhold.run(stream, hash)
  }

  detach(person: string, hash: string): boolean {
    return transaction(this.db, () => {
      if (this.#detach.run(person, hash).changes === 0) return false
      this.#dropUnheld([{ hash }])
      return true
    })
  }

  /** All attachments of that person, within a transaction. */
  dropAttachments(person: string): void {
    const attached = this.#attached.all(person) as { readonly hash: string }[]
    this.#unattach.run(person)
    this.#dropUnheld(attached)
  }

  /** An empty content has no pieces. */
  #addWhole(hash: string, data: Uint8Array = new Uint8Array()): void {
    const { lastInsertRowid } = this.#add.run(hash, data.length)
    if (data.length > 0) this.#addPiece.run(lastInsertRowid, 0, data)
  }

  #dropUnheld(released: readonly { readonly hash: string }[]): void {
    for (const { hash } of released) {
      const unheld = this.#unheld.get(hash) as { readonly id: number } | undefined
      if (unheld !== undefined) this.#dropBlob(unheld.id)
    }
  }

  #dropBlob(id: number): void {
    this.#dropPieces.run(id)
    this.#drop.run(id)
  }
}
