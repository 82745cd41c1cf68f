/** The writing side of the log. Appends come and their answers go as flat cells (`wire.ts`). */
import type { Adoption, AuditEntry, StreamKey, Trimmed } from "@parlor/core"
import type { StreamId } from "@parlor/protocol"
import type { StreamRow } from "../../stream-row.ts"
import type { Appends } from "../append.ts"
import type { StreamWrites } from "../streams.ts"
import type { Trims } from "../trim.ts"
import { type Packed, packAnswers, unpackBatch } from "./wire.ts"

export class LogWrites {
  readonly #appends: Appends
  readonly #streams: StreamWrites
  readonly #trims: Trims

  constructor(appends: Appends, streams: StreamWrites, trims: Trims) {
    this.#appends = appends
    this.#streams = streams
    this.#trims = trims
  }

  commit(batch: Packed): Packed {
    return packAnswers(this.#appends.commit(unpackBatch(batch)))
  }

  ensure(key: StreamKey): StreamRow {
    return this.#streams.ensure(key)
  }

  remove(stream: StreamId, feed: Packed, audit: AuditEntry | undefined): Packed {
    return packAnswers(this.#streams.remove(stream, unpackBatch(feed), audit))
  }

  adopt(imported: StreamId, adoption: Omit<Adoption, "append">, packed: Packed): Packed {
    return packAnswers(unpackBatch(packed).map((append) => this.#streams.adopt(imported, adoption, append)))
  }

  freeSlice(): boolean {
    return this.#streams.freeSlice()
  }

  trim(options: { readonly graceMs: number }): Trimmed {
    return this.#trims.trim(options)
  }

  renew(owner: string, streams: readonly StreamId[], ttlMs: number): StreamId[] {
    return this.#streams.renew(owner, streams, ttlMs)
  }

  voidLeases(): void {
    this.#streams.voidLeases()
  }
}
