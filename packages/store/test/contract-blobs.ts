import { createHash, randomBytes } from "node:crypto"
import type { Attachment } from "@parlor/core"
import type { StreamId } from "@parlor/protocol"
import { describe, expect, test } from "vitest"
import { append, audit, change, freeAll, newConversation, newPerson } from "./fixtures.ts"
import type { GetStore } from "./get-store.ts"

const MIB = 1024 * 1024

export function blobCases(getStore: GetStore): void {
  describe("blobs", () => {
    test("a content of any length comes back byte for byte", async () => {
      const store = getStore()
      const { id } = await newConversation(store)
      for (const length of [0, 1, 255, MIB, MIB + 1, 2 * MIB, 3 * MIB + 17]) {
        // A view into a larger buffer, as a request's body may be.
        const content = new Uint8Array(randomBytes(length + 20).buffer).subarray(7, length + 7)
        const hash = hashOf(content)
        await store.blobs.keep(id, hash, content)
        await store.blobs.keep(id, hash, content)
        expect(Buffer.compare(new Uint8Array((await store.blobs.get(hash)) ?? []), content)).toBe(0)
        expect((await store.blobs.get(hash))?.length).toBe(length)
      }
      expect(await store.blobs.get("unknown")).toBeUndefined()
    })

    test("32 MiB are stored, and commits continue in the meantime", async () => {
      const store = getStore()
      const [big, other] = [await newConversation(store), await newConversation(store)]
      const content = randomBytes(32 * MIB)
      const hash = hashOf(content)
      let kept = false
      const keeping = store.blobs.keep(big.id, hash, content).then(() => (kept = true))
      let commits = 0
      for (; !kept; commits++) {
        await store.log.commit([append(other.id, [change("queue", `k${commits}`)])])
        await new Promise((resolve) => setImmediate(resolve))
      }
      await keeping
      expect(commits).toBeGreaterThan(0)
      expect(hashOf((await store.blobs.get(hash)) ?? new Uint8Array())).toBe(hash)
      await store.log.remove(big.id, { audit })
      await freeAll(store)
      expect(await store.blobs.get(hash)).toBeUndefined()
    }, 60_000)

    test("[WSP-5] a content of several conversations stays until the last of them is deleted", async () => {
      const store = getStore()
      const [a, b] = [await newConversation(store), await newConversation(store)]
      const shared = randomBytes(100)
      const own = randomBytes(2 * MIB)
      await store.blobs.keep(a.id, hashOf(shared), shared)
      await store.blobs.keep(b.id, hashOf(shared), shared)
      await store.blobs.keep(a.id, hashOf(own), own)
      await store.log.remove(a.id, { audit })
      await freeAll(store)
      expect(await store.blobs.get(hashOf(own))).toBeUndefined()
      expect(await store.blobs.get(hashOf(shared))).toEqual(new Uint8Array(shared))
      await store.log.remove(b.id, { audit })
      expect(await store.blobs.get(hashOf(shared))).toBeUndefined()
    })

    test("[SEC-11] a rejected removal drops no content; a deleted conversation holds none", async () => {
      const store = getStore()
      const stream = await newConversation(store)
      const feed = await store.log.ensure({ kind: "feed", person: stream.key.person })
      const content = randomBytes(50)
      await store.blobs.keep(stream.id, hashOf(content), content)
      const refused = append(feed.id, [change("conversations", "x")], { expect: 5 })
      expect(await store.log.remove(stream.id, { feed: refused, audit })).toEqual({ ok: false, why: "moved" })
      expect(await store.blobs.get(hashOf(content))).toBeDefined()
      await store.log.remove(stream.id, { audit })
      for (const length of [50, 2 * MIB]) {
        const late = randomBytes(length)
        await store.blobs.keep(stream.id, hashOf(late), late)
        expect(await store.blobs.get(hashOf(late))).toBeUndefined()
      }
      await store.blobs.keep(999_999_999 as StreamId, hashOf(content), content)
      expect(await store.blobs.get(hashOf(content))).toBeUndefined()
    })

    test("each person sees what they attached, stored once; the first name stays", async () => {
      const store = getStore()
      const [ann, bob] = [newPerson(), newPerson()]
      const [one, two] = [randomBytes(300), randomBytes(MIB + 1)]
      const attached = (content: Uint8Array, name: string): Attachment => {
        return { hash: hashOf(content), name, mediaType: "text/plain", bytes: content.length, at: 5 }
      }
      await store.blobs.attach(ann, attached(one, "ann.txt"), one)
      await store.blobs.attach(ann, { ...attached(one, "again.txt"), at: 6 }, one)
      await store.blobs.attach(ann, attached(two, "two.txt"), two)
      expect(await store.blobs.attachment(bob, hashOf(one))).toBeUndefined()
      await store.blobs.attach(bob, attached(one, "bob.txt"), one)
      expect(await store.blobs.attachment(ann, hashOf(one))).toEqual(attached(one, "ann.txt"))
      expect(await store.blobs.attachment(bob, hashOf(one))).toEqual(attached(one, "bob.txt"))
      expect(await store.blobs.attachment(bob, hashOf(two))).toBeUndefined()
      expect([await store.blobs.attachedBytes(ann), await store.blobs.attachedBytes(bob)]).toEqual([300 + MIB + 1, 300])
      expect(await store.blobs.attachedBytes(newPerson())).toBe(0)
    })

    test("[CMP-15] a person's attachments are listed by page, newest first", async () => {
      const store = getStore()
      const ann = newPerson()
      const times = [3, 1, 2, 2, 2, 9]
      const files = times.map((at, i): Attachment => {
        const content = Buffer.from(`${ann} ${i}`)
        return { hash: hashOf(content), name: `${i}`, mediaType: "text/plain", bytes: content.length, at }
      })
      for (const [i, file] of files.entries()) await store.blobs.attach(ann, file, Buffer.from(`${ann} ${i}`))
      const wanted = files.toSorted((a, b) => b.at - a.at || (a.hash < b.hash ? 1 : -1))
      expect(await store.blobs.attachments(ann, { limit: 100 })).toEqual(wanted)
      const pages: Attachment[] = []
      for (let after: Attachment | undefined, more = true; more; after = pages.at(-1)) {
        const page = await store.blobs.attachments(ann, { limit: 2, ...(after && { after }) })
        pages.push(...page)
        more = page.length > 0
      }
      expect(pages).toEqual(wanted)
      expect(await store.blobs.attachments(newPerson(), { limit: 5 })).toEqual([])
    })

    test("[CMP-15] a detached content is gone for that person, and deleted with its last holder", async () => {
      const store = getStore()
      const stream = await newConversation(store)
      const [ann, bob] = [newPerson(), newPerson()]
      for (const length of [40, 2 * MIB]) {
        const content = randomBytes(length)
        const hash = hashOf(content)
        const file = { hash, name: "f", mediaType: "text/plain", bytes: length, at: 1 }
        for (const person of [ann, bob]) await store.blobs.attach(person, file, content)
        await store.blobs.keep(stream.id, hash, content)
        expect(await store.blobs.detach(newPerson(), hash)).toBe(false)
        expect(await store.blobs.detach(ann, hash)).toBe(true)
        expect(await store.blobs.detach(ann, hash)).toBe(false)
        expect(await store.blobs.attachment(ann, hash)).toBeUndefined()
        expect(await store.blobs.attachedBytes(ann)).toBe(0)
        expect(await store.blobs.attachment(bob, hash)).toEqual(file)
        expect(await store.blobs.detach(bob, hash)).toBe(true)
        expect((await store.blobs.get(hash))?.length).toBe(length)
        await store.blobs.attach(ann, file, content)
        expect(await store.blobs.attachment(ann, hash)).toEqual(file)
        expect(await store.blobs.detach(ann, hash)).toBe(true)
      }
      await store.log.remove(stream.id, { audit })
      const content = randomBytes(64)
      await store.blobs.attach(
        ann,
        { hash: hashOf(content), name: "g", mediaType: "text/plain", bytes: 64, at: 2 },
        content,
      )
      await store.blobs.detach(ann, hashOf(content))
      expect(await store.blobs.get(hashOf(content))).toBeUndefined()
    })

    test("[CMP-15] attached and detached at once, it is complete or missing", async () => {
      const store = getStore()
      for (let round = 0; round < 10; round++) {
        const content = randomBytes(round % 2 === 0 ? 200 : MIB + round)
        const file = { hash: hashOf(content), name: "f", mediaType: "text/plain", bytes: content.length, at: round }
        const people = Array.from({ length: 6 }, () => newPerson())
        await Promise.all(
          people.map(async (person, i) => {
            await store.blobs.attach(person, file, content)
            if (i % 2 === 0) expect(await store.blobs.detach(person, file.hash)).toBe(true)
          }),
        )
        expect(Buffer.compare((await store.blobs.get(file.hash)) ?? new Uint8Array(), content)).toBe(0)
        await Promise.all(people.map((person) => store.blobs.detach(person, file.hash)))
        expect(await store.blobs.get(file.hash)).toBeUndefined()
      }
    }, 60_000)

    test("[SEC-11] an attachment outlives the conversation it was used in", async () => {
      const store = getStore()
      const stream = await newConversation(store)
      const content = randomBytes(64)
      const hash = hashOf(content)
      await store.blobs.keep(stream.id, hash, content)
      const file = { hash, name: "f", mediaType: "text/plain", bytes: 64, at: 1 }
      await store.blobs.attach(stream.key.person, file, content)
      await store.log.remove(stream.id, { audit })
      expect(await store.blobs.get(hash)).toEqual(new Uint8Array(content))
    })

    test("[WSP-5] of one content that is stored and dropped at once, what is held is complete", async () => {
      const store = getStore()
      for (let round = 0; round < 10; round++) {
        const content = randomBytes(round % 2 === 0 ? 200 : MIB + round)
        const hash = hashOf(content)
        const streams = await Promise.all(Array.from({ length: 6 }, () => newConversation(store)))
        await Promise.all(
          streams.map(async ({ id }, i) => {
            await store.blobs.keep(id, hash, content)
            if (i % 2 === 0) await store.log.remove(id, { audit })
          }),
        )
        expect(Buffer.compare((await store.blobs.get(hash)) ?? new Uint8Array(), content)).toBe(0)
        await Promise.all(streams.map(({ id }) => store.log.remove(id, { audit })))
        await freeAll(store)
        expect(await store.blobs.get(hash)).toBeUndefined()
      }
    }, 60_000)
  })
}

function hashOf(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex")
}
