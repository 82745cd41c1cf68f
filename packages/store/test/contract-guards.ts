import type { StreamId } from "@parlor/protocol"
import { describe, expect, test } from "vitest"
import { allEvents, append, change, commitOne, committed, delta, newConversation } from "./fixtures.ts"
import type { GetStore } from "./get-store.ts"

export function guardCases(getStore: GetStore): void {
  describe("guards", () => {
    test("of two decisions made on the same state, exactly one is written", async () => {
      const store = getStore()
      const { id } = await newConversation(store)
      for (let control = 0; control < 10; control++) {
        const racers = ["a", "b", "c", "d"].map((key) =>
          commitOne(store, append(id, [change("queue", key)], { expect: control })),
        )
        const answers = await Promise.all(racers)
        expect(answers.filter((answer) => answer.ok)).toHaveLength(1)
        expect(answers.filter((answer) => !answer.ok && answer.why === "moved")).toHaveLength(3)
      }
      expect(await allEvents(store, id)).toHaveLength(10)
    })

    test("control increments once per append, and not for text", async () => {
      const store = getStore()
      const { id } = await newConversation(store)
      const controls = [
        await committed(store, append(id, [change("queue", "a"), change("turns", "b")])),
        await committed(store, append(id, [delta("m", 0)])),
        await committed(store, append(id, [change("messages", "m"), change("slashCommands", "c")])),
        await committed(store, append(id, [change("queue", "a", {}, { operation: "delete" })], { expect: 1 })),
      ].map((answer) => answer.control)
      expect(controls).toEqual([1, 1, 1, 2])
    })

    test("a rejected append writes nothing and affects no other of its batch", async () => {
      const store = getStore()
      const { id } = await newConversation(store)
      const answers = await store.log.commit([
        append(id, [change("queue", "a")]),
        append(id, [change("queue", "b")], { expect: 0, once: { key: "k", hash: "h", answer: "a" }, active: true }),
        append(999_999_999 as StreamId, [change("queue", "c")]),
        append(id, [change("queue", "d")], { expect: 1 }),
      ])
      expect(answers.map((answer) => (answer.ok ? answer.head : answer.why))).toEqual([1, "moved", "gone", 2])
      expect((await allEvents(store, id)).map((event) => event.key)).toEqual(["a", "d"])
      expect(await committed(store, append(id, [], { once: { key: "k", hash: "h", answer: "a" } }))).toMatchObject({
        head: 2,
      })
      expect((await store.log.orphans(10_000)).map((stream) => stream.id)).not.toContain(id)
    })

    test("an append whose feed was deleted is rejected as a whole", async () => {
      const store = getStore()
      const { id } = await newConversation(store)
      const one = append(id, [delta("m", 0)], { feed: { stream: 999_999_999 as StreamId, changes: [] } })
      expect(await commitOne(store, one)).toEqual({ ok: false, why: "gone" })
      expect(await allEvents(store, id)).toEqual([])
    })

    test("[QUE-11] a request with a used key gets the first answer, and nothing is written", async () => {
      const store = getStore()
      const { id } = await newConversation(store)
      const once = { key: "key-1", hash: "hash-1", answer: '{"text":"\\u0000é"}' }
      await committed(store, append(id, [change("queue", "a"), change("queue", "b")], { once }))
      const again = append(id, [change("queue", "c")], {
        once: { ...once, hash: "hash-2", answer: "other" },
        expect: 0,
      })
      const repeated = { ok: false, why: "repeated", hash: "hash-1", answer: once.answer, seq: 2 }
      expect(await commitOne(store, again)).toEqual(repeated)
      expect(await allEvents(store, id)).toHaveLength(2)
      const other = await newConversation(store)
      await committed(store, append(other.id, [], { once }))
    })

    test("[QUE-11] the same key twice in one batch is written once", async () => {
      const store = getStore()
      const { id } = await newConversation(store)
      const once = { key: "k", hash: "h", answer: "a" }
      const one = append(id, [change("queue", "a")], { once })
      const answers = await store.log.commit([one, one])
      expect(answers.map((answer) => answer.ok)).toEqual([true, false])
      expect(await allEvents(store, id)).toHaveLength(1)
    })

    test("a batch that is already in the store is skipped", async () => {
      const store = getStore()
      const { id } = await newConversation(store)
      const { epoch } = await committed(store, append(id, [], { lease: { kind: "claim", owner: "n", ttlMs: 60_000 } }))
      const first = append(id, [change("turns", "t")], { epoch, batch: 1, expect: 0 })
      expect(await committed(store, first)).toMatchObject({ head: 1, skipped: false })
      expect(await committed(store, first)).toMatchObject({ head: 1, skipped: true })
      expect(await committed(store, append(id, [delta("m", 0)], { epoch, batch: 2 }))).toMatchObject({ head: 2 })
      // Written and then repeated, it meets a control counter that it incremented itself.
      expect(await committed(store, first)).toEqual({
        ok: true,
        head: 2,
        control: 1,
        epoch,
        feedHead: 0,
        skipped: true,
      })
      expect(await committed(store, append(id, [delta("m", 1)], { epoch, batch: 3 }))).toMatchObject({ head: 3 })
      expect(await allEvents(store, id)).toHaveLength(3)
    })
  })
}
