import type { RowChange } from "@parlor/core"
import type { StreamId } from "@parlor/protocol"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { append, change, committed, delta, newConversation } from "./fixtures.ts"
import type { GetStore } from "./get-store.ts"

export function placeCases(getStore: GetStore): void {
  const placed = (key: string, place: string, rest: Partial<RowChange> = {}) =>
    change("queue", key, { key }, { place, ...rest })

  async function ends(id: StreamId, many: number) {
    const read = await getStore().log.read(id, [
      { collection: "queue", first: many },
      { collection: "queue", last: many },
      { collection: "queue", count: true },
    ])
    const [first, last, count] = read?.lists ?? []
    return { first: first?.map((row) => row.key), last: last?.map((row) => row.key), count: count?.[0]?.value }
  }

  describe("places", () => {
    test("[QUE-3] rows are read from either end of the order by place, those of one place by key", async () => {
      const store = getStore()
      const { id } = await newConversation(store)
      const rows = [placed("d", "a2"), placed("c", "a1"), placed("b", "a1"), placed("a", "Zz"), change("queue", "none")]
      await committed(store, append(id, rows))
      expect(await ends(id, 2)).toEqual({ first: ["a", "b"], last: ["d", "c"], count: "5" })
      expect(await ends(id, 9)).toEqual({ first: ["a", "b", "c", "d"], last: ["d", "c", "b", "a"], count: "5" })
      expect(await ends(id, 0)).toEqual({ first: [], last: [], count: "5" })
    })

    test("[QUE-3] a row that is written again moves to its new place, or out of the order", async () => {
      const store = getStore()
      const { id } = await newConversation(store)
      await committed(store, append(id, [placed("a", "a1"), placed("b", "a2"), placed("c", "a3")]))
      await committed(store, append(id, [placed("a", "a2V", { operation: "update" })]))
      expect(await ends(id, 9)).toMatchObject({ first: ["b", "a", "c"] })
      await committed(store, append(id, [change("queue", "b", {}, { operation: "update" })]))
      expect(await ends(id, 9)).toEqual({ first: ["a", "c"], last: ["c", "a"], count: "3" })
      await committed(store, append(id, [placed("c", "", { operation: "delete" })]))
      expect(await ends(id, 9)).toEqual({ first: ["a"], last: ["a"], count: "2" })
    })

    test("[QUE-3] a place is independent of an order and a dropped message", async () => {
      const store = getStore()
      const { id } = await newConversation(store)
      const both = { collection: "messages", operation: "insert", value: "{}" } as const
      await committed(
        store,
        append(id, [
          delta("m", 0),
          { ...both, key: "m", ord: 2, place: "x", dropsDeltasOf: "m" },
          { ...both, key: "n", ord: 1, place: "y" },
        ]),
      )
      const read = await store.log.read(id, [
        { collection: "messages", first: 1 },
        { collection: "messages", oldest: 1 },
        { collection: "deltas" },
      ])
      expect(read?.lists.map((list) => list.map((row) => row.key))).toEqual([["m"], ["n"], []])
    })

    test("[QUE-3] places are compared byte by byte", async () => {
      const store = getStore()
      const anyPlace = fc.oneof(
        fc.constantFrom("", "a", "A", "Z", "a0", "a0V", "aa", "é", "e\u0301", "\uff5e", "😀", " ", "0", "_"),
        fc.string({ unit: "grapheme", minLength: 1, maxLength: 3 }),
      )
      const property = fc.asyncProperty(fc.array(anyPlace, { maxLength: 12 }), async (places) => {
        const { id } = await newConversation(store)
        const kept = places.filter((place) => !place.includes("\u0000"))
        const rows = kept.map((place, i) => placed(String(i).padStart(3, "0"), place))
        await committed(store, append(id, rows))
        const order = rows.toSorted((a, b) => byBytes(a.place ?? "", b.place ?? "") || byBytes(a.key, b.key))
        const keys = order.map((row) => row.key)
        expect(await ends(id, 100)).toEqual({ first: keys, last: keys.toReversed(), count: String(rows.length) })
      })
      await fc.assert(property, { numRuns: 40 })
    })

    test("rows of a collection are counted, in one row", async () => {
      const store = getStore()
      const { id } = await newConversation(store)
      await committed(store, append(id, [change("turns", "a"), change("turns", "b"), delta("m", 0), delta("m", 1)]))
      const read = await store.log.read(id, [
        { collection: "turns", count: true },
        { collection: "queue", count: true },
        { collection: "deltas", count: true },
        { collection: "deltas", first: 1 },
      ])
      expect(read?.lists).toEqual([
        [{ collection: "turns", key: "count", ord: null, value: "2" }],
        [{ collection: "queue", key: "count", ord: null, value: "0" }],
        [{ collection: "deltas", key: "count", ord: null, value: "2" }],
        [],
      ])
    })
  })
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
