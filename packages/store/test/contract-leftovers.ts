import type { Store } from "@parlor/core"
import { describe, expect, test } from "vitest"
import {
  allEvents,
  append,
  audit,
  commitOne,
  committed,
  delta,
  freeAll,
  message,
  newConversation,
  newPerson,
} from "./fixtures.ts"
import type { GetStore } from "./get-store.ts"

const NOW = 1_700_000_000_000
const MAX_SLICES = 1_000

export function leftoverCases(getStore: GetStore): void {
  describe("deleting a long conversation", () => {
    test("[LOG-24] nothing finds it once it is removed, and slices free what it had", async () => {
      const store = getStore()
      const person = newPerson()
      const { id, key } = await longConversation(store, person)
      const kept = await newConversation(store, newPerson())
      await committed(store, append(kept.id, [message("m", 1, { text: "walrus" })]))
      expect(await store.log.remove(id, { audit })).toBeUndefined()
      expect(await store.log.find(key)).toBeUndefined()
      expect(await store.log.read(id, [])).toBeUndefined()
      expect(await store.log.events(id, 0, { count: 1, bytes: 1 })).toBeUndefined()
      expect(await commitOne(store, append(id, [message("late", 9_999)]))).toEqual({ ok: false, why: "gone" })
      expect(await store.search.find(person, "walrus", { limit: 10, now: NOW })).toEqual([])
      expect(await store.usage.stored(person)).toMatchObject({ conversations: 0, conversationBytes: 0 })
      expect(await store.log.streamsOf(person, 10)).toEqual([])
      // Its address is free at once, and what comes there is not freed with it.
      const next = await newConversation(store, person)
      await committed(store, append(next.id, [message("m", 1, { text: "heron" })]))
      const again = await store.log.remove(id, { audit })
      expect(again).toBeUndefined()
      await freeAll(store)
      expect(await store.usage.stored(person)).toMatchObject({ conversations: 1, fileBytes: 0 })
      expect(await store.blobs.get(`one of ${person}`)).toBeUndefined()
      expect(await allEvents(store, next.id)).toHaveLength(1)
      expect(await store.search.find(person, "heron", { limit: 10, now: NOW })).toHaveLength(1)
      expect(await allEvents(store, kept.id)).toHaveLength(1)
    })

    test("[SEC-25] a person is deleted only when everything of theirs is freed", async () => {
      const store = getStore()
      const person = newPerson()
      const { id } = await longConversation(store, person)
      expect(await store.deletions.begin(person, audit)).toBe("begun")
      await store.log.remove(id, {})
      for (let n = 0; !(await store.deletions.slice(person)); n++) {
        expect(n).toBeLessThan(MAX_SLICES)
        await store.log.freeSlice()
      }
      expect(await store.log.freeSlice()).toBe(false)
      expect(await store.usage.stored(person)).toMatchObject({ conversations: 0, conversationBytes: 0, fileBytes: 0 })
      await store.deletions.end(-1)
    })
  })
}

async function longConversation(store: Store, person: string) {
  const stream = await newConversation(store, person)
  for (let n = 0; n < 6; n++) {
    const once = { key: `k${n}`, hash: "h", answer: "{}" }
    const messages = Array.from({ length: 50 }, (_, i) =>
      message(`m${n}-${i}`, n * 50 + i + 1, { text: `walrus ${i}` }),
    )
    await committed(store, append(stream.id, [...messages, delta("open", n)], { once }))
  }
  for (const name of ["one", "two", "three"])
    await store.blobs.keep(stream.id, `${name} of ${person}`, new Uint8Array(1_000))
  return stream
}
