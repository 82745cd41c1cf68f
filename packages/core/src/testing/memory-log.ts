/** The log's part of the store in memory. */
import type { Append, EventLog } from "../ports/store.ts"
import type { MemoryAccess } from "./memory-parts.ts"
import { withinBytes } from "./memory-rows.ts"

export function memoryLog({ data, read, write, ring }: MemoryAccess): EventLog {
  const ringFor = ({ stream, feed }: Append) => {
    ring(stream)
    if (feed && feed.changes.length > 0) ring(feed.stream)
  }
  return {
    find: (key) => read(() => data.find(key)?.snapshot()),
    ensure: async (key) => data.ensure(key).snapshot(),
    streamsOf: (person, limit) =>
      read(() =>
        data
          .streamsOf(person)
          .slice(0, limit)
          .map((stream) => stream.snapshot()),
      ),
    commit: (batch) =>
      write(batch, () => {
        const answers = data.commit(batch)
        for (const [i, append] of batch.entries()) if (answers[i]?.ok) ringFor(append)
        return answers
      }),
    remove: (stream, { feed, audit }) =>
      write(feed === undefined ? [] : [feed], () => {
        const { found, answer } = data.remove(stream, feed, audit)
        if (found && answer?.ok !== false) ring(stream)
        if (feed !== undefined && answer?.ok) ringFor(feed)
        return answer
      }),
    adopt: (imported, adoption) =>
      write([adoption.append], () => {
        const answer = data.adopt(imported, adoption)
        if (!answer.ok) return answer
        ring(adoption.over.id)
        ringFor(adoption.append)
        return answer
      }),
    freeSlice: async () => data.dropImport(),
    trim: async ({ graceMs }) => data.trim(graceMs),
    read: (stream, queries) =>
      read(() => {
        const found = data.get(stream)
        if (found === undefined) return undefined
        const all = queries.map((query) => found.list(query))
        const lists = all.map((rows, index) => withinBytes(rows, queries[index]?.bytes))
        const cut = lists.flatMap((list, index) => (list.length < (all[index]?.length ?? 0) ? [index] : []))
        return { stream: found.snapshot(), lists, cut }
      }),
    events: (stream, after, bounds) => read(() => data.get(stream)?.page(after, bounds)),
    renew: async (owner, streams, ttlMs) => data.renew(owner, streams, ttlMs),
    orphans: async (limit) => data.orphans(limit).map((stream) => stream.snapshot()),
  }
}
