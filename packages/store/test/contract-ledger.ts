import type { Spending } from "@parlor/core"
import { describe, expect, test } from "vitest"
import { append, commitOne, committed, delta, message, newConversation, newPerson } from "./fixtures.ts"
import type { GetStore } from "./get-store.ts"

const DAY = "2026-11-16"

function line(person: string, rest: Partial<Spending> = {}): Spending {
  const what = { source: "person", agent: "helper", model: "demo" } as const
  return { person, day: DAY, ...what, calls: 1, inputTokens: 100, outputTokens: 20, costMicros: 7, ...rest }
}

export function ledgerCases(getStore: GetStore): void {
  describe("ledger", () => {
    test("[SEC-20] what an append carries is added to its person's day, by source, agent and model", async () => {
      const store = getStore()
      const person = newPerson()
      const { id } = await newConversation(store, person)
      await committed(store, append(id, [message("m", 1, { text: "words" })], { spent: [line(person), line(person)] }))
      const schedule = line(person, { source: "schedule", calls: 3 })
      await committed(store, append(id, [delta("n", 0)], { spent: [line(person), schedule] }))
      await committed(store, append(id, [], { spent: [line(person, { day: "2026-11-17" })] }))
      expect(await store.usage.spending(person, { since: DAY, limit: 10 })).toEqual([
        line(person, { day: "2026-11-17" }),
        line(person, { calls: 3, inputTokens: 300, outputTokens: 60, costMicros: 21 }),
        schedule,
      ])
      const none = { grantedTokens: 0, grantedMicros: 0 }
      expect(await store.usage.dayTotal(person, DAY)).toEqual({ calls: 6, tokens: 480, costMicros: 28, ...none })
      expect(await store.usage.dayTotal(newPerson(), DAY)).toEqual({ calls: 0, tokens: 0, costMicros: 0, ...none })
      expect(await store.usage.spending(person, { since: "2026-11-17", limit: 10 })).toHaveLength(1)
      expect(await store.usage.spending(person, { since: DAY, limit: 2 })).toHaveLength(2)
    })

    test("[OPS-20] totals of everyone are summed by any of person, agent and model, the highest cost first", async () => {
      const store = getStore()
      const [ana, bob] = [newPerson(), newPerson()]
      const day = "2099-01-01"
      for (const person of [ana, bob]) {
        const { id } = await newConversation(store, person)
        const cheap = line(person, { day, model: "small", costMicros: person === ana ? 1 : 2 })
        const grant = line(person, { day, source: "granted", agent: "", model: "", calls: 0 })
        await committed(store, append(id, [], { spent: [line(person, { day }), cheap, grant] }))
      }
      const totals = (by: readonly ("person" | "agent" | "model")[], limit = 10) =>
        store.usage.totals({ since: day, by, limit })
      const sum = { calls: 2, inputTokens: 200, outputTokens: 40 }
      expect(await totals(["person"])).toEqual([
        { person: bob, agent: null, model: null, ...sum, costMicros: 9 },
        { person: ana, agent: null, model: null, ...sum, costMicros: 8 },
      ])
      expect(await totals(["agent", "model"])).toEqual([
        { person: null, agent: "helper", model: "demo", ...sum, costMicros: 14 },
        { person: null, agent: "helper", model: "small", ...sum, costMicros: 3 },
      ])
      expect(await totals(["person", "agent", "model"], 3)).toHaveLength(3)
      expect(await store.usage.totals({ since: "2099-01-02", by: ["person"], limit: 1 })).toEqual([])
    })

    test("[OPS-20] people with data are listed by name, a page at a time", async () => {
      const store = getStore()
      const names = [newPerson(), newPerson()].sort()
      for (const person of names) {
        const { id } = await newConversation(store, person)
        await committed(store, append(id, [message("m", 1, { text: "words" })], {}))
      }
      const [first = "", second] = names
      const before = `${first.slice(0, -1)}`
      const page = await store.usage.people({ after: before, limit: 100 })
      expect(page.map(({ person }) => person)).toEqual(expect.arrayContaining(names))
      expect(page.find(({ person }) => person === first)).toEqual({
        person: first,
        ...(await store.usage.stored(first)),
      })
      const next = await store.usage.people({ after: first, limit: 100 })
      expect(next.map(({ person }) => person)).toContain(second)
      expect(next.map(({ person }) => person)).not.toContain(first)
      expect(await store.usage.people({ after: first, limit: 1 })).toHaveLength(1)
    })

    test("[SEC-20] an append that is rejected, or was carried out before, adds nothing", async () => {
      const store = getStore()
      const person = newPerson()
      const { id } = await newConversation(store, person)
      const spent = [line(person)]
      const lease = { kind: "claim", owner: "me", ttlMs: 60_000 } as const
      const { epoch } = await committed(store, append(id, [], { lease }))
      await committed(store, append(id, [delta("m", 0)], { epoch, batch: 1, spent }))
      expect(await commitOne(store, append(id, [delta("m", 0)], { epoch, batch: 1, spent }))).toMatchObject({
        ok: true,
        skipped: true,
      })
      expect(await commitOne(store, append(id, [], { epoch: epoch - 1, spent }))).toMatchObject({ why: "fenced" })
      expect(await commitOne(store, append(id, [], { expect: 99, spent }))).toMatchObject({ why: "moved" })
      expect((await store.usage.dayTotal(person, DAY)).calls).toBe(1)
    })

    test("[SEC-20] of a batch, each append adds its own, however many come at once", async () => {
      const store = getStore()
      const [one, two] = [newPerson(), newPerson()]
      const streams = [await newConversation(store, one), await newConversation(store, two)]
      const rounds = Array.from({ length: 20 }, (_, n) =>
        store.log.commit(
          streams.flatMap(({ id, key }, i) => [
            append(id, [message(`m${n}`, n + 1, { text: `word${n}` })], { spent: [line(key.person)] }),
            append(id, [], { expect: -1, spent: [line([two, one][i] ?? "")] }),
          ]),
        ),
      )
      await Promise.all(rounds)
      for (const person of [one, two])
        expect(await store.usage.dayTotal(person, DAY)).toMatchObject({ calls: 20, tokens: 2_400, costMicros: 140 })
    })

    test("[SEC-20] what a person allowed beyond the budget is separate from usage", async () => {
      const store = getStore()
      const person = newPerson()
      const { id } = await newConversation(store, person)
      const granted = line(person, { source: "granted", calls: 0, inputTokens: 500, outputTokens: 0, costMicros: 50 })
      await committed(store, append(id, [], { spent: [line(person), granted] }))
      expect(await store.usage.dayTotal(person, DAY)).toEqual({
        calls: 1,
        tokens: 120,
        costMicros: 7,
        grantedTokens: 500,
        grantedMicros: 50,
      })
    })

    test("[SEC-20] deleting a conversation gives nothing back", async () => {
      const store = getStore()
      const person = newPerson()
      const { id } = await newConversation(store, person)
      await committed(store, append(id, [message("m", 1)], { spent: [line(person)] }))
      await store.log.remove(id, { audit: { at: 1, person, act: "conversation.deleted", subject: "s" } })
      expect((await store.usage.dayTotal(person, DAY)).tokens).toBe(120)
    })
  })
}
