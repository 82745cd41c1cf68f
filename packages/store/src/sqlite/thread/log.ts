/** The log as the port has it: reads on this thread, appends packed for the writer thread. */
import type { EventLog, RowQuery, Stream, StreamKey } from "@parlor/core"
import type { StreamId } from "@parlor/protocol"
import { toStream } from "../../stream-row.ts"
import type { Database } from "../connect.ts"
import { EventReads } from "../events.ts"
import { LeaseReads } from "../leases.ts"
import { RowReads } from "../rows.ts"
import { StreamReads } from "../streams.ts"
import type { Channel } from "./channel.ts"
import { LogWrites } from "./log-writes.ts"
import { packBatch } from "./pack.ts"
import { type RunRead, readPart, writePart } from "./part.ts"
import { unpackAnswers } from "./wire.ts"

export function logPart(db: Database, run: RunRead, channel: Channel): EventLog {
  const reads = readPart(new LogReads(db), run)
  const writes = writePart(channel, "log", LogWrites)
  return {
    ...reads,
    ...writes,
    ensure: async (key) => (await reads.find(key)) ?? toStream(await writes.ensure(key)),
    commit: async (batch) => unpackAnswers(await writes.commit(packBatch(batch))),
    remove: async (stream, { feed, audit }) =>
      unpackAnswers(await writes.remove(stream, packBatch(feed === undefined ? [] : [feed]), audit))[0],
    adopt: async (imported, { append, ...adoption }) => {
      const [answer] = unpackAnswers(await writes.adopt(imported, adoption, packBatch([append])))
      return answer ?? { ok: false, why: "gone" }
    },
  }
}

class LogReads {
  readonly #streams: StreamReads
  readonly #rows: RowReads
  readonly #events: EventReads
  readonly #leases: LeaseReads

  constructor(db: Database) {
    this.#streams = new StreamReads(db)
    this.#rows = new RowReads(db, this.#streams)
    this.#events = new EventReads(db)
    this.#leases = new LeaseReads(db)
  }

  find(key: StreamKey): Stream | undefined {
    return this.#streams.find(key)
  }

  streamsOf(person: string, limit: number): Stream[] {
    return this.#streams.ofPerson(person, limit)
  }

  read(stream: StreamId, queries: readonly RowQuery[]) {
    return this.#rows.read(stream, queries)
  }

  events(stream: StreamId, after: number, bounds: Parameters<EventLog["events"]>[2]) {
    return this.#events.page(stream, after, bounds)
  }

  orphans(limit: number): Stream[] {
    return this.#leases.orphans(limit)
  }
}
