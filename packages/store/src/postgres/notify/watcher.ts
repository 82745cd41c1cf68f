/**
 * One caller of `watch`: what it watches, and what it was told.
 *
 * Notifications may be lost, so the heads of the watched streams are polled and compared with the last ones this caller
 * was told or wrote itself. A stream seen for the first time counts as changed: what happened between the caller's own
 * read and this first poll is unknown.
 */
import type { StreamId } from "@parlor/protocol"
import type { Database, Statement } from "../connect.ts"
import { type Heads, REMOVED } from "./notice.ts"
import { rest } from "./rest.ts"

/** Heads read now may include our own writes whose answers are still on their way. */
const OWN_ANSWERS_MS = 50

const HEADS: Statement = { name: "heads", text: "SELECT id, head FROM streams WHERE id = ANY($1)" }

type HeadRow = { readonly id: StreamId; readonly head: number }

export class Watcher {
  readonly #watched: () => readonly StreamId[]
  readonly #changed: (streams: readonly StreamId[]) => void
  #seen = new Map<StreamId, number>()

  constructor(watched: () => readonly StreamId[], changed: (streams: readonly StreamId[]) => void) {
    this.#watched = watched
    this.#changed = changed
  }

  /** Another node notified us. */
  heard(heads: Heads): void {
    for (const [stream, head] of heads) {
      const seen = this.#seen.get(stream)
      if (seen !== undefined && head > seen) this.#seen.set(stream, head)
    }
    this.#tell([...heads.keys()])
  }

  missed(): void {
    this.#tell(this.#watched())
  }

  /**
   * We wrote this many events ourselves, the last one `head`. If they do not directly follow what was seen, another
   * node wrote in between: nothing is recorded, and the next poll finds it.
   */
  wrote(stream: StreamId, count: number, head: number): void {
    if (this.#seen.get(stream) === head - count) this.#seen.set(stream, head)
  }

  removed(stream: StreamId): void {
    if (this.#seen.has(stream)) this.#seen.set(stream, REMOVED)
  }

  async poll(db: Database, everyMs: number, stop: AbortSignal): Promise<void> {
    for (await rest(everyMs, stop); !stop.aborted; await rest(everyMs, stop)) {
      const streams = this.#watched()
      const heads = await readHeads(db, streams)
      // The store is down: the next poll finds what changed.
      if (heads === undefined) continue
      await rest(OWN_ANSWERS_MS, stop)
      if (!stop.aborted) this.#compare(streams, heads)
    }
  }

  #compare(streams: readonly StreamId[], heads: Heads): void {
    const moved: StreamId[] = []
    const seen = new Map<StreamId, number>()
    for (const stream of streams) {
      const head = heads.get(stream) ?? REMOVED
      const before = this.#seen.get(stream)
      if (before === undefined || head > before) moved.push(stream)
      seen.set(stream, Math.max(head, before ?? 0))
    }
    this.#seen = seen
    this.#tell(moved)
  }

  #tell(streams: readonly StreamId[]): void {
    if (streams.length > 0) this.#changed(streams)
  }
}

async function readHeads(db: Database, streams: readonly StreamId[]): Promise<Heads | undefined> {
  if (streams.length === 0) return new Map()
  try {
    const rows = await db.read<HeadRow>(HEADS, [streams])
    return new Map(rows.map(({ id, head }) => [id, head]))
  } catch {
    return undefined
  }
}
