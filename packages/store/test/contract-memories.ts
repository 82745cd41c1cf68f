import type { Memory } from "@parlor/core"
import { describe, expect, test } from "vitest"
import { newPerson } from "./fixtures.ts"
import type { GetStore } from "./get-store.ts"

const MOST = 100

export function memoryCases(getStore: GetStore): void {
  describe("memories", () => {
    test("[MEM-1] an entry is read as written; writing it again keeps its creation time", async () => {
      const store = getStore()
      const person = newPerson()
      const first = memory("tabs", { body: 'a\n\u0001"é😀', writtenIn: { agent: "helper", branch: "main" } })
      expect(await store.memories.put(person, first, MOST)).toBe(true)
      expect(await store.memories.get(person, "user", "tabs")).toEqual(first)
      const second = memory("tabs", {
        description: "other",
        type: "feedback",
        pinned: true,
        createdAt: 7,
        updatedAt: 9,
      })
      expect(await store.memories.put(person, second, MOST)).toBe(true)
      expect(await store.memories.all(person)).toEqual([{ ...second, createdAt: first.createdAt }])
      expect(await store.memories.get(person, "user", "other")).toBeUndefined()
      expect(await store.memories.get(person, "project", "tabs")).toBeUndefined()
    })

    test("[MEM-3] the index has no bodies; pinned entries are read separately", async () => {
      const store = getStore()
      const person = newPerson()
      const entries = [memory("b", { pinned: true }), memory("c"), memory("a"), memory("Z"), memory("é"), memory("😀")]
      for (const entry of entries) await store.memories.put(person, entry, MOST)
      const index = await store.memories.index(person)
      expect(index.filter((line) => line.scope === "user").map((line) => line.name)).toEqual([
        "Z",
        "a",
        "b",
        "c",
        "é",
        "😀",
      ])
      for (const line of index) expect(line).not.toHaveProperty("body")
      expect((await store.memories.all(person, { pinned: true })).filter((one) => one.scope === "user")).toEqual([
        memory("b", { pinned: true }),
      ])
    })

    test("[MEM-3] the index reflects the last write, for everyone it concerns", async () => {
      const store = getStore()
      const [ann, bob] = [newPerson(), newPerson()]
      const name = `plan-${ann}`
      const index = async (person: string) =>
        (await store.memories.index(person)).filter((line) => line.name === name).map((line) => line.description)
      expect(await index(ann)).toEqual([])
      expect(await index(bob)).toEqual([])
      await store.memories.put(ann, memory(name, { scope: "project", description: "first" }), MOST)
      expect([await index(ann), await index(bob)]).toEqual([["first"], ["first"]])
      const writing = store.memories.put(ann, memory(name, { scope: "project", description: "second" }), MOST)
      await index(bob)
      await writing
      expect([await index(ann), await index(bob)]).toEqual([["second"], ["second"]])
      await store.memories.delete(bob, "project", name)
      expect([await index(ann), await index(bob)]).toEqual([[], []])
    })

    test("[MEM-5] user scope is private, project scope is shared; one name may be in both", async () => {
      const store = getStore()
      const [ann, bob] = [newPerson(), newPerson()]
      const name = `plan-${ann}`
      await store.memories.put(ann, memory(name, { body: "mine" }), MOST)
      await store.memories.put(ann, memory(name, { scope: "project", body: "ours" }), MOST)
      const named = async (person: string) => (await store.memories.all(person)).filter((entry) => entry.name === name)
      expect((await named(ann)).map(({ scope, body }) => [scope, body])).toEqual([
        ["user", "mine"],
        ["project", "ours"],
      ])
      expect((await named(bob)).map(({ scope, body }) => [scope, body])).toEqual([["project", "ours"]])
      expect(await store.memories.get(bob, "user", name)).toBeUndefined()
      expect(await store.memories.delete(bob, "user", name)).toBe(false)
      await store.memories.put(bob, memory(name, { scope: "project", body: "changed" }), MOST)
      expect((await named(ann)).map(({ body }) => body)).toEqual(["mine", "changed"])
      expect(await store.memories.delete(bob, "project", name)).toBe(true)
      expect(await store.memories.delete(bob, "project", name)).toBe(false)
      expect((await named(ann)).map(({ body }) => body)).toEqual(["mine"])
    })

    test("[MEM-8] a new entry beyond the limit is rejected, an existing one is not; scopes are counted separately", async () => {
      const store = getStore()
      const person = newPerson()
      expect(await store.memories.put(person, memory("a"), 2)).toBe(true)
      expect(await store.memories.put(person, memory("b"), 2)).toBe(true)
      expect(await store.memories.put(person, memory("c"), 2)).toBe(false)
      expect(await store.memories.put(person, memory("b", { body: "new" }), 2)).toBe(true)
      expect(
        (await store.memories.all(person)).filter(({ scope }) => scope === "user").map(({ body }) => body),
      ).toEqual(["body of a", "new"])
      expect(await store.memories.put(person, memory(`p-${person}`, { scope: "project" }), 1_000)).toBe(true)
      await store.memories.delete(person, "user", "a")
      expect(await store.memories.put(person, memory("c"), 2)).toBe(true)
    })

    test("[MEM-8] of many written at once, exactly the limit is accepted", async () => {
      const store = getStore()
      const person = newPerson()
      const names = Array.from({ length: 12 }, (_, i) => `n${i}`)
      const written = await Promise.all(names.map((name) => store.memories.put(person, memory(name), 5)))
      expect(written.filter(Boolean)).toHaveLength(5)
      expect((await store.memories.index(person)).filter(({ scope }) => scope === "user")).toHaveLength(5)
    })
  })
}

export function memory(name: string, rest: Partial<Memory> = {}): Memory {
  return {
    scope: "user",
    name,
    description: `about ${name}`,
    type: "user",
    pinned: false,
    writtenBy: "person",
    writtenIn: null,
    createdAt: 1,
    updatedAt: 2,
    body: `body of ${name}`,
    ...rest,
  }
}
