import type { FiringRecord, Store, TriggerRecord } from "@parlor/core"
import { limits } from "@parlor/protocol"
import { describe, expect, test } from "vitest"
import { audit, newConversation, newPerson } from "./fixtures.ts"
import type { GetStore } from "./get-store.ts"

const MANY = { per: "person", most: 1_000 } as const

export function triggerCases(getStore: GetStore): void {
  describe("triggers", () => {
    test("[TRG-7] a trigger is read as written, by its person only, oldest first", async () => {
      const store = getStore()
      const [ann, bob] = [newPerson(), newPerson()]
      const { id: stream } = await newConversation(store, ann)
      const later = trigger(ann, { stream, createdAt: 9, lookAt: 7, value: '{"a":"\u0001é😀"}' })
      const first = trigger(ann, { kind: "wakeup", stream, live: false })
      const hook = trigger(ann, { kind: "hook", stream })
      for (const one of [later, first, hook]) expect(await store.triggers.add(one, MANY)).toBe("added")
      expect(await store.triggers.of(ann, ["schedule", "wakeup"])).toEqual([first, later])
      expect(await store.triggers.of(ann, ["hook"])).toEqual([hook])
      expect(await store.triggers.of(bob, ["schedule", "wakeup"])).toEqual([])
      expect(await store.triggers.on(stream, "wakeup")).toEqual([first])
      expect(await store.triggers.get(later.id)).toEqual(later)
      expect(await store.triggers.get("nobody's")).toBeUndefined()
      expect(await store.triggers.add({ ...later, value: "other" }, MANY)).toBe("known")
      expect(await store.triggers.get(later.id)).toEqual(later)
    })

    test("[SEC-29] all of some kinds are read by id, page by page", async () => {
      const store = getStore()
      const person = newPerson()
      const made = Array.from({ length: 7 }, (_, n) => trigger(person, { kind: n % 2 === 0 ? "hook" : "notice" }))
      for (const one of [...made, trigger(person)]) await store.triggers.add(one, MANY)
      const found: TriggerRecord[] = []
      for (let after = ""; ; ) {
        const page = await store.triggers.byId(["hook", "notice"], { after, limit: 2 })
        found.push(...page)
        const last = page.at(-1)
        if (last === undefined) break
        expect(page.length).toBeLessThanOrEqual(2)
        expect(last.id > after).toBe(true)
        after = last.id
      }
      const ids = made.map(({ id }) => id).sort()
      expect(found.filter((one) => one.person === person).map(({ id }) => id)).toEqual(ids)
      const [first] = made
      if (first === undefined) throw new Error("none was made")
      const next = { ...first, version: 2, value: "erased" }
      expect(await store.triggers.change(next, [], { erase: true })).toBe(true)
      expect(await store.triggers.change(next, [], { erase: true })).toBe(false)
      expect(await store.triggers.get(first.id)).toEqual(next)
    })

    test("[TRG-4] the number of live triggers per person or conversation is limited, even for concurrent requests", async () => {
      const store = getStore()
      const person = newPerson()
      const [one, other] = [await newConversation(store, person), await newConversation(store)]
      const added = await Promise.all(
        Array.from({ length: 8 }, () => store.triggers.add(trigger(person), { per: "person", most: 3 })),
      )
      expect(added.filter((what) => what === "added")).toHaveLength(3)
      expect(added.filter((what) => what === "full")).toHaveLength(5)
      expect(await store.triggers.add(trigger(person, { live: false }), { per: "person", most: 3 })).toBe("added")
      expect(await store.triggers.add(trigger(person, { kind: "hook" }), { per: "person", most: 3 })).toBe("added")
      const on = (stream: typeof one.id) =>
        store.triggers.add(trigger(person, { kind: "wakeup", stream }), { per: "stream", most: 1 })
      expect([await on(one.id), await on(one.id), await on(other.id)]).toEqual(["added", "full", "added"])
    })

    test("[TRG-4] triggers are deleted with their conversation, and cannot be added to a deleted one", async () => {
      const store = getStore()
      const person = newPerson()
      const { id: stream } = await newConversation(store, person)
      const [hung, free] = [trigger(person, { stream, lookAt: 1 }), trigger(person)]
      for (const one of [hung, free]) await store.triggers.add(one, MANY)
      for (const one of [hung, free]) await store.triggers.putFiring(firing(one, "a"))
      await store.log.remove(stream, { audit })
      expect(await store.triggers.of(person, ["schedule"])).toEqual([free])
      expect(await store.triggers.firings([hung.id, free.id], 9)).toEqual([firing(free, "a")])
      expect(await store.triggers.add(trigger(person, { stream }), MANY)).toBe("gone")
      await store.triggers.putFiring(firing(hung, "b"))
      expect(await store.triggers.firings([hung.id], 9)).toEqual([])
    })

    test("[TRG-3] of concurrent changes to the same version, one wins, with its firings", async () => {
      const store = getStore()
      const one = trigger(newPerson())
      await store.triggers.add(one, MANY)
      const tries = Array.from({ length: 6 }, (_, i) => ({ ...one, version: 2, lookAt: i, live: false, value: `${i}` }))
      const won = await Promise.all(tries.map((now, i) => store.triggers.change(now, [firing(one, `f${i}`)])))
      const winner = won.indexOf(true)
      expect(won.filter(Boolean)).toHaveLength(1)
      expect(await store.triggers.get(one.id)).toEqual(tries[winner])
      expect(await store.triggers.firings([one.id], 9)).toEqual([firing(one, `f${winner}`)])
      expect(await store.triggers.change({ ...one, version: 4 })).toBe(false)
      expect(await store.triggers.change({ ...one, version: 3 })).toBe(true)
      expect(await store.triggers.delete(one.id)).toBe(true)
      expect(await store.triggers.delete(one.id)).toBe(false)
      expect(await store.triggers.change({ ...one, version: 4 })).toBe(false)
      expect(await store.triggers.firings([one.id], 9)).toEqual([])
    })

    test("[TRG-3] due triggers are returned in order of time, page by page; others are not", async () => {
      const store = getStore()
      const person = newPerson()
      // Other triggers in the same database are due at other times.
      const base = 5_000_000 + Number(person.replace(/\D/g, "")) * 100
      const make = async (lookAt: number | null, kind: TriggerRecord["kind"] = "schedule") => {
        const one = trigger(person, { kind, lookAt: lookAt === null ? null : base + lookAt })
        await store.triggers.add(one, MANY)
        return one
      }
      const made = [await make(3), await make(1), await make(1, "wakeup"), await make(null), await make(2, "notice")]
      await make(9)
      const due = async (limit: number, after?: TriggerRecord) => {
        const page = { limit, after: after ?? { lookAt: base, id: "" } }
        return (await store.triggers.due(["schedule", "wakeup"], base + 5, page)).map(({ id }) => id)
      }
      const [three, one, alsoOne] = made
      const ones = [one?.id, alsoOne?.id].sort()
      expect(await due(9)).toEqual([...ones, three?.id])
      expect(await due(1)).toEqual([ones[0]])
      expect(
        await due(
          9,
          made.find(({ id }) => id === ones[0]),
        ),
      ).toEqual([ones[1], three?.id])
      expect((await store.triggers.due(["notice"], base + 5, { limit: 99 })).some(({ id }) => id === made[4]?.id)).toBe(
        true,
      )
      const next = await store.triggers.nextLook(["schedule", "wakeup"])
      expect(next).toBeLessThanOrEqual(base + 1)
      for (const { id } of await store.triggers.due(["schedule", "wakeup"], Number.MAX_SAFE_INTEGER, { limit: 999 }))
        await store.triggers.delete(id)
      expect(await store.triggers.nextLook(["schedule", "wakeup"])).toBeUndefined()
    })

    test("[TRG-7] the newest firings are kept; one that was sent stays unchanged", async () => {
      const store = getStore()
      const one = trigger(newPerson())
      await store.triggers.add(one, MANY)
      for (let i = 0; i < limits.firings + 5; i++) await store.triggers.putFiring(firing(one, `f${i}`, { at: i }))
      for (let i = 0; i < limits.firingsRefused + 5; i++)
        await store.triggers.putFiring(firing(one, `r${i}`, { at: i, kind: "refused" }))
      const kept = await store.triggers.firings([one.id], 999)
      expect(kept.filter(({ kind }) => kind === "sent").map(({ id }) => id)).toEqual(
        Array.from({ length: limits.firings }, (_, i) => `f${limits.firings + 4 - i}`),
      )
      expect(kept.filter(({ kind }) => kind === "refused")).toHaveLength(limits.firingsRefused)
      await store.triggers.putFiring(firing(one, "f54", { value: "changed" }))
      await store.triggers.putFiring(firing(one, "x", { at: 99, kind: "other", value: "failed" }))
      await store.triggers.putFiring(firing(one, "x", { at: 99, value: "then it went" }))
      const [newest, then] = await store.triggers.firings([one.id], 2)
      expect(newest).toEqual(firing(one, "x", { at: 99, value: "then it went" }))
      expect(then).toMatchObject({ id: "f54", value: "{}" })
    })

    test("[TRG-8] sent firings since then are counted, over all triggers of that kind in a conversation", async () => {
      const store = getStore()
      const person = newPerson()
      const { id: stream } = await newConversation(store, person)
      const [a, b, hook] = [
        trigger(person, { kind: "wakeup", stream }),
        trigger(person, { kind: "wakeup", stream, live: false }),
        trigger(person, { kind: "hook", stream }),
      ]
      for (const one of [a, b, hook]) await store.triggers.add(one, MANY)
      for (const one of [a, b, hook])
        for (const at of [1, 5, 9]) await store.triggers.putFiring(firing(one, `${at}`, { at }))
      await store.triggers.putFiring(firing(a, "skipped", { at: 9, kind: "other" }))
      expect(await store.triggers.countSent(stream, "wakeup", 5)).toBe(4)
      expect(await store.triggers.countSent(stream, "hook", 0)).toBe(3)
      expect(await store.triggers.countSent(stream, "schedule", 0)).toBe(0)
    })

    test("[TRG-4] of ended triggers, a conversation keeps the newest", async () => {
      const store: Store = getStore()
      const person = newPerson()
      const { id: stream } = await newConversation(store, person)
      const bounds = { per: "stream", most: 1 } as const
      const over = Array.from({ length: limits.firings + 3 }, (_, i) =>
        trigger(person, { kind: "wakeup", stream, live: false, createdAt: i }),
      )
      for (const one of over) await store.triggers.add(one, bounds)
      await store.triggers.putFiring(firing(over[0] ?? trigger(person), "a"))
      const kept = await store.triggers.on(stream, "wakeup")
      expect(kept.map(({ id }) => id)).toEqual(over.slice(3).map(({ id }) => id))
    })
  })
}

let made = 0

function trigger(person: string, rest: Partial<TriggerRecord> = {}): TriggerRecord {
  made += 1
  const usual = { kind: "schedule", stream: null, lookAt: null, live: true, version: 1, createdAt: 1 } as const
  return { id: `trg-${person}-${made}`, person, value: "{}", ...usual, ...rest }
}

function firing({ id: trigger }: TriggerRecord, id: string, rest: Partial<FiringRecord> = {}): FiringRecord {
  return { trigger, id, at: 1, kind: "sent", value: "{}", ...rest }
}
