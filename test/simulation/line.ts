/** A store at the end of a line: it may be slow, fail, or carry something out and lose the answer. */
import type { Append, Appended, RowQuery, Store, StreamKey } from "@parlor/core"
import { Fault, type StreamId } from "@parlor/protocol"
import { withMembers } from "../support/with-members.ts"
import type { Process } from "./process.ts"
import type { Weather } from "./weather.ts"

const never = new Promise<never>(() => {})

export function overTheLine(store: Store, process: Process, weather: Weather): Store {
  async function commit(batch: readonly Append[]): Promise<readonly Appended[]> {
    await weather.delay()
    if (process.isDead && !weather.arrives()) return never
    const fault = weather.commitFault(process)
    if (fault === "fail") throw new Fault("The store could not be reached.")
    const answers = await store.log.commit(batch)
    await weather.delay()
    if (fault === "fail-after") throw new Fault("The store did not answer in time.")
    return answers
  }

  async function read<T>(work: () => Promise<T>): Promise<T> {
    weather.checkRead(process)
    const answer = await work()
    await weather.delay()
    return answer
  }

  return withMembers(store, {
    log: {
      commit: (batch) => process.receive(commit(batch)),
      find: (key: StreamKey) => process.receive(read(() => store.log.find(key))),
      ensure: (key: StreamKey) => process.receive(read(() => store.log.ensure(key))),
      read: (stream: StreamId, queries: readonly RowQuery[]) =>
        process.receive(read(() => store.log.read(stream, queries))),
      events: (stream, after, bounds) => process.receive(read(() => store.log.events(stream, after, bounds))),
      renew: (owner, streams, ttlMs) => process.receive(read(() => store.log.renew(owner, streams, ttlMs))),
      orphans: (limit) => process.receive(read(() => store.log.orphans(limit))),
      remove: (stream, options) => process.receive(read(() => store.log.remove(stream, options))),
    },
    watch: (watched, changed, offered) =>
      store.watch?.(
        watched,
        (streams) => process.deliver(() => changed(streams)),
        (streams) => process.deliver(() => offered?.(streams)),
      ) ?? (() => {}),
  })
}
