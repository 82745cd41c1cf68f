import type { RowChange, Store } from "@parlor/core"
import { type Collection, changeOf, collections, emptyRows, fold, parseRow, type StreamId } from "@parlor/protocol"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { allEvents, append, change, committed, delta, message, newConversation } from "./fixtures.ts"
import type { GetStore } from "./get-store.ts"

export function rowCases(getStore: GetStore): void {
  describe("rows", () => {
    test("[LOG-5] folding the log gives the rows", async () => {
      const store = getStore()
      const property = fc.asyncProperty(
        fc.array(fc.array(anyAppend, { maxLength: 4 }), { maxLength: 6 }),
        async (batches) => {
          const { id } = await newConversation(store)
          for (const batch of batches) await store.log.commit(batch.map((changes) => append(id, changes)))
          const events = (await allEvents(store, id)).map(changeOf)
          const folded = fold(emptyRows(), events)
          for (const [collection, rows] of await readAll(store, id))
            expect(rows).toEqual(new Map<string, unknown>(folded[collection]))
        },
      )
      await fc.assert(property, { numRuns: 80 })
    }, 60_000)

    test("[LOG-10] the deltas of a message are dropped when it ends, those of others stay", async () => {
      const store = getStore()
      const { id } = await newConversation(store)
      const deltas = async () => (await store.log.read(id, [{ collection: "deltas" }]))?.lists[0]?.map((row) => row.key)
      await committed(store, append(id, [delta("m1", 0), delta("m10", 0), delta("m1", 1)]))
      expect(await deltas()).toEqual(["m1/0/0", "m1/0/1", "m10/0/0"])
      await committed(store, append(id, [delta("m1", 2), message("m1", 1)]))
      expect(await deltas()).toEqual(["m10/0/0"])
      await committed(store, append(id, [message("m10", 2), delta("m10", 1)]))
      expect(await deltas()).toEqual(["m10/0/1"])
      expect((await store.log.read(id, [{ collection: "deltas", key: "m10/0/1" }]))?.lists[0]).toHaveLength(1)
    })

    test("[LOG-9] rows with the same order are sorted by key, in both directions, none skipped or repeated", async () => {
      const store = getStore()
      const { id } = await newConversation(store)
      const rows = ["a", "b", "c", "d", "e"].map((key) => message(key, key === "e" ? 8 : 7))
      await committed(store, append(id, rows))
      const read = await store.log.read(id, [
        { collection: "messages", newest: 3 },
        { collection: "messages", newest: 3, before: 7, beforeKey: "c" },
        { collection: "messages", newest: 3, before: 7 },
        { collection: "messages", oldest: 3 },
        { collection: "messages", oldest: 3, after: 7 },
      ])
      expect(read?.lists.map((list) => list.map((row) => row.key).join(""))).toEqual(["edc", "ba", "", "abc", "e"])
    })

    test("[LOG-9] rows are read by page, newest first", async () => {
      const store = getStore()
      const { id } = await newConversation(store)
      await committed(
        store,
        append(
          id,
          [1, 2, 3, 4, 5].map((ord) => message(`m${ord}`, ord * 10)),
        ),
      )
      const read = await store.log.read(id, [
        { collection: "messages", newest: 2 },
        { collection: "messages", newest: 2, before: 40 },
        { collection: "messages", newest: 9, before: 20 },
        { collection: "messages", before: 30 },
        { collection: "messages", key: "m3" },
        { collection: "messages", key: "absent" },
        { collection: "messages" },
        { collection: "queue", newest: 3 },
      ])
      expect(read?.lists.map((list) => list.map((row) => row.key))).toEqual([
        ["m5", "m4"],
        ["m3", "m2"],
        ["m1"],
        ["m2", "m1"],
        ["m3"],
        [],
        ["m1", "m2", "m3", "m4", "m5"],
        [],
      ])
      expect(read?.lists[4]?.[0]).toEqual({
        collection: "messages",
        key: "m3",
        ord: 30,
        value: '{"id":"m3","ord":30,"state":"done"}',
      })
    })

    test("[LOG-25] a list ends at its byte limit, with at least one row, and says so; the next continues from there", async () => {
      const store = getStore()
      const { id } = await newConversation(store)
      const sized = (key: string, ord: number, bytes: number) => ({
        ...change("messages", key, { text: "ü".repeat(bytes / 2) }),
        ord,
      })
      const queued = (key: string) => ({ ...change("queue", key, { text: "x".repeat(100) }), place: `place ${key}` })
      await committed(
        store,
        append(id, [sized("a", 1, 100), sized("b", 2, 1_000), sized("c", 3, 100), sized("d", 4, 100)]),
      )
      await committed(store, append(id, ["x", "y", "z"].map(queued)))
      const read = await store.log.read(id, [
        { collection: "messages", newest: 9, bytes: 250 },
        { collection: "messages", newest: 2, bytes: 250 },
        { collection: "messages", newest: 9, before: 3, bytes: 250 },
        { collection: "messages", oldest: 9, bytes: 250 },
        { collection: "messages", oldest: 9, after: 1, bytes: 1 },
        { collection: "messages", bytes: 1_300 },
        { collection: "messages", afterKey: "b", bytes: 1_300 },
        { collection: "messages", afterKey: "b" },
        { collection: "queue", first: 9, bytes: 250 },
        { collection: "queue", last: 2, bytes: 250 },
        { collection: "queue", last: 9, bytes: 250 },
        { collection: "turns", newest: 9, bytes: 1 },
        { collection: "messages", key: "b", bytes: 1 },
      ])
      const keys = read?.lists.map((list) => list.map((row) => row.key).join(""))
      expect(keys).toEqual(["dc", "dc", "b", "a", "b", "abc", "cd", "cd", "xy", "zy", "zy", "", "b"])
      expect(read?.cut).toEqual([0, 2, 3, 4, 5, 8, 10])
    })

    test("[LOG-8] a read sees one moment", async () => {
      const store = getStore()
      const { id } = await newConversation(store)
      let writing = true
      const writer = (async () => {
        for (let n = 1; n <= 60; n++)
          await store.log.commit([append(id, [change("status", "status", { n }), change("turns", "turn", { n })])])
        writing = false
      })()
      while (writing) {
        const read = await store.log.read(id, [{ collection: "turns" }, { collection: "status" }])
        const [turn, status] = read?.lists.map((list) => list[0]?.value) ?? []
        expect(turn).toBe(status)
        if (turn !== undefined) expect(read?.stream.head).toBe(2 * (JSON.parse(turn) as { n: number }).n)
        await new Promise((resolve) => setImmediate(resolve))
      }
      await writer
    })

    test("a missing stream has no rows", async () => {
      expect(await getStore().log.read(999_999_999 as StreamId, [{ collection: "messages" }])).toBeUndefined()
    })

    test("[LOG-14] feed rows are written with the conversation's", async () => {
      const store = getStore()
      const stream = await newConversation(store)
      const feed = await store.log.ensure({ kind: "feed", person: stream.key.person })
      expect(feed.key).toEqual({ kind: "feed", person: stream.key.person })
      const one = append(stream.id, [change("status", "status")], {
        feed: {
          stream: feed.id,
          changes: [change("conversations", "helper/main"), change("conversations", "helper/b")],
        },
      })
      expect(await committed(store, one)).toMatchObject({ head: 1, control: 1, feedHead: 2 })
      const read = await store.log.read(feed.id, [{ collection: "conversations" }])
      expect(read?.stream).toMatchObject({ head: 2, control: 1 })
      expect(read?.lists[0]?.map((row) => row.key)).toEqual(["helper/b", "helper/main"])
    })
  })
}

async function readAll(store: Store, id: StreamId): Promise<Map<Collection, Map<string, unknown>>> {
  const names = Object.keys(collections) as Collection[]
  const read = await store.log.read(
    id,
    names.map((collection) => ({ collection })),
  )
  const lists = read?.lists ?? []
  return new Map(
    names.map((name, i) => [
      name,
      new Map((lists[i] ?? []).map((row) => [row.key, parseRow(name, row.value) as unknown])),
    ]),
  )
}

const ids = fc.constantFrom("m1", "m2", "m10")
const anyChange: fc.Arbitrary<RowChange> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ id: ids, n: fc.nat(5), text: fc.string() }).map(({ id, n, text }) => delta(id, n, text)),
  },
  {
    weight: 3,
    arbitrary: fc.record({ id: ids, ends: fc.boolean() }).map(({ id, ends }): RowChange => {
      if (ends) return message(id, 1, { operation: "update" })
      return change("messages", id, { id, ord: 1, state: "streaming" }, { ord: 1 })
    }),
  },
  {
    weight: 3,
    arbitrary: fc
      .record({
        collection: fc.constantFrom<Collection>("queue", "turns", "status"),
        key: fc.constantFrom("a", "b"),
        operation: fc.constantFrom("insert" as const, "update" as const, "delete" as const),
        row: fc.record({ v: fc.nat() }),
      })
      .map(({ collection, key, operation, row }) => change(collection, key, row, { operation })),
  },
  { weight: 1, arbitrary: ids.map((id) => ({ ...delta(id, 0), operation: "delete" as const })) },
)
const anyAppend = fc.array(anyChange, { maxLength: 6 })
