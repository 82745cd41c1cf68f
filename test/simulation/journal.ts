/**
 * What the store has really carried out, in order: the truth that the checks go by.
 *
 * It sits directly above the store. Whatever is between it and a runtime may lie, fail or come late.
 */
import type { Append, Appended, Store, StreamKey } from "@parlor/core"
import { type ChangeEvent, type Collection, parseRow, type StoredChange, type StreamId } from "@parlor/protocol"
import { withMembers } from "../support/with-members.ts"
import type { Process } from "./process.ts"

type Entry = { readonly stored: StoredChange; readonly event: ChangeEvent }

/** One append that was carried out. */
export type Commit = {
  readonly stream: StreamId
  readonly process: Process
  readonly append: Append
  readonly epoch: number
  readonly entries: readonly Entry[]
}

export type JournalParts = {
  readonly committed: (commit: Commit) => void
  readonly known: (stream: StreamId, key: StreamKey) => void
}

/** The store as one process reaches it. */
export function journaled(store: Store, process: Process, parts: JournalParts): Store {
  return withMembers(store, { log: { commit, ensure } })

  async function ensure(key: StreamKey) {
    const stream = await store.log.ensure(key)
    parts.known(stream.id, stream.key)
    return stream
  }

  async function commit(batch: readonly Append[]): Promise<readonly Appended[]> {
    const answers = await store.log.commit(batch)
    for (const [index, append] of batch.entries()) {
      const answer = answers[index]
      if (!answer?.ok || answer.skipped) continue
      const made = { process, append, epoch: answer.epoch }
      if (append.feed !== undefined && append.feed.changes.length > 0) {
        const feed = numbered(append, append.feed.changes, answer.feedHead)
        parts.committed({ ...made, stream: append.feed.stream, entries: feed })
      }
      parts.committed({ ...made, stream: append.stream, entries: numbered(append, append.changes, answer.head) })
    }
    return answers
  }
}

function numbered(append: Append, changes: Append["changes"], head: number): Entry[] {
  const first = head - changes.length + 1
  return changes.map(({ collection, key, operation, value }, index) => {
    const stored = { seq: first + index, collection, key, operation, value, txid: append.txid, at: append.at }
    const headers = { operation, txid: append.txid, timestamp: "", offset: "" }
    return {
      stored,
      event: { type: collection, key, value: parseRow(collection as Collection, value), headers } as ChangeEvent,
    }
  })
}
