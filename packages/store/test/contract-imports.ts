import { createHash } from "node:crypto"
import type { Append, Attachment, Store, Stream } from "@parlor/core"
import type { StreamId, TxId } from "@parlor/protocol"
import { describe, expect, test } from "vitest"
import { allEvents, append, audit, change, committed, message, newConversation, newPerson } from "./fixtures.ts"
import type { GetStore } from "./get-store.ts"

const NOW = 1_700_000_000_000
const LEASE = { kind: "claim", owner: "node", ttlMs: 60_000 } as const
const RELEASE = { kind: "release" } as const
const MAX_SLICES = 100

export function importCases(getStore: GetStore): void {
  describe("imports", () => {
    test("[LOG-28] an import is at no address and in no search until it takes the place of an empty conversation", async () => {
      const store = getStore()
      const { person, over, staged } = await begun(store)
      await committed(store, append(staged.id, texts("early", 3)))
      const found = () => store.search.find(person, "early", { limit: 10, now: NOW })
      expect(await found()).toEqual([])
      expect((await store.log.find(over.key))?.id).toBe(over.id)
      expect(await store.log.adopt(staged.id, adoption(over, staged))).toMatchObject({ ok: true, head: 4 })
      expect(await store.log.find(over.key)).toMatchObject({ id: staged.id, key: over.key, head: 4 })
      expect(await store.log.find(staged.key)).toBeUndefined()
      expect(await store.log.read(over.id, [])).toBeUndefined()
      expect((await found()).map((hit) => hit.kind === "message" && hit.address)).toEqual(
        Array.from({ length: 3 }, () => ({ agent: "helper", person, branch: "main" })),
      )
      expect((await allEvents(store, staged.id)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
      await committed(store, append(staged.id, [message("next", 4)]))
      await store.log.remove(staged.id, { audit })
    })

    test("[LOG-28] the last step is rejected if the conversation was written to since, and nothing is changed", async () => {
      const store = getStore()
      const { over, staged } = await begun(store)
      const asSeen = adoption(over, staged)
      await committed(store, append(over.id, [change("queue", "q")]))
      expect(await store.log.adopt(staged.id, asSeen)).toEqual({ ok: false, why: "moved" })
      expect(await store.log.find(staged.key)).toMatchObject({ id: staged.id, head: 0 })
      expect((await store.log.find(over.key))?.id).toBe(over.id)
      await store.log.remove(over.id, { audit })
      expect(await store.log.adopt(staged.id, asSeen)).toEqual({ ok: false, why: "gone" })
      await store.log.remove(staged.id, { audit })
      expect(await store.log.adopt(staged.id, asSeen)).toEqual({ ok: false, why: "gone" })
    })

    test("[LOG-28] the feed is updated in the same transaction", async () => {
      const store = getStore()
      const { person, over, staged } = await begun(store)
      const feed = await store.log.ensure({ kind: "feed", person })
      const row = change("conversations", "helper/main", {}, { ord: 1 })
      const told = adoption(over, staged, { feed: { stream: feed.id, changes: [row] } })
      expect(await store.log.adopt(staged.id, told)).toMatchObject({ ok: true, feedHead: 1 })
      expect(await allEvents(store, feed.id)).toHaveLength(1)
    })

    test("[LOG-30] an idempotency key of the conversation, or of the import, is known afterwards and rejects a repetition", async () => {
      const store = getStore()
      const { over, staged } = await begun(store)
      const [early, own] = ["early", "own"].map((key) => ({ key, hash: "h", answer: `"${key}"` })) as [Once, Once]
      await committed(store, append(over.id, [], { once: early }))
      const repeated = adoption(over, staged, { once: early })
      expect(await store.log.adopt(staged.id, repeated)).toMatchObject({
        ok: false,
        why: "repeated",
        answer: '"early"',
      })
      expect(await store.log.adopt(staged.id, adoption(over, staged, { once: own }))).toMatchObject({ ok: true })
      for (const once of [early, own])
        expect((await store.log.commit([append(staged.id, [], { once })]))[0]).toMatchObject({
          ok: false,
          why: "repeated",
        })
    })

    test("[LOG-29] content of an import becomes an attachment of its person, held by the conversation only if it names it", async () => {
      const store = getStore()
      const { person, over, staged } = await begun(store)
      const [free, kept] = [content("free"), content("kept")]
      for (const { hash, bytes } of [free, kept]) await store.blobs.keep(staged.id, hash, bytes)
      const attachments = [
        { ...attached(free.hash), held: false },
        { ...attached(kept.hash), held: true },
      ]
      expect(await store.blobs.attachment(person, free.hash)).toBeUndefined()
      await store.log.adopt(staged.id, { ...adoption(over, staged), attachments })
      expect(await store.blobs.attachment(person, free.hash)).toEqual(attached(free.hash))
      for (const { hash } of [free, kept]) expect(await store.blobs.detach(person, hash)).toBe(true)
      expect(await store.blobs.get(free.hash)).toBeUndefined()
      expect(await store.blobs.get(kept.hash)).toBeDefined()
      await store.log.remove(staged.id, { audit })
      expect(await store.blobs.get(kept.hash)).toBeUndefined()
    })

    test("[LOG-28] one whose lease has ended is deleted slice by slice, with its contents, and nothing else is", async () => {
      const store = getStore()
      const { person, over, staged } = await begun(store)
      const other = await newImport(store, person)
      const unclaimed = await newImport(store, person)
      const kept = content("abandoned")
      await store.blobs.keep(staged.id, kept.hash, kept.bytes)
      await committed(store, append(staged.id, texts("abandoned", 600), { lease: LEASE }))
      await committed(store, append(other.id, texts("living", 1), { lease: LEASE }))
      await dropAll(store)
      expect(await store.log.find(staged.key)).toMatchObject({ head: 600 })
      await committed(store, append(staged.id, [], { lease: RELEASE }))
      expect(await dropAll(store)).toBeGreaterThan(0)
      expect(await store.log.find(staged.key)).toBeUndefined()
      expect(await store.log.events(staged.id, 0, { count: 1, bytes: 1 })).toBeUndefined()
      expect(await store.blobs.get(kept.hash)).toBeUndefined()
      expect(await store.log.find(other.key)).toMatchObject({ head: 1 })
      expect(await store.log.find(unclaimed.key)).toMatchObject({ head: 0 })
      expect(await store.log.find(over.key)).toMatchObject({ id: over.id })
      expect((await store.log.commit([append(staged.id, [message("late", 1)])]))[0]).toEqual({ ok: false, why: "gone" })
      await store.log.remove(other.id, { audit })
    })

    test("[LOG-28] triggers of the empty conversation move to the one in its place", async () => {
      const store = getStore()
      const { person, over, staged } = await begun(store)
      const record = {
        id: `sch_${person}`,
        kind: "schedule",
        person,
        stream: over.id,
        lookAt: null,
        live: true,
        version: 1,
        createdAt: 1,
        value: "{}",
      } as const
      expect(await store.triggers.add(record, { per: "person", most: 5 })).toBe("added")
      await store.log.adopt(staged.id, adoption(over, staged))
      expect(await store.triggers.on(staged.id, "schedule")).toMatchObject([{ id: record.id, stream: staged.id }])
      await store.log.remove(staged.id, { audit })
      expect(await store.triggers.get(record.id)).toBeUndefined()
    })
  })
}

type Once = NonNullable<Append["once"]>

let imports = 0

function newImport(store: Store, person: string): Promise<Stream> {
  imports += 1
  return store.log.ensure({ kind: "import", agent: "helper", person, branch: `imp_${imports}` })
}

async function begun(store: Store) {
  const person = newPerson()
  const over = await newConversation(store, person)
  const staged = await newImport(store, person)
  await committed(store, append(staged.id, [], { lease: LEASE }))
  return { person, over, staged }
}

function adoption(over: Stream, staged: Pick<Stream, "id">, rest: Partial<Append> = {}) {
  const status = change("status", "status")
  return { over, append: append(staged.id as StreamId, [status], { txid: "tx" as TxId, ...rest }), attachments: [] }
}

function texts(word: string, count: number) {
  return Array.from({ length: count }, (_, i) => message(`${word}${i}`, i + 1, { text: `${word} text ${i}`, at: NOW }))
}

function content(text: string) {
  const bytes = new Uint8Array(Buffer.from(`${text} ${process.pid} ${Math.random()}`))
  return { bytes, hash: createHash("sha256").update(bytes).digest("hex") }
}

function attached(hash: string): Attachment {
  return { hash, name: "a.txt", mediaType: "text/plain", bytes: 5, at: 7 }
}

async function dropAll(store: Store): Promise<number> {
  let slices = 0
  while (await store.log.freeSlice()) {
    slices += 1
    if (slices > MAX_SLICES) throw new Error("it does not end")
  }
  return slices
}
