/** The watchers, and the bell that runs while there are any. Before that, nothing is sent or received. */
import type { Append, Appended } from "@parlor/core"
import type { StreamId } from "@parlor/protocol"
import type { ConnectOptions, Database } from "../connect.ts"
import { Bell } from "./bell.ts"
import { REMOVED } from "./notice.ts"
import { Watcher } from "./watcher.ts"

export class Watch {
  readonly #db: Database
  readonly #bell: Bell
  readonly #pollMs: number
  readonly #watchers = new Map<Watcher, AbortController>()
  readonly #offered = new Set<(streams: readonly StreamId[]) => void>()
  #closed = false

  constructor(db: Database, options: ConnectOptions) {
    this.#db = db
    this.#pollMs = options.pollMs
    this.#bell = new Bell(options, {
      heard: (heads) => this.#each((watcher) => watcher.heard(heads)),
      offered: (streams) => {
        for (const offered of this.#offered) offered(streams)
      },
      missed: () => this.#each((watcher) => watcher.missed()),
    })
  }

  add(
    watched: () => readonly StreamId[],
    changed: (streams: readonly StreamId[]) => void,
    offered?: (streams: readonly StreamId[]) => void,
  ): () => void {
    if (this.#closed) return () => undefined
    if (offered !== undefined) this.#offered.add(offered)
    const watcher = new Watcher(watched, changed)
    const stop = new AbortController()
    this.#watchers.set(watcher, stop)
    this.#bell.start()
    void watcher.poll(this.#db, this.#pollMs, stop.signal)
    return () => {
      stop.abort()
      if (offered !== undefined) this.#offered.delete(offered)
      if (this.#watchers.delete(watcher) && this.#watchers.size === 0) void this.#bell.stop()
    }
  }

  /** A skipped batch is reported too: when it was written, nobody was notified. */
  committed(batch: readonly Append[], answers: readonly Appended[]): void {
    if (this.#watchers.size === 0) return
    for (const [i, answer] of answers.entries()) {
      const append = batch[i]
      if (append === undefined || !answer.ok) continue
      this.#wrote(append.stream, answer.skipped ? 0 : append.changes.length, answer.head)
      const fed = append.feed?.changes.length ?? 0
      if (append.feed && fed > 0) this.#wrote(append.feed.stream, answer.skipped ? 0 : fed, answer.feedHead)
    }
  }

  /** Something else changed that the other nodes read: named by an id that no stream has. */
  notify(id: StreamId, version: number): void {
    this.#bell.ring(id, version)
  }

  offer(stream: StreamId): void {
    this.#bell.offer(stream)
  }

  removed(stream: StreamId): void {
    this.#each((watcher) => watcher.removed(stream))
    this.#bell.ring(stream, REMOVED)
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const stop of this.#watchers.values()) stop.abort()
    this.#watchers.clear()
    await this.#bell.stop()
  }

  #wrote(stream: StreamId, count: number, head: number): void {
    this.#each((watcher) => watcher.wrote(stream, count, head))
    this.#bell.ring(stream, head)
  }

  #each(call: (watcher: Watcher) => void): void {
    for (const watcher of this.#watchers.keys()) call(watcher)
  }
}
