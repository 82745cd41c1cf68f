import type { RowChange, SearchHit, Store } from "@parlor/core"
import { describe, expect, test } from "vitest"
import { memory } from "./contract-memories.ts"
import { append, audit, change, committed, message, newConversation, newPerson } from "./fixtures.ts"
import type { GetStore } from "./get-store.ts"

const NOW = 1_700_000_000_000
const DAY = 24 * 60 * 60 * 1_000
const YEAR = 365 * DAY

export function searchCases(getStore: GetStore): void {
  describe("search", () => {
    test("[CPT-7] messages, archives and memories are found by their words, with their origin", async () => {
      const store = getStore()
      const stream = await newConversation(store)
      const { person } = stream.key
      const archive = change("archives", "a1", {}, { ord: 3, text: "Deployment\nWe chose blue green", at: NOW - 5 })
      await committed(store, append(stream.id, [said("m1", 7, "We deploy on Fridays."), archive], { at: NOW }))
      await store.memories.put(person, memory("deploy-day", { body: "Deploy only with a green build" }), 10)
      expect(await find(store, person, "fridays")).toEqual([
        {
          kind: "message",
          stream: stream.id,
          address: { agent: "helper", person, branch: "main" },
          key: "m1",
          ord: 7,
          at: NOW,
          score: expect.any(Number),
        },
      ])
      expect(await find(store, person, "blue")).toMatchObject([{ kind: "archive", key: "a1", ord: 3, at: NOW - 5 }])
      expect(await find(store, person, "day")).toMatchObject([
        { kind: "memory", scope: "user", name: "deploy-day", at: 2 },
      ])
      expect(kinds(await find(store, person, "green"))).toEqual(["archive", "memory"])
    })

    test("[CPT-7] all words first, any of them if nothing has all; the last one may be a prefix", async () => {
      const store = getStore()
      const stream = await newConversation(store)
      const { person } = stream.key
      const texts = ["red apple pie", "green apple", "red cherry", "plum"]
      await committed(
        store,
        append(
          stream.id,
          texts.map((text, i) => said(`m${i}`, i, text)),
        ),
      )
      expect(keys(await find(store, person, "apple red"))).toEqual(["m0"])
      expect(keys(await find(store, person, "plum cherry green")).sort()).toEqual(["m1", "m2", "m3"])
      expect(keys(await find(store, person, "che"))).toEqual(["m2"])
      expect(keys(await find(store, person, "app red")).sort()).toEqual(["m0", "m2"])
      expect(keys(await find(store, person, "ch"))).toEqual([])
      expect(await find(store, person, "nothing")).toEqual([])
    })

    test("[CPT-7] rarer words, more of them, shorter texts and newer ones rank higher", async () => {
      const store = getStore()
      const stream = await newConversation(store)
      const { person } = stream.key
      const first = async (words: string) => keys(await find(store, person, words))[0]
      const common = Array.from({ length: 20 }, (_, i) => said(`c${i}`, i, `usual thing number${i}`))
      await committed(store, append(stream.id, [...common, said("rare", 50, "xylophone")]))
      expect(await first("usual xylophone")).toBe("rare")
      const filler = "and so on with very many other words that say nothing at all ".repeat(20)
      await committed(
        store,
        append(stream.id, [
          said("twice", 60, "kettle kettle"),
          said("once", 61, "kettle word"),
          said("long", 62, `kettle ${filler}`),
          said("teapots", 63, "teapots here"),
          said("teapot", 64, "teapot here"),
        ]),
      )
      expect(keys(await find(store, person, "kettle"))).toEqual(["twice", "once", "long"])
      expect(keys(await find(store, person, "teapot"))).toEqual(["teapot", "teapots"])
      const at = (id: string, ago: number, text: string) => said(id, 70, text, { at: NOW - ago })
      await committed(
        store,
        append(stream.id, [
          at("today", 0, "lantern post"),
          at("old", YEAR, "lantern post"),
          at("best", YEAR, "lantern lantern"),
        ]),
      )
      const hits = await find(store, person, "lantern")
      expect(keys(hits)).toEqual(["best", "today", "old"])
      const [, today, old] = hits.map((hit) => hit.score)
      expect((today ?? 0) / (old ?? 1)).toBeGreaterThan(1.1)
      expect((today ?? 0) / (old ?? 1)).toBeLessThan(1.16)
    })

    test("[CPT-7] a changed row is found by its new words only, a deleted one by none", async () => {
      const store = getStore()
      const stream = await newConversation(store)
      const { person } = stream.key
      await committed(store, append(stream.id, [said("m", 1, "alpha"), said("n", 2, "beta")]))
      await committed(store, append(stream.id, [said("m", 5, "gamma", { operation: "update" })]))
      expect(keys(await find(store, person, "alpha"))).toEqual([])
      expect(await find(store, person, "gamma")).toMatchObject([{ key: "m", ord: 5 }])
      // Without new text a row stays as indexed.
      await committed(store, append(stream.id, [message("m", 5, { operation: "update" })]))
      expect(keys(await find(store, person, "gamma"))).toEqual(["m"])
      await committed(store, append(stream.id, [said("m", 5, "delta"), said("m", 6, null), said("n", 7, "beta")]))
      expect(keys(await find(store, person, "gamma delta"))).toEqual([])
      expect(await find(store, person, "beta")).toMatchObject([{ key: "n", ord: 7 }])
      await committed(store, append(stream.id, [message("n", 2, { operation: "delete" })]))
      expect(keys(await find(store, person, "beta"))).toEqual([])
    })

    test("[CPT-7] rejected appends are not found", async () => {
      const store = getStore()
      const stream = await newConversation(store)
      const { person } = stream.key
      await committed(store, append(stream.id, [], { lease: { kind: "claim", owner: "n", ttlMs: 60_000 } }))
      const owned = { epoch: 1, batch: 1 }
      const answers = await store.log.commit([
        append(stream.id, [said("m", 1, "kept")], owned),
        append(stream.id, [said("m", 1, "moved")], { expect: 9 }),
        append(stream.id, [said("n", 2, "fenced")], { epoch: 9 }),
        append(stream.id, [said("m", 1, "skipped")], owned),
      ])
      expect(answers.map((answer) => answer.ok)).toEqual([true, false, false, true])
      expect(keys(await find(store, person, "kept moved fenced skipped"))).toEqual(["m"])
      expect(keys(await find(store, person, "skipped"))).toEqual([])
    })

    test("[MEM-5] project memories are found by everyone, a person's own by nobody else", async () => {
      const store = getStore()
      const [ann, bob] = [newPerson(), newPerson()]
      const word = `zebra${ann.replaceAll("-", "x")}`
      await store.memories.put(ann, memory("mine", { body: word }), 10)
      await store.memories.put(ann, memory(`ours-${ann}`, { scope: "project", body: word }), 1_000)
      expect((await find(store, ann, word)).map((hit) => hit.kind === "memory" && hit.scope).sort()).toEqual([
        "project",
        "user",
      ])
      expect(await find(store, bob, word)).toMatchObject([{ kind: "memory", scope: "project", name: `ours-${ann}` }])
      await store.memories.put(ann, memory("mine", { body: "another" }), 10)
      await store.memories.delete(bob, "project", `ours-${ann}`)
      expect(await find(store, ann, word)).toEqual([])
      expect(await find(store, bob, "another")).toEqual([])
    })

    test("[CPT-8] with an agent, only its conversations", async () => {
      const store = getStore()
      const person = newPerson()
      const [a, b] = await Promise.all(
        ["agent-a", "agent-a-b"].map((agent) =>
          store.log.ensure({ kind: "conversation", agent, person, branch: "main" }),
        ),
      )
      for (const stream of [a, b]) if (stream) await committed(store, append(stream.id, [said("m", 1, "common")]))
      await store.memories.put(person, memory("common"), 10)
      expect((await find(store, person, "common")).length).toBe(3)
      const hits = await store.search.find(person, "common", { limit: 9, now: NOW, agent: "agent-a" })
      expect(hits).toMatchObject([{ kind: "message", stream: a?.id }])
      expect(await store.search.find(person, "common", { limit: 9, now: NOW, agent: "agent" })).toEqual([])
    })

    test("[SEC-11] a removed conversation leaves nothing to be found, old and new", async () => {
      const store = getStore()
      const [gone, stays] = [await newConversation(store), await newConversation(store)]
      const { person } = gone.key
      const other = await store.log.ensure({ ...gone.key, kind: "conversation", agent: "helper", branch: "side" })
      const texts = Array.from({ length: 150 }, (_, i) => said(`m${i}`, i, `secret${i} shared`))
      await committed(store, append(gone.id, texts))
      await committed(store, append(other.id, [said("s", 1, "secret shared")]))
      await committed(store, append(stays.id, [said("s", 1, "secret shared")]))
      const feed = await store.log.ensure({ kind: "feed", person })
      await store.log.remove(gone.id, { audit, feed: append(feed.id, [change("conversations", "x")], { expect: 9 }) })
      expect((await find(store, person, "shared", 500)).length).toBe(151)
      await store.log.remove(gone.id, { audit })
      expect(keys(await find(store, person, "shared", 500))).toEqual(["s"])
      expect(await find(store, person, "secret140")).toEqual([])
      expect(await find(store, stays.key.person, "shared")).toHaveLength(1)
    })

    test("[CPT-7] for a very common word the newest texts are found, for a rare one all", async () => {
      const store = getStore()
      const stream = await newConversation(store)
      const { person } = stream.key
      const texts = Array.from({ length: 3_000 }, (_, i) =>
        said(`m${i}`, i, `everywhere ${i < 3 ? "seldom" : `word${i}`}`, { at: NOW + i }),
      )
      await committed(store, append(stream.id, texts))
      const hits = await find(store, person, "everywhere", 10)
      expect(keys(hits)).toEqual(Array.from({ length: 10 }, (_, i) => `m${2999 - i}`))
      expect(keys(await find(store, person, "everywhere seldom")).sort()).toEqual(["m0", "m1", "m2"])
      expect(
        keys(await find(store, person, "seldom nowhere everywhere"))
          .slice(0, 3)
          .sort(),
      ).toEqual(["m0", "m1", "m2"])
    }, 60_000)
  })
}

export function said(id: string, ord: number, text: string | null, rest: Partial<RowChange> = {}): RowChange {
  return message(id, ord, { text, at: NOW, ...rest })
}

export function find(store: Store, person: string, words: string, limit = 20): Promise<readonly SearchHit[]> {
  return store.search.find(person, words, { limit, now: NOW })
}

export function keys(hits: readonly SearchHit[]): string[] {
  return hits.map((hit) => (hit.kind === "memory" ? hit.name : hit.key))
}

function kinds(hits: readonly SearchHit[]): string[] {
  return hits.map((hit) => hit.kind).sort()
}
