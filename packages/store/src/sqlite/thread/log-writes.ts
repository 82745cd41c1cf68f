/** The writing side of the log. Appends come and their answers go as flat cells (`wire.ts`). */
import type { Adoption, AuditEntry, StreamKey } from "@parlor/core"
import type { StreamId } from "@parlor/protocol"
import type { StreamRow } from "../../stream-row.ts"
import type { Appends } from "../append.ts"
import type { ImportWrites } from "../imports.ts"
import type { LeaseWrites } from "../leases.ts"
import type { StreamWrites } from "../streams.ts"
import { type Packed, packAnswers, unpackBatch } from "./wire.ts"

type Sides = {
  readonly appends: Appends
  readonly streams: StreamWrites
  readonly imports: ImportWrites
  readonly leases: LeaseWrites
}

export class LogWrites {
  readonly #sides: Sides

  constructor(sides: Sides) {
    this.#sides = sides
  }

  commit(batch: Packed): Packed {
    return packAnswers(this.#sides.appends.commit(unpackBatch(batch)))
  }

  ensure(key: StreamKey): StreamRow {
    return this.#sides.streams.ensure(key)
  }

  remove(stream: StreamId, feed: Packed, audit: AuditEntry | undefined): Packed {
    return packAnswers(this.#sides.streams.remove(stream, unpackBatch(feed), audit))
  }

  adopt(imported: StreamId, adoption: Omit<Adoption, "append">, packed: Packed): Packed {
    const [append] = unpackBatch(packed)
    return packAnswers(append === undefined ? [] : [this.#sides.imports.adopt({ ...adoption, imported, append })])
  }

  dropImports(): boolean {
    return this.#sides.imports.drop()
  }

  renew(owner: string, streams: readonly StreamId[], ttlMs: number): StreamId[] {
    return this.#sides.leases.renew(owner, streams, ttlMs)
  }

  /** No earlier lease holder is alive when the only process that has the file opens it. */
  voidLeases(): void {
    this.#sides.leases.voidAll()
  }
}
