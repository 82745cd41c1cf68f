import { createHash } from "node:crypto"
import type { AuditEntry, Linked, Store } from "@parlor/core"
import { Refusal } from "@parlor/protocol"
import { describe, expect, test } from "vitest"
import { append, audit, change, commitOne, newConversation, newPerson } from "./fixtures.ts"
import type { GetStore } from "./get-store.ts"

const OPTIONS = { most: 3, dropAttachments: false }
const PAGE = { after: "", limit: 100 }
const NOTHING = { conversations: 0, memories: 0, triggers: 0, keys: 0, attachments: 0 }

export function linkCases(getStore: GetStore, readAudit: () => Promise<readonly AuditEntry[]>): void {
  const link = (name: string, person: string, rest: Partial<typeof OPTIONS> = {}, by: AuditEntry = audit) =>
    getStore().links.link({ name, person, createdAt: 5 }, { ...OPTIONS, ...rest }, by)

  describe("links", () => {
    test("[ADR-4] names are linked, listed and unlinked, each once and with its line in the audit", async () => {
      const store = getStore()
      const person = newPerson()
      const by = (act: string) => ({ ...audit, person, act })
      const [b, a] = [`${person}:b😀`, `${person}:a`]
      expect(await link(b, person, {}, by("link b"))).toEqual({ ok: true, link: { name: b, person, createdAt: 5 } })
      await link(a, person, {}, by("link a"))
      expect((await store.links.link({ name: a, person, createdAt: 9 }, OPTIONS, by("again"))) as unknown).toEqual({
        ok: true,
        link: { name: a, person, createdAt: 5 },
      })
      const names = async (of: Parameters<Store["links"]["list"]>[0], page = PAGE) =>
        (await store.links.list(of, page)).map(({ name }) => name)
      expect(await names({ person })).toEqual([a, b])
      expect(await names({ person: "nobody", prefix: person })).toEqual([a, b])
      expect(await names({ person: "nobody", prefix: `${person}😀` })).toEqual([])
      expect(await names({ person }, { after: a, limit: 1 })).toEqual([b])
      expect(await store.links.named([a, person, b.toUpperCase()])).toEqual([{ name: a, person, createdAt: 5 }])

      expect(await store.links.unlink({ name: a, person: b }, by("not theirs"))).toBe(false)
      expect(await store.links.unlink({ name: a, person }, by("unlink a"))).toBe(true)
      expect(await store.links.unlink({ name: a, person }, by("twice"))).toBe(false)
      expect(await names({ person })).toEqual([b])
      const acts = (await readAudit()).filter((entry) => entry.person === person).map((entry) => entry.act)
      expect(acts).toEqual(["link b", "link a", "unlink a"])
    })

    test("[ADR-4] names are one level deep, belong to one person, and are limited in number", async () => {
      const [ana, name, other] = [newPerson(), newPerson(), newPerson()]
      await link(name, ana)
      expect(await link(name, other)).toEqual({ ok: false, why: "taken", person: ana })
      expect(await link(other, name)).toEqual({ ok: false, why: "is-name", person: ana })
      expect(await link(ana, other)).toEqual({ ok: false, why: "has-names" })
      expect(await link(other, ana, { most: 1 })).toEqual({ ok: false, why: "full" })
      const [x, y] = [newPerson(), newPerson()]
      const both = await Promise.all([link(x, y), link(y, x)])
      expect(both.map(({ ok }) => ok).sort()).toEqual([false, true])
    })

    test.each(Object.keys(MAKERS) as (keyof typeof MAKERS)[])(
      "[ADR-4] a name that has %s is not linked; one that is linked gets none until it is unlinked",
      async (what) => {
        const store = getStore()
        const [ana, name] = [newPerson(), newPerson()]
        await MAKERS[what](store, name)
        expect(await link(name, ana)).toEqual({ ok: false, why: "not-empty", has: { ...NOTHING, [what]: 1 } })
        expect(await store.links.named([name])).toEqual([])

        const empty = newPerson()
        expect(await link(empty, ana)).toMatchObject({ ok: true })
        await expect(MAKERS[what](store, empty)).rejects.toMatchObject({ name: "Refusal", code: "person.linked" })
        await store.links.unlink({ name: empty, person: ana }, audit)
        await MAKERS[what](store, empty)
        expect(await link(empty, ana)).toMatchObject({ ok: false, why: "not-empty" })
      },
    )

    test("[ADR-4] deleted things do not count, nor do revoked keys and project memories", async () => {
      const store = getStore()
      const [ana, name] = [newPerson(), newPerson()]
      const stream = await newConversation(store, name)
      await store.log.ensure({ kind: "feed", person: name })
      await commitOne(store, append(stream.id, [change("queue", "a")]))
      await store.log.remove(stream.id, { audit })
      await MAKERS.memories(store, name)
      await store.memories.delete(name, "user", "tea")
      await MAKERS.keys(store, name)
      await store.keys.revoke(name, `key-${name}`, audit)
      await store.memories.put(name, { ...memory, scope: "project", name: `of-${name}` }, 100_000)
      expect(await link(name, ana)).toMatchObject({ ok: true })
    })

    test("[ADR-4] attachments prevent a link unless dropped explicitly, and are dropped for this name only", async () => {
      const store = getStore()
      const [ana, name, other] = [newPerson(), newPerson(), newPerson()]
      for (const person of [name, other]) await MAKERS.attachments(store, person)
      const own = bytesOf(`only of ${name}`)
      await store.blobs.attach(name, attachment(own), own)
      expect(await link(name, ana)).toMatchObject({ why: "not-empty", has: { attachments: 2 } })
      expect(await link(name, ana, { dropAttachments: true })).toMatchObject({ ok: true })
      expect(await store.blobs.attachedBytes(name)).toBe(0)
      expect(await store.blobs.get(attachment(own).hash)).toBeUndefined()
      expect(await store.blobs.get(attachment(shared).hash)).toEqual(shared)
      expect(await store.blobs.attachedBytes(other)).toBe(shared.length)
    })

    test("[ADR-4] a conversation without messages does not count: it is deleted, and a first message to it comes too late", async () => {
      const store = getStore()
      const [ana, name] = [newPerson(), newPerson()]
      const stream = await newConversation(store, name)
      expect(await link(name, ana)).toMatchObject({ ok: true })
      expect(await commitOne(store, append(stream.id, [change("queue", "a")]))).toEqual({ ok: false, why: "gone" })
      expect(await store.log.find(stream.key)).toBeUndefined()
    })

    test("[ADR-4] of a link and the name's first thing, at the same moment, one wins", async () => {
      const store = getStore()
      const ana = newPerson()
      for (const [what, make] of Object.entries(MAKERS))
        for (const isLinkFirst of [true, false, true, false]) {
          const name = newPerson()
          const linking = () => link(name, ana, { most: 1_000 })
          const making = () =>
            make(store, name).then(
              () => "made" as const,
              (error: unknown) => (error instanceof Refusal ? error.code : Promise.reject(error)),
            )
          const [linked, made] = isLinkFirst
            ? await Promise.all([linking(), making()])
            : await Promise.all([making(), linking()]).then(([made, linked]) => [linked, made] as const)
          expect({ what, outcome: outcomeOf(linked), made }).toEqual(
            linked.ok
              ? { what, outcome: "linked", made: "person.linked" }
              : { what, outcome: "not-empty", made: "made" },
          )
        }
    })
  })
}

function outcomeOf(linked: Linked): string {
  return linked.ok ? "linked" : linked.why
}

/** Each creates one thing that belongs to a person. */
const MAKERS = {
  conversations: async (store: Store, person: string) => {
    const { id } = await newConversation(store, person)
    const answer = await commitOne(store, append(id, [change("queue", "a")]))
    if (!answer.ok) throw new Refusal("person.linked", answer.why)
  },
  memories: async (store: Store, person: string) => void (await store.memories.put(person, memory, 100)),
  attachments: (store: Store, person: string) => store.blobs.attach(person, attachment(shared), shared),
  triggers: async (store: Store, person: string) => {
    const record = { id: `ntc-${person}`, kind: "notice", person, stream: null, lookAt: null, live: true } as const
    await store.triggers.add({ ...record, version: 1, createdAt: 1, value: "{}" }, { per: "person", most: 9 })
  },
  keys: (store: Store, person: string) => {
    const key = {
      id: `key-${person}`,
      hash: `hash-${person}`,
      person,
      name: "k",
      scopes: [],
      actFor: null,
      asMaker: true,
      madeBy: null,
    } as const
    return store.keys.add({ ...key, createdAt: 1, expiresAt: null, revokedAt: null }, audit)
  },
}

const memory = {
  scope: "user",
  name: "tea",
  description: "Likes tea",
  type: "user",
  pinned: false,
  writtenBy: "person",
  writtenIn: null,
  createdAt: 1,
  updatedAt: 1,
  body: "Green.",
} as const

const shared = bytesOf("what two people attached")

function attachment(bytes: Uint8Array) {
  const hash = createHash("sha256").update(bytes).digest("hex")
  return { hash, name: "note.txt", mediaType: "text/plain", bytes: bytes.length, at: 1 }
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
