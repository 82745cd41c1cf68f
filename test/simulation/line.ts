/** A store at the end of a line: it may be slow, fail, or carry something out and lose the answer. */
import type { Append, Appended, RowQuery, Store, StreamKey } from "@parlor/core"
import { Fault, type StreamId } from "@parlor/protocol"
import type { Process } from "./process.ts"
import type { Weather } from "./weather.ts"
import { withMembers } from "./with-members.ts"

const never = new Promise<never>(() => {})

export function overTheLine(store: Store, process: Process, weather: Weather): Store {
  async function commit(batch: readonly Append[]): Promise<readonly Appended[]> {
    await weather.delay()
    if (process.isDead && !weather.arrives()) return never
    const fault = weather.commitFault(process)
    if (fault === "fail") throw new Fault("The store could not be reached.")
    const answers = await store.commit(batch)
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
    commit: (batch) => process.receive(commit(batch)),
    find: (key: StreamKey) => process.receive(read(() => store.find(key))),
    ensure: (key: StreamKey) => process.receive(read(() => store.ensure(key))),
    read: (stream: StreamId, queries: readonly RowQuery[]) => process.receive(read(() => store.read(stream, queries))),
    events: (stream, after, bounds) => process.receive(read(() => store.events(stream, after, bounds))),
    renew: (owner, streams, ttlMs) => process.receive(read(() => store.renew(owner, streams, ttlMs))),
    orphans: (limit) => process.receive(read(() => store.orphans(limit))),
    remove: (stream, options) => process.receive(read(() => store.remove(stream, options))),
    watch: (watched, changed, offered) =>
      store.watch?.(
        watched,
        (streams) => process.deliver(() => changed(streams)),
        (streams) => process.deliver(() => offered?.(streams)),
      ) ?? (() => {}),
  })
}
