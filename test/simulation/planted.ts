/**
 * Known mistakes, planted between the runtimes and the store: the proof that the checks can fail.
 *
 * Each is a wrapper at a seam and leaves the code under test as it is.
 */
import type { Append, Appended, Clock, Store, StoredRow } from "@parlor/core"
import {
  type AskRow,
  type Collection,
  type MessageRow,
  parseRow,
  type QueueRow,
  type StatusRow,
  type TurnRow,
} from "@parlor/protocol"
import type { Random } from "../faults/random.ts"
import { withMembers } from "../support/with-members.ts"
import type { Process } from "./process.ts"
import type { SimClock } from "./sim-clock.ts"

type Place = { readonly process: Process; readonly clock: SimClock; readonly random: Random }

export type PlantedFault = {
  readonly name: string
  /** The checks that have to find it, one of them at least. */
  readonly caughtBy: readonly string[]
  readonly store?: (store: Store, place: Place) => Store
  readonly clock?: (clock: Clock) => Clock
}

export const plantedFaults: readonly PlantedFault[] = [
  { name: "the store ignores the epoch", caughtBy: ["owner"], store: writing(({ epoch: _, ...append }) => append) },
  {
    name: "the store ignores what a decision was made on",
    caughtBy: ["oneTurn", "once", "asks"],
    store: writing(({ expect: _, ...append }) => append),
  },
  { name: "the store forgets keys", caughtBy: ["idempotent"], store: writing(({ once: _, ...append }) => append) },
  {
    name: "a batch that is repeated is written twice",
    caughtBy: ["texts", "oneTurn", "once", "afterEnd"],
    store: writing(({ batch: _, ...append }) => append),
  },
  { name: "a command is acknowledged and dropped", caughtBy: ["acked"], store: acknowledgingAndDropping },
  { name: "events are shown before they are durable", caughtBy: ["seen"], store: answeringEarly },
  {
    name: "the queue goes on after a stop",
    caughtBy: ["hold"],
    store: writing(onRow<StatusRow>("status", (row) => ({ ...row, held: null }))),
  },
  {
    name: "a hold after an error ends at once",
    caughtBy: ["hold", "again"],
    store: reading<StatusRow>("status", (row) =>
      row.held?.until === undefined
        ? row
        : { ...row, held: { ...row.held, until: 0 }, again: row.again && { ...row.again, at: 0 } },
    ),
  },
  {
    name: "a message that is to be tried again is forgotten",
    caughtBy: ["again"],
    store: reading<StatusRow>("status", (row) => ({ ...row, again: null })),
  },
  {
    name: "deltas stay when their message has ended",
    caughtBy: ["rows"],
    store: writing((append) => ({ ...append, changes: append.changes.map(({ dropsDeltasOf: _, ...rest }) => rest) })),
  },
  { name: "a take-over starts beside the living owner", caughtBy: ["owner"], store: takingWithoutFencing },
  {
    name: "the last word of a stopped reply is dropped",
    caughtBy: ["texts"],
    store: writing(onRow<MessageRow>("messages", withoutLastWord)),
  },
  {
    name: "the edit lease is not looked at",
    caughtBy: ["editLease"],
    store: reading<QueueRow>("queue", (row) => ({ ...row, lease: null })),
  },
  {
    name: "a closed ask is taken for open",
    caughtBy: ["asks", "afterEnd"],
    store: reading<AskRow>("asks", (row) => ({ ...row, state: "open" })),
  },
  {
    name: "a tool that had begun is taken for one that had not",
    caughtBy: ["tools"],
    store: reading<MessageRow>("messages", withoutBegun),
  },
  {
    name: "the model is not shown what people said",
    caughtBy: ["requests"],
    store: reading<MessageRow>("messages", (row) => (row.role === "person" ? { ...row, parts: [] } : row)),
  },
  {
    name: "nobody looks for what has no owner",
    caughtBy: ["rest", "once", "answers"],
    store: (store) => withMembers(store, { log: { orphans: async () => [] } }),
  },
  {
    name: "the last to come is the first to go",
    caughtBy: ["order"],
    store: reading<QueueRow>("queue", (row) => ({ ...row, position: `a${9 - (row.queuedAt % 10)}` })),
  },
  { name: "[LOG-27] the newest message is taken for an older one", caughtBy: ["places"], store: readingLowNumbers },
  { name: "send now is two acts", caughtBy: ["sendNow"], store: splittingSendNow },
  {
    name: "waiting for a person looks like work",
    caughtBy: ["status"],
    store: writing(onRow<StatusRow>("status", (row) => (row.state === "waiting" ? { ...row, state: "busy" } : row))),
  },
  { name: "a stopped turn says one more word", caughtBy: ["afterEnd", "texts"], store: sayingMore },
  {
    name: "a steering message is queued like any other",
    caughtBy: ["outcome", "steer"],
    store: writing(onRow<QueueRow>("queue", (row) => (row.mode === "steer" ? { ...row, mode: "queued" } : row))),
  },
  {
    name: "the feed is written only now and then",
    caughtBy: ["feedRow"],
    store: writing(({ feed, ...append }) => (append.at % 5 === 0 || feed === undefined ? append : { ...append, feed })),
  },
  {
    name: "a turn forgets its steps",
    caughtBy: ["usage"],
    store: writing(onRow<TurnRow>("turns", (row) => (row.state === "retrying" ? { ...row, steps: 0 } : row))),
  },
  {
    name: "who is still to answer is forgotten when a turn is taken over",
    caughtBy: ["guests"],
    store: reading<TurnRow>("turns", (row) => ({ ...row, guestsNext: [] })),
  },
  {
    name: "a guest's turn that is taken over is not its last",
    caughtBy: ["guests"],
    store: reading<TurnRow>("turns", (row) => ({ ...row, guestsNext: [row.guest ?? row.agent, ...row.guestsNext] })),
  },
  {
    name: "a guest speaks in the name of the conversation's own agent",
    caughtBy: ["guests"],
    store: writing(onRow<MessageRow>("messages", (row) => ({ ...row, author: "" }))),
  },
  {
    name: "what was tried is tried again at once",
    caughtBy: ["retries"],
    clock: (clock) => ({ now: () => clock.now(), after: (ms, call) => clock.after(ms < 2_000 ? 1 : ms, call) }),
  },
]

function writing(change: (append: Append) => Append): (store: Store) => Store {
  return (store) => withMembers(store, { log: { commit: (batch) => store.log.commit(batch.map(change)) } })
}

function onRow<T>(collection: string, change: (row: T) => T): (append: Append) => Append {
  return (append) => ({
    ...append,
    changes: append.changes.map((one) =>
      one.collection === collection
        ? { ...one, value: JSON.stringify(change(parseRow(one.collection as Collection, one.value) as T)) }
        : one,
    ),
  })
}

function reading<T>(collection: string, change: (row: T) => T): (store: Store) => Store {
  const changed = (row: StoredRow): StoredRow =>
    row.collection === collection && row.key !== "count"
      ? { ...row, value: JSON.stringify(change(parseRow(row.collection as Collection, row.value) as T)) }
      : row
  return (store) =>
    withMembers(store, {
      log: {
        read: async (stream, queries) => {
          const read = await store.log.read(stream, queries)
          return read && { ...read, lists: read.lists.map((list) => list.map(changed)) }
        },
      },
    })
}

function readingLowNumbers(store: Store): Store {
  const lower = (row: StoredRow): StoredRow =>
    row.collection === "messages" && row.ord !== null ? { ...row, ord: row.ord - 1 } : row
  return withMembers(store, {
    log: {
      read: async (stream, queries) => {
        const read = await store.log.read(stream, queries)
        return read && { ...read, lists: read.lists.map((list) => list.map(lower)) }
      },
    },
  })
}

function acknowledgingAndDropping(store: Store, { random }: Place): Store {
  return withMembers(store, {
    log: {
      commit: async (batch) => {
        const answers: Appended[] = []
        for (const append of batch) {
          const isCommand = append.epoch === undefined && append.lease === undefined && append.changes.length > 0
          if (isCommand && random.chance(0.05)) answers.push(await claimed(store, append))
          else answers.push(...(await store.log.commit([append])))
        }
        return answers
      },
    },
  })
}

/** The answer a commit would have had. */
async function claimed(store: Store, append: Append): Promise<Appended> {
  const found = (await store.log.read(append.stream, []))?.stream
  if (found === undefined || (append.expect !== undefined && append.expect !== found.control))
    return { ok: false, why: "moved" }
  const head = found.head + append.changes.length
  return { ok: true, head, control: found.control + 1, epoch: found.epoch, feedHead: 1, skipped: false }
}

function answeringEarly(store: Store, { clock, process }: Place): Store {
  return withMembers(store, {
    log: {
      commit: async (batch) => {
        const [append] = batch
        const isText = batch.length === 1 && append?.changes.some((change) => change.collection === "deltas")
        if (append === undefined || !isText || append.feed !== undefined) return store.log.commit(batch)
        const answer = await claimed(store, append)
        clock.after(1, () => !process.isDead && void store.log.commit(batch))
        return [answer]
      },
    },
  })
}

function takingWithoutFencing(store: Store): Store {
  return writing((append) => {
    if (append.lease?.kind !== "claim" || append.changes.length > 0) return append
    const { lease: _, ...rest } = append
    return rest
  })(store)
}

function withoutLastWord(row: MessageRow): MessageRow {
  if (row.state !== "truncated") return row
  return {
    ...row,
    parts: row.parts.map((part) => (part.type === "text" ? { ...part, text: part.text.slice(0, -3) } : part)),
  }
}

function withoutBegun(row: MessageRow): MessageRow {
  return {
    ...row,
    parts: row.parts.map((part) =>
      part.type === "tool" && part.state === "started" ? { ...part, state: "waiting" } : part,
    ),
  }
}

function splittingSendNow(store: Store): Store {
  return withMembers(store, {
    log: {
      commit: async (batch) => {
        const answers: Appended[] = []
        for (const append of batch) {
          const [end, start] = split(append)
          const ended = end && (await store.log.commit([end]))[0]
          if (ended?.ok === false) answers.push(ended)
          else answers.push(...(await store.log.commit([start])))
        }
        return answers
      },
    },
  })
}

/** What ends a turn apart from what starts the next one, where one append does both. */
function split(append: Append): readonly [end: Append | undefined, start: Append] {
  const end = append.changes.findIndex(({ collection, value }) => collection === "turns" && value.includes("stopped"))
  const start = append.changes.findIndex(
    ({ collection, operation }) => collection === "turns" && operation === "insert",
  )
  if (end < 0 || start < end) return [undefined, append]
  const { expect, ...rest } = append
  const { batch: _, feed: __, ...first } = append
  return [
    { ...first, ...(expect === undefined ? {} : { expect }), changes: append.changes.slice(0, end + 1) },
    { ...rest, changes: append.changes.slice(end + 1) },
  ]
}

function sayingMore(store: Store, { clock }: Place): Store {
  return withMembers(store, {
    log: {
      commit: async (batch) => {
        const answers = await store.log.commit(batch)
        for (const append of batch) {
          const cut = append.changes.find((one) => one.collection === "messages" && one.value.includes('"truncated"'))
          if (cut === undefined) continue
          const row = { message: cut.key, part: 0, kind: "text", n: 0, text: "And" }
          const key = `${cut.key}/0/0`
          const more = {
            collection: "deltas",
            key,
            operation: "insert",
            value: JSON.stringify(row),
            ord: null,
          } as const
          const { stream, txid, at } = append
          clock.after(20, () => void store.log.commit([{ stream, txid, at, changes: [more] }]))
        }
        return answers
      },
    },
  })
}
