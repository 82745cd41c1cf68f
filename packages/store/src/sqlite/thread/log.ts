/** The log as the port has it: reads on this thread, appends packed for the writer thread. */
import type { EventLog } from "@parlor/core"
import { toStream } from "../../stream-row.ts"
import type { Database } from "../connect.ts"
import { RowReads } from "../rows.ts"
import { StreamReads } from "../streams.ts"
import type { Channel } from "./channel.ts"
import { LogWrites } from "./log-writes.ts"
import { packBatch } from "./pack.ts"
import { type RunRead, readPart, writePart } from "./part.ts"
import { unpackAnswers } from "./wire.ts"

export function logPart(db: Database, run: RunRead, channel: Channel): EventLog {
  const streams = new StreamReads(db)
  const reads = { ...readPart(streams, run), ...readPart(new RowReads(db, (id) => streams.get(id)), run) }
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
