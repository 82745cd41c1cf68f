import type { AuditEntry, ShareRecord } from "@parlor/core"
import { describe, expect, test } from "vitest"
import { append, committed, message, newConversation, newPerson } from "./fixtures.ts"
import type { GetStore } from "./get-store.ts"

const BOUNDS = { most: 3, ended: 2 }
let shares = 0

export function shareCases(getStore: GetStore, readAudit: () => Promise<readonly AuditEntry[]>): void {
  const add = (share: ShareRecord, bounds = BOUNDS) =>
    getStore().shares.add(share, bounds, { at: 1, person: share.person, act: "share.made", subject: share.id })
  const revoke = (person: string, id: string, at = 50) =>
    getStore().shares.revoke(person, id, { at, person, act: "share.revoked", subject: id })

  async function conversation(person = newPerson()) {
    const { id } = await newConversation(getStore(), person)
    await committed(getStore(), append(id, [message("m", 1)]))
    return { person, stream: id }
  }

  function shareOf({ person, stream }: Pick<ShareRecord, "person" | "stream">, rest: Partial<ShareRecord> = {}) {
    shares += 1
    const share: ShareRecord = {
      id: `shr_${process.pid}_${String(shares).padStart(4, "0")}`,
      person,
      stream,
      agent: "helper",
      branch: "main",
      viewer: null,
      hash: `hash ${shares}`,
      upTo: null,
      shows: { name: false, details: true, files: false },
      createdAt: 10,
      expiresAt: null,
      revokedAt: null,
      ...rest,
    }
    return share
  }

  describe("shares", () => {
    test("[SHR-1] shares are added, found, listed and revoked once, each with its line in the audit", async () => {
      const store = getStore()
      const of = await conversation()
      const first = shareOf(of, { upTo: { ord: 1, seq: 1, title: "Tulips 🌷" } })
      const second = shareOf(of, { createdAt: 11, expiresAt: 90 })
      expect(await add(first)).toBe("added")
      expect(await add(second)).toBe("added")
      expect(await store.shares.findAll([first.id, "shr_absent"])).toEqual([first])
      expect(await store.shares.of(of.person)).toEqual([second, first])
      expect(await revoke(newPerson(), first.id)).toBeUndefined()
      expect(await revoke(of.person, first.id)).toEqual(first)
      expect(await revoke(of.person, first.id)).toBeUndefined()
      expect(await store.shares.findAll([first.id])).toEqual([{ ...first, revokedAt: 50 }])
      expect(await revoke(of.person, second.id, 90)).toBeUndefined()
      const acts = (await readAudit()).filter(({ person }) => person === of.person).map(({ act }) => act)
      expect(acts).toEqual(["share.made", "share.made", "share.revoked"])
    })

    test("[SHR-9] active shares are limited in number, and only some ended ones are kept", async () => {
      const store = getStore()
      const of = await conversation()
      const made = [1, 2, 3].map((createdAt) => shareOf(of, { createdAt }))
      for (const share of made) expect(await add(share)).toBe("added")
      expect(await add(shareOf(of, { createdAt: 4 }))).toBe("full")
      for (const { id } of made) await revoke(of.person, id)
      const expired = shareOf(of, { createdAt: 5, expiresAt: 6 })
      await add(expired)
      const last = shareOf(of, { createdAt: 7 })
      expect(await add(last)).toBe("added")
      const kept = (await store.shares.of(of.person)).map(({ id }) => id)
      expect(kept).toEqual([last.id, expired.id, made[2]?.id])
    })

    test("[SHR-1] a viewer has to exist, and is shown what is active", async () => {
      const store = getStore()
      const of = await conversation()
      const [viewer, stranger] = [newPerson(), newPerson()]
      await store.log.ensure({ kind: "feed", person: viewer })
      expect(await add(shareOf(of, { viewer: stranger, hash: null }))).toBe("no-viewer")
      const old = shareOf(of, { viewer, hash: null, expiresAt: 20 })
      const share = shareOf(of, { viewer, hash: null, createdAt: 12 })
      await add(old)
      await add(share)
      const shared = (now: number, limit = 9) => store.shares.sharedWith(viewer, { now, limit })
      expect(await shared(19)).toEqual([share, old])
      expect(await shared(19, 1)).toEqual([share])
      expect(await shared(20)).toEqual([share])
      expect(await store.shares.sharedWith(of.person, { now: 1, limit: 9 })).toEqual([])
      await revoke(of.person, share.id)
      expect(await shared(20)).toEqual([])
    })

    test("[SHR-7] a share ends with its conversation", async () => {
      const store = getStore()
      const [of, other] = [await conversation(), await conversation()]
      const [share, kept] = [shareOf(of), shareOf(other)]
      await add(share)
      await add(kept)
      await store.log.remove(of.stream, {})
      expect(await store.shares.findAll([share.id, kept.id])).toEqual([kept])
      expect(await add(shareOf(of))).toBe("gone")
    })

    test("[SHR-7, SEC-25] shares end with their owner and with their viewer, and none is made meanwhile", async () => {
      const store = getStore()
      const [of, viewer] = [await conversation(), await conversation()]
      const deleted = (person: string) => ({ at: 7, person: "admin", act: "person.deleted", subject: person })
      const toViewer = shareOf(of, { viewer: viewer.person, hash: null })
      const link = shareOf(of)
      await add(toViewer)
      await add(link)
      await store.deletions.begin(viewer.person, deleted(viewer.person))
      const late = shareOf(of, { viewer: viewer.person, hash: null })
      await expect(add(late)).rejects.toMatchObject({ code: "person.deleting" })
      await expect(add(shareOf(viewer))).rejects.toMatchObject({ code: "person.deleting" })
      await store.log.remove(viewer.stream, {})
      while (!(await store.deletions.slice(viewer.person)));
      expect(await store.shares.findAll([toViewer.id, link.id])).toEqual([link])
      await store.deletions.begin(of.person, deleted(of.person))
      await store.log.remove(of.stream, {})
      while (!(await store.deletions.slice(of.person)));
      expect(await store.shares.of(of.person)).toEqual([])
    })
  })
}
