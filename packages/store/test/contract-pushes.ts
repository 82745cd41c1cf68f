import type { PushRecord } from "@parlor/core"
import { describe, expect, test } from "vitest"
import { newPerson } from "./fixtures.ts"
import type { GetStore } from "./get-store.ts"

let made = 0

function subscription(person: string, more: Partial<PushRecord> = {}): PushRecord {
  made += 1
  return {
    id: `push_${made}_${person}`,
    person,
    endpoint: `https://push.example/${made}`,
    p256dh: "key",
    auth: "auth",
    serverKey: "server",
    device: 'Phone "é😀"',
    showsText: false,
    keyHash: null,
    seenAt: made,
    ...more,
  }
}

export function pushCases(getStore: GetStore): void {
  describe("pushes", () => {
    test("[APP-6] are each person's own, the one seen last first; one that subscribes again is replaced", async () => {
      const { pushes } = getStore()
      const [ann, bob] = [newPerson(), newPerson()]
      const [phone, desk] = [subscription(ann), subscription(ann, { showsText: true, keyHash: "hash" })]
      expect(await pushes.of(ann)).toEqual([])
      await pushes.put(phone, 5)
      await pushes.put(desk, 5)
      expect(await pushes.of(ann)).toEqual([desk, phone])
      const again = { ...phone, device: "New phone", seenAt: desk.seenAt + 1 }
      await pushes.put(again, 5)
      expect(await pushes.of(ann)).toEqual([again, desk])
      expect(await pushes.of(bob)).toEqual([])
      expect(await pushes.remove(bob, phone.id)).toBe(false)
      expect(await pushes.remove(ann, phone.id)).toBe(true)
      expect(await pushes.remove(ann, phone.id)).toBe(false)
      expect(await pushes.of(ann)).toEqual([desk])
    })

    test("[APP-6] a browser belongs to the person who subscribed last", async () => {
      const { pushes } = getStore()
      const [ann, bob] = [newPerson(), newPerson()]
      const browser = subscription(ann)
      await pushes.put(browser, 5)
      await pushes.put({ ...browser, person: bob }, 5)
      expect(await pushes.of(ann)).toEqual([])
      expect(await pushes.of(bob)).toEqual([{ ...browser, person: bob }])
    })

    test("[APP-6] of one person only the newest stay, even when they subscribe at once", async () => {
      const { pushes } = getStore()
      const [person, other] = [newPerson(), newPerson()]
      const all = Array.from({ length: 6 }, () => subscription(person))
      const theirs = subscription(other)
      await pushes.put(theirs, 3)
      await Promise.all(all.map((one) => pushes.put(one, 3)))
      expect(await pushes.of(person)).toHaveLength(3)
      const newest = subscription(person)
      await pushes.put(newest, 3)
      expect((await pushes.of(person))[0]).toEqual(newest)
      expect(await pushes.of(person)).toHaveLength(3)
      expect(await pushes.of(other)).toEqual([theirs])
    })

    test("[APP-6, SEC-25] are deleted with the person, and no new ones are stored meanwhile", async () => {
      const { pushes, deletions } = getStore()
      const [person, other] = [newPerson(), newPerson()]
      await pushes.put(subscription(person), 5)
      await pushes.put(subscription(other), 5)
      expect(await deletions.begin(person, { at: 1, person, act: "person.deleted", subject: "" })).toBe("begun")
      await expect(pushes.put(subscription(person), 5)).rejects.toMatchObject({ code: "person.deleting" })
      while (!(await deletions.slice(person)));
      expect(await pushes.of(person)).toEqual([])
      expect(await pushes.of(other)).toHaveLength(1)
    })

    test("[APP-7] the key pair is made once; a change names the one it replaces", async () => {
      const { pushes } = getStore()
      expect(await pushes.keys()).toBeUndefined()
      expect(await pushes.setKeys({ publicKey: "a", secret: "s" }, "none")).toBe(false)
      const made = ["a", "b", "c"].map((publicKey) => pushes.setKeys({ publicKey, secret: "s" }, undefined))
      expect((await Promise.all(made)).filter(Boolean)).toHaveLength(1)
      const first = (await pushes.keys())?.publicKey ?? ""
      expect(await pushes.setKeys({ publicKey: "d", secret: "s" }, undefined)).toBe(false)
      expect(await pushes.setKeys({ publicKey: first, secret: "sealed again" }, first)).toBe(true)
      expect(await pushes.keys()).toEqual({ publicKey: first, secret: "sealed again" })
    })
  })
}
