import { type ChangeEvent, encodeChanges, type StreamId } from "@parlor/protocol"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { allEvents, append, change, committed, delta, message, newConversation, newPerson } from "./fixtures.ts"
import type { GetStore } from "./get-store.ts"

export function logCases(getStore: GetStore): void {
  describe("log", () => {
    test("[LOG-1] numbers are gapless in commit order", async () => {
      const store = getStore()
      const [a, b] = [await newConversation(store), await newConversation(store)]
      const commits = Array.from({ length: 20 }, (_, i) =>
        store.log.commit([
          append(a.id, [delta("m", i), change("turns", `t${i}`)]),
          append(b.id, [delta("m", i)]),
          append(a.id, [delta("n", i)]),
        ]),
      )
      const answers = (await Promise.all(commits)).flat()
      expect(answers.every((answer) => answer.ok)).toBe(true)
      expect((await allEvents(store, a.id)).map((event) => event.seq)).toEqual(numbers(60))
      expect((await allEvents(store, b.id)).map((event) => event.seq)).toEqual(numbers(20))
      expect(await store.log.find(a.key)).toMatchObject({ head: 60, control: 20 })
    })

    test("[LOG-1] an answer has the number of its last event", async () => {
      const store = getStore()
      const { id } = await newConversation(store)
      const first = await committed(store, append(id, [delta("m", 0), delta("m", 1)]))
      const second = await committed(store, append(id, [delta("m", 2)]))
      expect([first.head, second.head]).toEqual([2, 3])
    })

    test("[LOG-2] an event is read back completely", async () => {
      const store = getStore()
      const { id } = await newConversation(store)
      await committed(store, append(id, [change("turns", "t1", { a: null }, { operation: "update" })]))
      expect(await allEvents(store, id)).toEqual([
        {
          seq: 1,
          collection: "turns",
          key: "t1",
          operation: "update",
          value: '{"a":null}',
          txid: "tx",
          at: 1_700_000_000_000,
        },
      ])
    })

    test("[LOG-6] pages are limited by count and bytes, and have at least one event", async () => {
      const store = getStore()
      const { id } = await newConversation(store)
      const row = { text: "é".repeat(50) }
      const bytes = Buffer.byteLength(JSON.stringify(row))
      await committed(
        store,
        append(
          id,
          [1, 2, 3, 4, 5].map((n) => change("changes", `c${n}`, row)),
        ),
      )
      const seqs = async (after: number, count: number, size: number) => {
        const page = await store.log.events(id, after, { count, bytes: size })
        expect(page?.head).toBe(5)
        return page?.changes.map((event) => event.seq)
      }
      expect(await seqs(0, 2, 1e6)).toEqual([1, 2])
      expect(await seqs(2, 9, 1e6)).toEqual([3, 4, 5])
      expect(await seqs(0, 9, bytes * 3)).toEqual([1, 2, 3])
      expect(await seqs(0, 9, bytes * 3 - 1)).toEqual([1, 2])
      expect(await seqs(4, 9, 1)).toEqual([5])
      expect(await seqs(5, 9, 1e6)).toEqual([])
    })

    test("a missing stream has no events", async () => {
      expect(await getStore().log.events(999_999_999 as StreamId, 0, { count: 1, bytes: 1 })).toBeUndefined()
    })

    test("[SEC-5] text comes back identical", async () => {
      const store = getStore()
      const anyText = fc.oneof(
        fc.string({ unit: "binary" }),
        fc.string({ unit: "grapheme" }),
        fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
      )
      const property = fc.asyncProperty(fc.array(anyText, { minLength: 1, maxLength: 8 }), async (texts) => {
        const { id } = await newConversation(store)
        const changes = texts.map((text, i) => change("changes", `k${i}`, { text, [text]: 1 }))
        await committed(store, append(id, changes))
        const values = changes.map((each) => each.value)
        expect((await allEvents(store, id)).map((event) => event.value)).toEqual(values)
        const read = await store.log.read(id, [{ collection: "changes" }])
        expect(read?.lists[0]?.map((row) => row.value)).toEqual(values)
      })
      await fc.assert(property, {
        numRuns: 60,
        examples: [[["\u0000", "\ud800", "\udc00\ud800", "👩‍👩‍👧‍👦", "\\u0000", "\u2028"]]],
      })
    })

    test("[ADR-5] names are compared exactly", async () => {
      const store = getStore()
      const person = newPerson()
      const names = ["Ä", "A\u0308", "a", "A", "ä", "a ", "ß", "ss", "𝒜", "名"]
      const ids = new Set<number>()
      for (const branch of names) ids.add((await store.log.ensure(key(person, branch))).id)
      expect(ids.size).toBe(names.length)
      for (const branch of names) expect((await store.log.find(key(person, branch)))?.key).toEqual(key(person, branch))
    })

    test("an encoded event parses to what was written", async () => {
      const store = getStore()
      const { id } = await newConversation(store)
      await committed(store, append(id, [message("m1", 1)]))
      const [event] = await allEvents(store, id)
      const parsed = JSON.parse(event ? encodeChanges([event]) : "null") as ChangeEvent
      expect(parsed).toMatchObject({
        type: "messages",
        key: "m1",
        headers: { offset: expect.stringMatching(/^0{15}1_/) },
      })
    })
  })
}

function key(person: string, branch: string) {
  return { kind: "conversation", agent: "helper", person, branch } as const
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i + 1)
}
