import type { AuditEntry, KeyRecord } from "@parlor/core"
import { describe, expect, test } from "vitest"
import { allEvents, append, audit, change, committed, delta, message, newConversation, newPerson } from "./fixtures.ts"
import type { GetStore } from "./get-store.ts"

export function recordCases(getStore: GetStore, readAudit: () => Promise<readonly AuditEntry[]>): void {
  const auditOf = async (person: string) =>
    (await readAudit()).filter((entry) => entry.person === person).map((entry) => entry.act)

  describe("streams", () => {
    test("a stream is made once, however many ask", async () => {
      const store = getStore()
      const person = newPerson()
      const key = { kind: "conversation", agent: "helper", person, branch: "main" } as const
      expect(await store.find(key)).toBeUndefined()
      const made = await Promise.all(Array.from({ length: 8 }, () => store.ensure(key)))
      expect(new Set(made.map((stream) => stream.id)).size).toBe(1)
      expect(await store.find(key)).toEqual({ id: made[0]?.id, key, head: 0, control: 0, epoch: 0 })
    })

    test("[SEC-11] a removed conversation leaves nothing, and its feed says so in the same moment", async () => {
      const store = getStore()
      const stream = await newConversation(store)
      const feed = await store.ensure({ kind: "feed", person: stream.key.person })
      const once = { key: "k", hash: "h", answer: "a" }
      await committed(store, append(stream.id, [message("m", 1), delta("n", 0)], { once, active: true }))
      const farewell = append(feed.id, [change("conversations", "helper/main", {}, { operation: "delete" })])
      const removed = await store.remove(stream.id, { feed: farewell, audit })
      expect(removed).toMatchObject({ ok: true, head: 1 })
      expect(await store.find(stream.key)).toBeUndefined()
      expect(await store.read(stream.id, [{ collection: "messages" }])).toBeUndefined()
      expect(await allEvents(store, feed.id)).toHaveLength(1)
      expect(await store.remove(stream.id, { feed: farewell, audit })).toBeUndefined()
      expect(await allEvents(store, feed.id)).toHaveLength(1)

      const again = await store.ensure(stream.key)
      expect(again.id).not.toBe(stream.id)
      const read = await store.read(again.id, [{ collection: "messages" }, { collection: "deltas" }])
      expect(read).toMatchObject({ stream: { head: 0 }, lists: [[], []] })
      await committed(store, append(again.id, [], { once }))
    })

    test("[SEC-11] a refused feed append leaves the conversation where it was", async () => {
      const store = getStore()
      const stream = await newConversation(store)
      const feed = await store.ensure({ kind: "feed", person: stream.key.person })
      await committed(store, append(stream.id, [message("m", 1)]))
      const refused = append(feed.id, [change("conversations", "x")], { expect: 5 })
      expect(await store.remove(stream.id, { feed: refused, audit })).toEqual({ ok: false, why: "moved" })
      expect(await allEvents(store, stream.id)).toHaveLength(1)
      expect(await store.remove(stream.id, { audit })).toBeUndefined()
      expect(await store.find(stream.key)).toBeUndefined()
    })
  })

  describe("keys", () => {
    test("what was done to keys and conversations is in the audit, what was refused is not", async () => {
      const store = getStore()
      const person = newPerson()
      const entry = (act: string) => ({ at: 7, person, act, subject: "s" })
      await store.addKey(newKey(person, 1), entry("add"))
      await store.revokeKey(person, "unknown", entry("refused"))
      await store.revokeKey(person, newKey(person, 1).id, entry("revoke"))
      const stream = await newConversation(store, person)
      await store.remove(stream.id, { audit: entry("remove") })
      await store.remove(stream.id, { audit: entry("gone") })
      expect(await auditOf(person)).toEqual(["add", "revoke", "remove"])
      await expect(store.addKey(newKey(person, 1), entry("again"))).rejects.toThrow()
      expect(await auditOf(person)).toHaveLength(3)
    })

    test("keys are added, listed, found and revoked", async () => {
      const store = getStore()
      const person = newPerson()
      const first = newKey(person, 1)
      const second: KeyRecord = { ...newKey(person, 2), actFor: "*", expiresAt: 99, scopes: ["manage"] }
      await store.addKey(second, audit)
      await store.addKey(first, audit)
      expect(await store.keys(person)).toEqual([first, second])
      expect(await store.findKey(first.hash)).toEqual(first)
      expect(await store.findKey("unknown")).toBeUndefined()
      expect(await store.findKeys([first.hash, "unknown"])).toEqual([first])
      expect(await store.findKeys([])).toEqual([])

      expect(await store.revokeKey("someone else", first.id, audit)).toBe(false)
      expect(await store.revokeKey(person, "unknown", audit)).toBe(false)
      expect(await store.revokeKey(person, first.id, { ...audit, at: 50 })).toBe(true)
      expect(await store.revokeKey(person, first.id, { ...audit, at: 60 })).toBe(true)
      expect(await store.findKey(first.hash)).toEqual({ ...first, revokedAt: 50 })
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
    createdAt: n,
    expiresAt: null,
    revokedAt: null,
  }
}
