import { describe, expect, test, vi } from "vitest"
import { allEvents, append, change, commitOne, committed, delta, newConversation } from "./fixtures.ts"
import type { GetStore } from "./get-store.ts"

const LONG_MS = 60_000

export function leaseCases(getStore: GetStore): void {
  const claim = (owner: string, ttlMs = LONG_MS) => ({ lease: { kind: "claim", owner, ttlMs } as const })
  const orphanIds = async () => (await getStore().log.orphans(100_000)).map((stream) => stream.id)

  describe("leases", () => {
    test("[QUE-19] the store returns the time of its own clock, which advances", async () => {
      const first = await getStore().now()
      expect(Math.abs(first - Date.now())).toBeLessThan(LONG_MS)
      expect(Number.isInteger(first)).toBe(true)
      await vi.waitFor(async () => expect(await getStore().now()).toBeGreaterThan(first))
    })

    test("a takeover increments the epoch and fences the former owner, who writes nothing", async () => {
      const store = getStore()
      const { id } = await newConversation(store)
      const first = await committed(store, append(id, [], claim("a", 0)))
      const second = await committed(store, append(id, [], claim("b")))
      expect([first.epoch, second.epoch]).toEqual([1, 2])
      const stale = append(id, [delta("m", 0)], { epoch: 1, batch: 1 })
      expect(await commitOne(store, stale)).toEqual({ ok: false, why: "fenced" })
      expect(await allEvents(store, id)).toEqual([])
      expect(await committed(store, append(id, [delta("m", 0)], { epoch: 2, batch: 1 }))).toMatchObject({ head: 1 })
    })

    test("[TRN-4] a forced claim takes what another holds and fences it", async () => {
      const store = getStore()
      const { id } = await newConversation(store)
      await committed(store, append(id, [], { ...claim("a"), active: true }))
      await committed(store, append(id, [delta("m", 0)], { epoch: 1, batch: 1 }))
      expect(await commitOne(store, append(id, [], claim("b")))).toEqual({ ok: false, why: "owned" })
      const forced = { kind: "claim", owner: "b", ttlMs: LONG_MS, force: true } as const
      const moved = append(id, [change("turns", "t")], { lease: forced, expect: 1 })
      expect(await commitOne(store, moved)).toEqual({ ok: false, why: "moved" })
      expect(await committed(store, { ...moved, expect: 0 })).toMatchObject({ epoch: 2, head: 2, control: 1 })

      const stale = append(id, [delta("m", 1)], { epoch: 1, batch: 2 })
      expect(await commitOne(store, stale)).toEqual({ ok: false, why: "fenced" })
      expect(await store.log.renew("a", [id], LONG_MS)).toEqual([id])
      expect(await commitOne(store, append(id, [], claim("a")))).toEqual({ ok: false, why: "owned" })
      const first = append(id, [delta("n", 0)], { epoch: 2, batch: 1 })
      expect(await committed(store, first)).toMatchObject({ head: 3, skipped: false })
      expect((await allEvents(store, id)).map((event) => event.key)).toEqual(["m/0/0", "t", "n/0/0"])
    })

    test("[TRN-4] of several forced claims in one batch, the last one wins", async () => {
      const store = getStore()
      const { id } = await newConversation(store)
      const force = (owner: string) =>
        append(id, [], { lease: { kind: "claim", owner, ttlMs: LONG_MS, force: true } as const })
      const answers = await store.log.commit(["a", "b", "a"].map(force))
      expect(answers.map((answer) => answer.ok && answer.epoch)).toEqual([1, 2, 3])
      expect(await store.log.renew("b", [id], LONG_MS)).toEqual([id])
      expect(await store.log.renew("a", [id], LONG_MS)).toEqual([])
    })

    test("of several that claim at once, exactly one gets it", async () => {
      const store = getStore()
      const { id } = await newConversation(store)
      const owners = ["a", "b", "c", "d"]
      const answers = await Promise.all(owners.map((owner) => commitOne(store, append(id, [], claim(owner)))))
      expect(answers.filter((answer) => answer.ok)).toHaveLength(1)
      expect(answers.filter((answer) => !answer.ok && answer.why === "owned")).toHaveLength(3)
    })

    test("an owner may claim again; its batch count restarts", async () => {
      const store = getStore()
      const { id } = await newConversation(store)
      await committed(store, append(id, [], claim("a")))
      await committed(store, append(id, [delta("m", 0)], { epoch: 1, batch: 7 }))
      expect(await committed(store, append(id, [], claim("a")))).toMatchObject({ epoch: 2 })
      expect(await committed(store, append(id, [delta("m", 1)], { epoch: 2, batch: 1 }))).toMatchObject({
        skipped: false,
      })
    })

    test("a released conversation is available at once", async () => {
      const store = getStore()
      const { id } = await newConversation(store)
      await committed(store, append(id, [], claim("a")))
      await committed(store, append(id, [change("turns", "t")], { epoch: 1, batch: 1, lease: { kind: "release" } }))
      expect(await committed(store, append(id, [], claim("b")))).toMatchObject({ epoch: 2 })
    })

    test("a claim is written with its changes or not at all", async () => {
      const store = getStore()
      const { id } = await newConversation(store)
      await committed(store, append(id, [change("turns", "t")], { ...claim("a"), expect: 0, active: true }))
      const late = append(id, [change("turns", "u")], { ...claim("b"), expect: 0 })
      expect(await commitOne(store, late)).toEqual({ ok: false, why: "moved" })
      expect(await commitOne(store, { ...late, expect: 1 })).toEqual({ ok: false, why: "owned" })
      expect(await store.log.find((await newConversation(store)).key)).toMatchObject({ epoch: 0 })
    })

    test("a conversation with work and no living owner is an orphan", async () => {
      const store = getStore()
      const { id } = await newConversation(store)
      await committed(store, append(id, [], { active: true }))
      expect(await orphanIds()).toContain(id)
      await committed(store, append(id, [], claim("a")))
      expect(await orphanIds()).not.toContain(id)
      await committed(store, append(id, [], { lease: { kind: "release" } }))
      expect(await orphanIds()).toContain(id)
      await committed(store, append(id, [], { active: false }))
      expect(await orphanIds()).not.toContain(id)
    })

    test("a lease expires when it is not renewed", async () => {
      const store = getStore()
      const { id } = await newConversation(store)
      await committed(store, append(id, [], { ...claim("a", 150), active: true }))
      expect(await commitOne(store, append(id, [], claim("b")))).toEqual({ ok: false, why: "owned" })
      await vi.waitFor(async () => expect(await orphanIds()).toContain(id), { timeout: 5_000, interval: 20 })
      await committed(store, append(id, [], claim("b")))
    })

    test("an owner renews what it holds and learns what it has lost", async () => {
      const store = getStore()
      const [held, lost, never] = [
        await newConversation(store),
        await newConversation(store),
        await newConversation(store),
      ]
      await committed(store, append(held.id, [], { ...claim("a", 1), active: true }))
      await committed(store, append(lost.id, [], claim("a", 0)))
      await committed(store, append(lost.id, [], claim("b")))
      expect(await store.log.renew("a", [held.id, lost.id, never.id], LONG_MS)).toEqual([lost.id, never.id])
      expect(await orphanIds()).not.toContain(held.id)
      expect(await store.log.renew("a", [], LONG_MS)).toEqual([])
    })
  })
}
