import type { RowChange, Store } from "@parlor/core"
import { type Collection, changeOf, emptyRows, fold, parseRow, type StreamId } from "@parlor/protocol"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { allEvents, append, change, committed, delta, message, newConversation, newPerson } from "./fixtures.ts"
import type { GetStore } from "./get-store.ts"

const MAX_SLICES = 5_000
const HOUR = 60 * 60_000
/** Older than the store's clock by any amount. */
const NO_GRACE = -HOUR

/** Suites share a database: what others left is trimmed along. */
async function trimAll(store: Store, graceMs = NO_GRACE): Promise<{ events: number; bytes: number }> {
  const sum = { events: 0, bytes: 0 }
  for (let n = 0; n < MAX_SLICES; n++) {
    const { events, bytes, more } = await store.log.trim({ graceMs })
    sum.events += events
    sum.bytes += bytes
    if (!more) return sum
  }
  throw new Error("trimming does not end")
}

export function trimCases(getStore: GetStore): void {
  describe("trimming", () => {
    test("[LOG-36] deltas of a sealed message are dropped, numbers and rows stay, and reading goes on inside", async () => {
      const store = getStore()
      const { id } = await newConversation(store)
      await committed(store, append(id, [change("turns", "t"), streaming("m", 1), ...deltas("m", 5)]))
      await committed(store, append(id, [message("m", 1, { operation: "update" }), change("queue", "q")]))
      const rows = await rowsOf(store, id)
      await trimAll(store)
      expect((await allEvents(store, id)).map(({ seq, collection }) => `${seq} ${collection}`)).toEqual([
        "1 turns",
        "2 messages",
        "8 messages",
        "9 queue",
      ])
      expect(await rowsOf(store, id)).toEqual(rows)
      const inside = await store.log.events(id, 4, { count: 1, bytes: 1 })
      expect(inside).toMatchObject({ head: 9, changes: [{ seq: 8, collection: "messages" }] })
      expect(await committed(store, append(id, [change("queue", "r")]))).toMatchObject({ head: 10 })
    })

    test("[LOG-36] nothing is dropped before the grace period is over", async () => {
      const store = getStore()
      const { id } = await newConversation(store)
      await committed(store, append(id, [streaming("m", 1), ...deltas("m", 5), message("m", 1)]))
      await trimAll(store, HOUR)
      expect(await allEvents(store, id)).toHaveLength(7)
      await trimAll(store)
      expect(await allEvents(store, id)).toHaveLength(2)
    })

    test("[LOG-36] deltas of a message that still streams stay, also of one that is written again", async () => {
      const store = getStore()
      const { id } = await newConversation(store)
      await committed(store, append(id, [streaming("a", 1), ...deltas("a", 3), message("a", 1)]))
      await committed(store, append(id, [streaming("b", 2), ...deltas("b", 2)]))
      const rows = await rowsOf(store, id)
      await trimAll(store)
      expect((await allEvents(store, id)).map(({ seq }) => seq)).toEqual([1, 5, 6, 7, 8])
      expect(await rowsOf(store, id)).toEqual(rows)
      expect(rows.deltas).toHaveLength(2)
      await committed(store, append(id, [message("b", 2), streaming("b", 2), ...deltas("b", 4)]))
      await trimAll(store)
      expect((await rowsOf(store, id)).deltas).toHaveLength(4)
      await committed(store, append(id, [message("b", 2)]))
      await trimAll(store)
      expect((await allEvents(store, id)).map(({ collection }) => collection)).not.toContain("deltas")
    })

    test("[LOG-36] status rows of a turn's start and end are dropped, the current one and all others stay", async () => {
      const store = getStore()
      const { id } = await newConversation(store)
      const turn = (n: number, states: readonly string[]) => [
        change("turns", `t${n}`),
        status("busy"),
        ...states.map(status),
        change("turns", `t${n}`, { done: true }, { operation: "update" }),
        status("idle"),
      ]
      await committed(store, append(id, turn(1, ["retrying", "waiting", "busy"])))
      await trimAll(store)
      // 7 is the current row.
      expect((await allEvents(store, id)).map(({ seq }) => seq)).toEqual([1, 3, 4, 5, 6, 7])
      await committed(store, append(id, turn(2, [])))
      await trimAll(store)
      expect((await allEvents(store, id)).map(({ seq }) => seq)).toEqual([1, 3, 4, 5, 6, 8, 10, 11])
    })

    test("[LOG-36] dropped bytes no longer count toward the quota", async () => {
      const store = getStore()
      const person = newPerson()
      const { id } = await newConversation(store, person)
      await committed(store, append(id, [streaming("m", 1), message("m", 1)]))
      const without = (await store.usage.stored(person)).conversationBytes
      const other = newPerson()
      const { id: same } = await newConversation(store, other)
      await committed(store, append(same, [streaming("m", 1), ...deltas("m", 700), message("m", 1)]))
      expect((await store.usage.stored(other)).conversationBytes).toBeGreaterThan(without + 70_000)
      await trimAll(store)
      expect((await store.usage.stored(other)).conversationBytes).toBe(without)
      await store.log.remove(same, {})
      expect((await store.usage.stored(other)).conversationBytes).toBe(0)
    })

    test("[LOG-37] of each row of a feed only the newest event stays, deletions included", async () => {
      const store = getStore()
      const { id } = await store.log.ensure({ kind: "feed", person: newPerson() })
      const row = (key: string, n: number) =>
        change("conversations", key, { n }, { operation: n === 0 ? "insert" : "update", ord: n })
      for (let n = 0; n < 300; n++) await committed(store, append(id, [row("a", n), row("b", n)]))
      await committed(store, append(id, [change("conversations", "b", {}, { operation: "delete" })]))
      const rows = await rowsOf(store, id)
      await trimAll(store)
      expect((await allEvents(store, id)).map(({ seq, key, operation }) => `${seq} ${key} ${operation}`)).toEqual([
        "599 a update",
        "601 b delete",
      ])
      expect(await rowsOf(store, id)).toEqual(rows)
      // It has to grow before it is read again.
      for (let n = 0; n < 30; n++) await committed(store, append(id, [row("a", n)]))
      await trimAll(store)
      expect(await allEvents(store, id)).toHaveLength(32)
      for (let n = 0; n < 60; n++) await committed(store, append(id, [row("a", n)]))
      await trimAll(store)
      expect(await allEvents(store, id)).toHaveLength(25)
    })

    test("[LOG-37] events that an outgoing webhook has not told yet stay", async () => {
      const store = getStore()
      const person = newPerson()
      const { id } = await store.log.ensure({ kind: "feed", person })
      const at = Date.now()
      for (let n = 0; n < 100; n++)
        await committed(
          store,
          append(id, [change("conversations", "a", { n }, { ord: n, operation: "update" })], { at }),
        )
      const notice = {
        id: `notice of ${person}`,
        kind: "notice",
        person,
        stream: null,
        lookAt: null,
        live: true,
      } as const
      const record = { ...notice, version: 1, createdAt: 1, value: JSON.stringify({ upTo: 90 }) }
      await store.triggers.add(record, { per: "person", most: 9 })
      await trimAll(store)
      expect((await allEvents(store, id)).map(({ seq }) => seq)).toEqual([91, 92, 93, 94, 95, 96, 97, 98, 99, 100])
      await store.triggers.delete(record.id)
    })

    test("[LOG-38] a slice looks at no more than 250 events", async () => {
      const store = getStore()
      await trimAll(store)
      const { id } = await newConversation(store)
      await committed(store, append(id, [streaming("m", 1), ...deltas("m", 1_000), message("m", 1)]))
      const slices: number[] = []
      for (let n = 0; n < 20; n++) slices.push((await store.log.trim({ graceMs: NO_GRACE })).events)
      expect(slices.reduce((sum, events) => sum + events, 0)).toBe(1_000)
      if (slices.filter((events) => events > 0).length > 1) expect(Math.max(...slices)).toBeLessThanOrEqual(250)
    })

    test("[LOG-36] [LOG-38] whenever slices run, folding the log gives the rows", async () => {
      const store = getStore()
      const step = fc.oneof(
        { weight: 4, arbitrary: fc.record({ kind: fc.constant("delta" as const), of: fc.nat(3) }) },
        { weight: 2, arbitrary: fc.record({ kind: fc.constant("seal" as const), of: fc.nat(3) }) },
        { weight: 1, arbitrary: fc.record({ kind: fc.constant("status" as const), of: fc.nat(2) }) },
        { weight: 2, arbitrary: fc.record({ kind: fc.constant("trim" as const), of: fc.nat(1) }) },
      )
      const property = fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { id } = await newConversation(store)
        let n = 0
        for (const { kind, of } of steps) {
          n += 1
          if (kind === "trim") await store.log.trim({ graceMs: NO_GRACE })
          if (kind === "delta") await committed(store, append(id, [streaming(`m${of}`, of), delta(`m${of}`, n)]))
          if (kind === "seal") await committed(store, append(id, [message(`m${of}`, of)]))
          if (kind === "status")
            await committed(store, append(id, [change("turns", "t"), status(["busy", "idle", "waiting"][of] ?? "")]))
        }
        const rows = await rowsOf(store, id)
        const folded = fold(emptyRows(), (await allEvents(store, id)).map(changeOf))
        for (const [collection, list] of Object.entries(rows))
          expect(
            Object.fromEntries(list.map(({ key, value }) => [key, parseRow(collection as Collection, value)])),
            collection,
          ).toEqual(Object.fromEntries(folded[collection as Collection]))
      })
      await fc.assert(property, { numRuns: 40 })
    })
  })
}

function streaming(id: string, ord: number): RowChange {
  return change("messages", id, { id, ord, state: "streaming" }, { ord })
}

function deltas(id: string, count: number): RowChange[] {
  return Array.from({ length: count }, (_, n) => delta(id, n))
}

function status(state: string): RowChange {
  return change("status", "status", { state }, { operation: "update" })
}

async function rowsOf(store: Store, id: StreamId) {
  const names = ["status", "messages", "deltas", "queue", "turns", "conversations"] as const
  const read = await store.log.read(
    id,
    names.map((collection) => ({ collection })),
  )
  const list = (name: (typeof names)[number]) => [...(read?.lists[names.indexOf(name)] ?? [])]
  return Object.fromEntries(names.map((name) => [name, list(name)])) as Record<
    (typeof names)[number],
    ReturnType<typeof list>
  >
}
