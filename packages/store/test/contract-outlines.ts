import type { RowChange, RowQuery } from "@parlor/core"
import type { StreamId } from "@parlor/protocol"
import { describe, expect, test } from "vitest"
import { append, audit, change, committed, newConversation } from "./fixtures.ts"
import type { GetStore } from "./get-store.ts"

const LONG = "x".repeat(100_000)
const SHAPES: readonly Omit<RowQuery, "collection">[] = [{}, { key: "a" }, { first: 9 }, { last: 9 }, { newest: 9 }]

export function outlineCases(getStore: GetStore): void {
  const row = (key: string, rest: Partial<RowChange>) => change("queue", key, { key }, { place: key, ord: 1, ...rest })
  const long = (key: string, rest: Partial<RowChange> = {}) =>
    row(key, { value: JSON.stringify({ key, said: LONG }), outline: JSON.stringify({ key }), ...rest })

  async function values(id: StreamId, outlines: boolean) {
    const queries = SHAPES.map((shape) => ({ collection: "queue" as const, ...shape, ...(outlines && { outlines }) }))
    const lists = (await getStore().log.read(id, queries as readonly RowQuery[]))?.lists ?? []
    return lists.map((list) => list.map(({ value }) => value))
  }

  async function expectRead(id: StreamId, expected: { readonly whole: string; readonly outline: string }) {
    expect(await values(id, false)).toEqual(SHAPES.map(() => [expected.whole]))
    expect(await values(id, true)).toEqual(SHAPES.map(() => [expected.outline]))
  }

  describe("outlines", () => {
    test("[QUE-17] a row with an outline is read in full or as its outline, for every query", async () => {
      const store = getStore()
      const { id } = await newConversation(store)
      const { value, outline = "" } = long("a")
      await committed(store, append(id, [long("a")]))
      await expectRead(id, { whole: value, outline })
    })

    test("[QUE-17] an outline belongs to its row: rewriting replaces or removes it, deleting removes it", async () => {
      const store = getStore()
      const { id } = await newConversation(store)
      await committed(store, append(id, [long("a")]))
      const other = { operation: "update", value: JSON.stringify({ other: LONG }), outline: '{"other":1}' } as const
      await committed(store, append(id, [long("a", other)]))
      await expectRead(id, { whole: other.value, outline: other.outline })
      const short = row("a", { operation: "update", value: '{"short":1}' })
      await committed(store, append(id, [short]))
      await expectRead(id, { whole: short.value, outline: short.value })
      await committed(store, append(id, [long("a", { operation: "update", place: "b", ord: 7 })]))
      await expectRead(id, { whole: long("a").value, outline: long("a").outline ?? "" })
      await committed(store, append(id, [long("a", { operation: "delete" })]))
      expect((await values(id, true)).flat()).toEqual([])
      await committed(store, append(id, [row("a", {})]))
      await expectRead(id, { whole: '{"key":"a"}', outline: '{"key":"a"}' })
      await committed(store, append(id, [long("a")]))
      await expectRead(id, { whole: long("a").value, outline: long("a").outline ?? "" })
    })

    test("[QUE-17] a long row without an outline is read in full either way", async () => {
      const store = getStore()
      const { id } = await newConversation(store)
      const value = JSON.stringify({ said: LONG })
      await committed(store, append(id, [row("a", { value })]))
      await expectRead(id, { whole: value, outline: value })
      await committed(store, append(id, [row("a", { operation: "update", value: "{}" })]))
      await expectRead(id, { whole: "{}", outline: "{}" })
    })

    test("[QUE-17] the log has the whole row, and a deleted conversation leaves none of it", async () => {
      const store = getStore()
      const [{ id }, other] = [await newConversation(store), await newConversation(store)]
      await committed(store, append(id, [long("a")]))
      await committed(store, append(other.id, [long("a")]))
      const page = await store.log.events(id, 0, { count: 9, bytes: 1 })
      expect(page?.changes.map(({ value }) => value)).toEqual([long("a").value])
      await store.log.remove(id, { audit })
      expect(await store.log.read(id, [{ collection: "queue", outlines: true }])).toBeUndefined()
      await expectRead(other.id, { whole: long("a").value, outline: long("a").outline ?? "" })
    })
  })
}
