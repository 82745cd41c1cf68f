import type { AuditEntry } from "@parlor/core"
import { describe, expect, test } from "vitest"
import { append, audit, committed, message, newConversation, newPerson } from "./fixtures.ts"
import type { GetStore } from "./get-store.ts"

export function deletionCases(getStore: GetStore, readAudit: () => Promise<readonly AuditEntry[]>): void {
  describe("deleting a person", () => {
    const deleted = (person: string) => ({ at: 7, person: "admin", act: "person.deleted", subject: person })
    const key = (person: string) => ({
      id: `key of ${person}`,
      person,
      name: "k",
      hash: `hash of ${person}`,
      scopes: ["read"] as const,
      actFor: null,
      createdAt: 1,
      expiresAt: null,
      revokedAt: null,
      asMaker: true,
      madeBy: null,
    })

    test("[SEC-25] a person without data has nothing to delete", async () => {
      const store = getStore()
      const person = newPerson()
      expect(await store.deletions.begin(person, deleted(person))).toBe("nothing")
      expect(await store.deletions.all()).not.toContainEqual(expect.objectContaining({ person }))
      expect((await readAudit()).filter(({ subject }) => subject === person)).toEqual([])
    })

    test("[SEC-25] once marked, nothing can be created under the name; after the mark is removed, it can", async () => {
      const store = getStore()
      const [person, other] = [newPerson(), newPerson()]
      const { id } = await newConversation(store, person)
      await committed(store, append(id, [message("m", 1)]))
      expect(await store.deletions.begin(person, deleted(person))).toBe("begun")
      expect(await store.deletions.begin(person, deleted(person))).toBe("running")
      const file = { hash: `h-${person}`, name: "n", mediaType: "text/plain", bytes: 1, at: 1 }
      const times = { createdAt: 1, updatedAt: 1 }
      const words = { description: "d", type: "t", body: "b", pinned: false, writtenBy: "person", writtenIn: null }
      const schedule = { id: `s-${person}`, kind: "schedule", person, stream: null, lookAt: null, live: true } as const
      const making = [
        () => store.log.ensure({ kind: "conversation", agent: "helper", person, branch: "other" }),
        () => store.log.ensure({ kind: "feed", person }),
        () => store.blobs.attach(person, file, new Uint8Array(1)),
        () => store.memories.put(person, { scope: "user", name: "n", ...words, ...times }, 9),
        () => store.triggers.add({ ...schedule, version: 1, createdAt: 1, value: "{}" }, { per: "person", most: 9 }),
        () => store.keys.add(key(person), audit),
        () => store.links.link({ name: other, person, createdAt: 1 }, { most: 9, dropAttachments: false }, audit),
      ]
      for (const make of making) await expect(make()).rejects.toMatchObject({ code: "person.deleting" })
      expect(await store.log.streamsOf(person, 9)).toMatchObject([{ id }])
      await store.log.remove(id, {})
      while (!(await store.deletions.slice(person)));
      expect(await store.deletions.all()).toContainEqual({ person, isDone: true })
      await store.deletions.end(60_000)
      await expect(store.log.ensure({ kind: "feed", person })).rejects.toMatchObject({ code: "person.deleting" })
      await store.deletions.end(-60_000)
      expect(await store.deletions.all()).not.toContainEqual(expect.objectContaining({ person }))
      for (const make of making.slice(0, 6)) await make()
    })

    test("[SEC-25] all of a person's data is deleted, and nothing of anyone else's; the audit loses the name", async () => {
      const store = getStore()
      const [person, other, name] = [newPerson(), newPerson(), newPerson()]
      const content = new TextEncoder().encode(`shared by ${person}`)
      const file = { hash: `shared-${person}`, name: "n", mediaType: "text/plain", bytes: content.length, at: 1 }
      for (const who of [person, other]) {
        const { id } = await newConversation(store, who)
        await committed(store, append(id, [message("m", 1, { text: `word of ${who}` })]))
        await store.blobs.attach(who, file, content)
        await store.keys.add(key(who), { at: 1, person: who, act: "key.made", subject: `key of ${who}` })
      }
      const linking = { at: 1, person: other, act: "name.linked", subject: `"${name}" of "${person}"` }
      await store.links.link({ name, person, createdAt: 1 }, { most: 9, dropAttachments: false }, linking)
      await store.deletions.begin(person, deleted(person))
      for (const { id } of await store.log.streamsOf(person, 9)) await store.log.remove(id, {})
      while (!(await store.deletions.slice(person)));
      expect(await store.keys.of(person)).toEqual([])
      expect(await store.links.list({ person }, { after: "", limit: 9 })).toEqual([])
      expect(await store.blobs.attachedBytes(person)).toBe(0)
      expect((await store.usage.stored(person)).fileBytes).toBe(0)
      expect(await store.keys.of(other)).toHaveLength(1)
      expect((await store.usage.stored(other)).fileBytes).toBe(content.length)
      expect(await store.blobs.get(file.hash)).toEqual(content)
      const lines = await readAudit()
      expect(lines.filter((line) => JSON.stringify(line).includes(person))).toMatchObject([
        { person: "admin", act: "person.deleted", subject: person },
      ])
      expect(lines.filter((line) => line.person === other)).toHaveLength(2)
      await store.deletions.end(-60_000)
      expect(await store.deletions.begin(person, deleted(person))).toBe("nothing")
    })
  })
}
