import type { AuditEntry, KeyRecord } from "@parlor/core"
import { describe, expect, test } from "vitest"
import { allEvents, append, audit, change, committed, delta, message, newConversation, newPerson } from "./fixtures.ts"
import type { GetStore } from "./get-store.ts"

export function recordCases(getStore: GetStore, readAudit: () => Promise<readonly AuditEntry[]>): void {
  const auditOf = async (person: string) =>
    (await readAudit()).filter((entry) => entry.person === person).map((entry) => entry.act)

  describe("streams", () => {
    test("a stream is created once, however many requests there are", async () => {
      const store = getStore()
      const person = newPerson()
      const key = { kind: "conversation", agent: "helper", person, branch: "main" } as const
      expect(await store.log.find(key)).toBeUndefined()
      const made = await Promise.all(Array.from({ length: 8 }, () => store.log.ensure(key)))
      expect(new Set(made.map((stream) => stream.id)).size).toBe(1)
      expect(await store.log.find(key)).toEqual({ id: made[0]?.id, key, head: 0, control: 0, epoch: 0 })
    })

    test("[SEC-11] a removed conversation leaves nothing, and its feed is updated in the same transaction", async () => {
      const store = getStore()
      const stream = await newConversation(store)
      const feed = await store.log.ensure({ kind: "feed", person: stream.key.person })
      const once = { key: "k", hash: "h", answer: "a" }
      await committed(store, append(stream.id, [message("m", 1), delta("n", 0)], { once, active: true }))
      const farewell = append(feed.id, [change("conversations", "helper/main", {}, { operation: "delete" })])
      const removed = await store.log.remove(stream.id, { feed: farewell, audit })
      expect(removed).toMatchObject({ ok: true, head: 1 })
      expect(await store.log.find(stream.key)).toBeUndefined()
      expect(await store.log.read(stream.id, [{ collection: "messages" }])).toBeUndefined()
      expect(await allEvents(store, feed.id)).toHaveLength(1)
      expect(await store.log.remove(stream.id, { feed: farewell, audit })).toBeUndefined()
      expect(await allEvents(store, feed.id)).toHaveLength(1)

      const again = await store.log.ensure(stream.key)
      expect(again.id).not.toBe(stream.id)
      const read = await store.log.read(again.id, [{ collection: "messages" }, { collection: "deltas" }])
      expect(read).toMatchObject({ stream: { head: 0 }, lists: [[], []] })
      await committed(store, append(again.id, [], { once }))
    })

    test("[SEC-11] a rejected feed append leaves the conversation unchanged", async () => {
      const store = getStore()
      const stream = await newConversation(store)
      const feed = await store.log.ensure({ kind: "feed", person: stream.key.person })
      await committed(store, append(stream.id, [message("m", 1)]))
      const refused = append(feed.id, [change("conversations", "x")], { expect: 5 })
      expect(await store.log.remove(stream.id, { feed: refused, audit })).toEqual({ ok: false, why: "moved" })
      expect(await allEvents(store, stream.id)).toHaveLength(1)
      expect(await store.log.remove(stream.id, { audit })).toBeUndefined()
      expect(await store.log.find(stream.key)).toBeUndefined()
    })
  })

  test("[SEC-29] the id of the sealing key is set by compare-and-set", async () => {
    const store = getStore()
    expect(await store.secretKey()).toBeUndefined()
    const first = await Promise.all(["a", "b"].map((id) => store.setSecretKey(id, undefined)))
    expect([...first].sort()).toEqual([false, true])
    const known = await store.secretKey()
    expect(known).toBe(first[0] ? "a" : "b")
    expect(await store.setSecretKey("c", "never")).toBe(false)
    expect(await store.setSecretKey("c", undefined)).toBe(false)
    expect(await store.setSecretKey("c", known)).toBe(true)
    expect(await store.secretKey()).toBe("c")
  })

  describe("keys", () => {
    test("changes to keys and conversations are audited, rejected ones are not", async () => {
      const store = getStore()
      const person = newPerson()
      const entry = (act: string) => ({ at: 7, person, act, subject: "s" })
      await store.keys.add(newKey(person, 1), entry("add"))
      await store.keys.revoke(person, "unknown", entry("refused"))
      await store.keys.revoke(person, newKey(person, 1).id, entry("revoke"))
      const stream = await newConversation(store, person)
      await store.log.remove(stream.id, { audit: entry("remove") })
      await store.log.remove(stream.id, { audit: entry("gone") })
      expect(await auditOf(person)).toEqual(["add", "revoke", "remove"])
      await expect(store.keys.add(newKey(person, 1), entry("again"))).rejects.toThrow()
      expect(await auditOf(person)).toHaveLength(3)
    })

    test("keys are added, listed, found and revoked", async () => {
      const store = getStore()
      const person = newPerson()
      const first = newKey(person, 1)
      const second: KeyRecord = { ...newKey(person, 2), actFor: "*", asMaker: false, expiresAt: 99, scopes: ["manage"] }
      await store.keys.add(second, audit)
      await store.keys.add(first, audit)
      expect(await store.keys.of(person)).toEqual([first, second])
      expect(await store.keys.find(first.hash)).toEqual(first)
      expect(await store.keys.find("unknown")).toBeUndefined()
      expect(await store.keys.findAll([first.hash, "unknown"])).toEqual([first])
      expect(await store.keys.findAll([])).toEqual([])

      expect(await store.keys.revoke("someone else", first.id, audit)).toEqual([])
      expect(await store.keys.revoke(person, "unknown", audit)).toEqual([])
      expect(await store.keys.revoke(person, first.id, { ...audit, at: 50 })).toEqual([first.id])
      expect(await store.keys.revoke(person, first.id, { ...audit, at: 60 })).toEqual([first.id])
      expect(await store.keys.find(first.hash)).toEqual({ ...first, revokedAt: 50 })
    })

    test("[SEC-30] revoking a key ends all keys created from it, and nothing else", async () => {
      const store = getStore()
      const person = newPerson()
      const entry = (act: string, subject: string) => ({ at: 7, person, act, subject })
      const made = (n: number, by: number | null): KeyRecord => ({
        ...newKey(person, n),
        madeBy: by === null ? null : newKey(person, by).id,
      })
      const all = [made(1, null), made(2, 1), made(3, 2), made(4, 1), made(5, null)]
      for (const key of all) expect(await store.keys.add(key, entry("add", key.id))).toBe(true)
      const [one, two, three, four, five] = all.map(({ id }) => id) as [string, string, string, string, string]
      expect(await store.keys.revoke(person, two, entry("revoke", two))).toEqual([two, three])
      const ended = await store.keys.revoke(person, one, { ...entry("revoke", one), at: 9 })
      expect(ended[0]).toBe(one)
      expect([...ended].sort()).toEqual([one, two, three, four])
      const revokedAt = Object.fromEntries((await store.keys.of(person)).map((key) => [key.id, key.revokedAt]))
      expect(revokedAt).toEqual({ [one]: 9, [two]: 7, [three]: 7, [four]: 9, [five]: null })
      const noted = (await readAudit()).filter((line) => line.person === person && line.act === "revoke")
      expect(noted.map(({ subject }) => subject)).toEqual([two, three, one, four])
    })

    test("[SEC-30] a revoked key creates none, in any order of the two", async () => {
      const store = getStore()
      const person = newPerson()
      for (let round = 0; round < 10; round++) {
        const maker = newKey(person, 10 * round + 1)
        const child = { ...newKey(person, 10 * round + 2), madeBy: maker.id }
        await store.keys.add(maker, audit)
        const [added] = await Promise.all([store.keys.add(child, audit), store.keys.revoke(person, maker.id, audit)])
        const found = await store.keys.find(child.hash)
        if (added) expect(found?.revokedAt).toBe(audit.at)
        else expect(found).toBeUndefined()
        expect(await store.keys.add({ ...child, id: `${child.id}-later`, hash: `${child.hash}-later` }, audit)).toBe(
          false,
        )
      }
    })
  })
}

function newKey(person: string, n: number): KeyRecord {
  return {
    id: `key-${person}-${n}`,
    person,
    name: `Key ${n}`,
    hash: `hash-${person}-${n}`,
    scopes: ["read", "write"],
    actFor: null,
    asMaker: true,
    madeBy: null,
    createdAt: n,
    expiresAt: null,
    revokedAt: null,
  }
}
