/** Imports: adopted when they are complete, deleted slice by slice when abandoned (LOG-28). */
import type { Adoption, Appended, RowChange } from "@parlor/core"
import type { StreamId } from "@parlor/protocol"
import { ONCE_MS } from "../stored-row.ts"
import { UNCLAIMED_MS } from "../stream-row.ts"
import type { Appends } from "./append.ts"
import type { BlobWrites } from "./blobs.ts"
import { type Database, transaction, unhurried } from "./connect.ts"
import type { SearchWrites } from "./search-index.ts"
import type { StreamWrites } from "./streams.ts"
import type { Work } from "./thread/wire.ts"

/** Rows deleted at a time: takes a few milliseconds. */
const SLICE_ROWS = 250
const SLICE_BLOBS = 1

export type Adopting = Omit<Adoption, "append"> & { readonly imported: StreamId; readonly append: Work }

type Parts = {
  readonly appends: Appends
  readonly streams: StreamWrites
  readonly search: SearchWrites
  readonly blobs: BlobWrites
}

export class ImportWrites {
  readonly db: Database
  readonly #parts: Parts
  readonly #find
  readonly #import
  readonly #once
  readonly #moves
  readonly #place
  readonly #abandoned
  readonly #someEvents
  readonly #someRows

  constructor(db: Database, parts: Parts) {
    this.db = db
    this.#parts = parts
    this.#find = db.prepare("SELECT head, control, branch, person FROM streams WHERE id = ? AND kind = 'conversation'")
    this.#import = db.prepare("SELECT 1 FROM streams WHERE id = ? AND kind = 'import'")
    this.#once = db.prepare("SELECT hash, answer, seq FROM once WHERE stream = ? AND key = ? AND at > ?")
    this.#moves = ["triggers", "once"].map((table) => db.prepare(`UPDATE ${table} SET stream = ? WHERE stream = ?`))
    this.#place = db.prepare(
      "UPDATE streams SET kind = 'conversation', branch = ?, owner = NULL, lease_until = 0 WHERE id = ?",
    )
    this.#abandoned = db.prepare(
      `SELECT id FROM streams WHERE kind = 'import' AND lease_until <= ?1
       AND (epoch > 0 OR created_at <= ?1 - ${UNCLAIMED_MS}) ORDER BY id LIMIT 1`,
    )
    this.#someEvents = db.prepare(
      `DELETE FROM events WHERE stream = ?1 AND seq IN (SELECT seq FROM events WHERE stream = ?1 LIMIT ${SLICE_ROWS})`,
    )
    this.#someRows = db.prepare(`SELECT collection, key FROM rows WHERE stream = ? LIMIT ${SLICE_ROWS}`)
  }

  adopt({ imported, over, append, attachments }: Adopting): Appended {
    return transaction(this.db, () => {
      const line = this.#find.get(over.id) as Line | undefined
      if (line === undefined || this.#import.get(imported) === undefined) return { ok: false, why: "gone" }
      const known = append.once && (this.#once.get(over.id, append.once.key, Date.now() - ONCE_MS) as Known | undefined)
      if (known) return { ok: false, why: "repeated", hash: known.hash, answer: known.answer, seq: known.seq }
      if (line.head !== over.head || line.control !== over.control) return { ok: false, why: "moved" }
      const [answer] = this.#parts.appends.within([append])
      if (!answer?.ok) return answer ?? { ok: false, why: "gone" }
      for (const move of this.#moves) move.run(imported, over.id)
      this.#parts.streams.drop(over.id)
      this.#place.run(line.branch, imported)
      for (const { held, ...attachment } of attachments) this.#parts.blobs.hand(imported, line.person, attachment, held)
      return answer
    })
  }

  /** False if there was nothing to delete. */
  drop(): boolean {
    const found = this.#abandoned.get(Date.now()) as { readonly id: number } | undefined
    if (found === undefined) return false
    unhurried(this.db, () => transaction(this.db, () => this.#dropSlice(found.id)))
    return true
  }

  #dropSlice(id: number): void {
    if (this.#parts.search.dropSomeTexts(id, SLICE_ROWS)) return
    if (this.#someEvents.run(id).changes > 0) return
    const rows = this.#someRows.all(id) as RowName[]
    for (const row of rows) this.#parts.appends.rows.delete(id, row)
    if (rows.length > 0) return
    if (!this.#parts.blobs.releaseSome(id, SLICE_BLOBS)) this.#parts.streams.drop(id)
  }
}

type Line = { readonly head: number; readonly control: number; readonly branch: string; readonly person: string }
type RowName = Pick<RowChange, "collection" | "key">
type Known = { readonly hash: string; readonly answer: string; readonly seq: number }
