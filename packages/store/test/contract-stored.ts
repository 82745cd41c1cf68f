import { createHash } from "node:crypto"
import { EVENT_BYTES, type Memory, type Store, type Stored, type TriggerRecord } from "@parlor/core"
import type { StreamId } from "@parlor/protocol"
import { describe, expect, test } from "vitest"
import {
  allEvents,
  append,
  audit,
  change,
  commitOne,
  committed,
  delta,
  freeAll,
  message,
  newPerson,
} from "./fixtures.ts"
import type { GetStore } from "./get-store.ts"

const KINDS = ["schedule", "wakeup", "hook", "notice"] as const
const ROUNDS = 120

export function storedCases(getStore: GetStore): void {
  describe("stored bytes", () => {
    test("[SEC-23] the log of a conversation counts, for its person, when it is written and until it is deleted", async () => {
      const store = getStore()
      const person = newPerson()
      expect(await store.usage.stored(person)).toEqual(NOTHING)
      const { id } = await conversation(store, person, "a")
      // It has no messages yet.
      expect(await store.usage.stored(person)).toEqual(NOTHING)
      const changes = [message("m", 1), delta("n", 0, "é😀")]
      await committed(store, append(id, changes))
      const bytes = changes.reduce((sum, { value }) => sum + Buffer.byteLength(value) + EVENT_BYTES, 0)
      expect(await store.usage.stored(person)).toEqual({ ...NOTHING, conversations: 1, conversationBytes: bytes })
      await store.log.remove(id, { audit })
      expect(await store.usage.stored(person)).toEqual(NOTHING)
    })

    test("[SEC-23] an append that is rejected, or was carried out before, counts nothing; a feed counts for nobody", async () => {
      const store = getStore()
      const person = newPerson()
      const { id } = await conversation(store, person, "a")
      const feed = await store.log.ensure({ kind: "feed", person })
      const lease = { kind: "claim", owner: "me", ttlMs: 60_000 } as const
      const { epoch } = await committed(store, append(id, [change("queue", "q")], { lease }))
      const fed = { stream: feed.id, changes: [change("conversations", "x", { text: "y".repeat(500) })] }
      const one = append(id, [delta("m", 0)], { epoch, batch: 1, feed: fed })
      await committed(store, one)
      const before = await store.usage.stored(person)
      expect(before).toEqual(await recount(store, person, { streams: [id] }))
      expect(await commitOne(store, one)).toMatchObject({ ok: true, skipped: true })
      expect(await commitOne(store, append(id, [delta("m", 1)], { expect: 99 }))).toMatchObject({ why: "moved" })
      expect(await commitOne(store, append(id, [delta("m", 1)], { epoch: epoch - 1 }))).toMatchObject({ why: "fenced" })
      expect(await store.usage.stored(person)).toEqual(before)
    })

    test("[SEC-23] an import counts while it is written; once adopted it is one conversation, not two", async () => {
      const store = getStore()
      const person = newPerson()
      const over = await conversation(store, person, "a")
      await committed(store, append(over.id, [change("status", "s")]))
      const imported = await store.log.ensure({ kind: "import", agent: "helper", person, branch: `imp ${person}` })
      const content = new TextEncoder().encode(`imported by ${person}`)
      await store.blobs.keep(imported.id, hashOf(content), content)
      const lease = { kind: "claim", owner: "me", ttlMs: 60_000 } as const
      await committed(store, append(imported.id, [message("m", 1), message("n", 2)], { lease }))
      const streams = [over.id, imported.id]
      const contents = new Map([[hashOf(content), content.length]])
      expect(await store.usage.stored(person)).toEqual({
        ...(await recount(store, person, { streams, contents })),
        conversations: 1,
      })
      const seen = await store.log.find(over.key)
      const file = {
        hash: hashOf(content),
        name: "n",
        mediaType: "text/plain",
        bytes: content.length,
        at: 1,
        held: false,
      }
      const last = append(imported.id, [message("o", 3)])
      const { id, head, control } = seen ?? over
      expect(
        await store.log.adopt(imported.id, { over: { id, head, control }, append: last, attachments: [file] }),
      ).toMatchObject({ ok: true })
      expect(await store.usage.stored(person)).toEqual({
        ...(await recount(store, person, { streams: [imported.id], contents })),
        files: 1,
      })
      await store.log.remove(imported.id, { audit })
      expect(await store.usage.stored(person)).toEqual({ ...NOTHING, fileBytes: content.length, files: 1 })
      await store.blobs.detach(person, file.hash)
      expect(await store.usage.stored(person)).toEqual(NOTHING)
    })

    test("[SEC-23] a content counts once per person, however often they hold it", async () => {
      const store = getStore()
      const [ann, bob] = [newPerson(), newPerson()]
      const [a, b, other] = [
        await conversation(store, ann, "a"),
        await conversation(store, ann, "b"),
        await conversation(store, bob, "a"),
      ]
      const content = new TextEncoder().encode(`shared by ${ann}`)
      const hash = hashOf(content)
      for (const { id } of [a, b, other, a]) await store.blobs.keep(id, hash, content)
      const attached = { hash, name: "x", mediaType: "text/plain", bytes: content.length, at: 1 }
      await store.blobs.attach(ann, attached, content)
      await store.blobs.attach(ann, attached, content)
      const bytes = async () => [(await store.usage.stored(ann)).fileBytes, (await store.usage.stored(bob)).fileBytes]
      expect(await bytes()).toEqual([content.length, content.length])
      await store.blobs.detach(ann, hash)
      await store.log.remove(a.id, { audit })
      expect(await bytes()).toEqual([content.length, content.length])
      await store.log.remove(b.id, { audit })
      expect(await bytes()).toEqual([0, content.length])
      await store.log.remove(other.id, { audit })
      expect(await bytes()).toEqual([0, 0])
    })

    test("[SEC-42] files count while they are in a workspace, attachments while they are attached", async () => {
      const store = getStore()
      const person = newPerson()
      const [a, b] = [await conversation(store, person, "a"), await conversation(store, person, "b")]
      const feed = await store.log.ensure({ kind: "feed", person })
      const files = async () => (await store.usage.stored(person)).files
      const file = (path: string, operation: "insert" | "update" | "delete" = "insert") => ({
        ...change("files", path),
        operation,
      })
      await committed(store, append(a.id, [file("x"), file("y"), message("m", 1)]))
      expect(await files()).toBe(2)
      // Several appends of one batch, one of them rejected, one with a feed of the same person.
      const fed = { stream: feed.id, changes: [change("conversations", "c")] }
      const answers = await store.log.commit([
        append(a.id, [file("x", "update"), file("y", "delete"), file("z")]),
        append(b.id, [file("x"), file("w")], { feed: fed }),
        append(b.id, [file("never")], { expect: 99 }),
        append(b.id, [file("v")]),
      ])
      expect(answers.map(({ ok }) => ok)).toEqual([true, true, false, true])
      expect(await files()).toBe(5)
      const content = new TextEncoder().encode(`attached by ${person}`)
      const attached = {
        hash: hashOf(content),
        name: "n",
        mediaType: "text/plain",
        bytes: content.length,
        at: 1,
      }
      await store.blobs.attach(person, attached, content)
      await store.blobs.attach(person, attached, content)
      expect(await files()).toBe(6)
      expect(
        (await store.usage.people({ after: `${person.slice(0, -1)}`, limit: 1_000 })).find(
          (one) => one.person === person,
        )?.files,
      ).toBe(6)
      await store.log.remove(b.id, { audit })
      expect(await files()).toBe(3)
      await store.blobs.detach(person, attached.hash)
      expect(await files()).toBe(2)
      await store.log.remove(a.id, { audit })
      await freeAll(store)
      expect(await store.usage.stored(person)).toEqual(NOTHING)
    })

    test(`[SEC-23] after ${ROUNDS} changes, many at once, the count is what a recount finds`, async () => {
      const store = getStore()
      const person = newPerson()
      const kept = { streams: [] as StreamId[], contents: new Map<string, number>() }
      const work = Array.from({ length: ROUNDS }, (_, n) => async () => {
        const { id } = await conversation(store, person, `b${n % 7}`)
        if (n % 7 < 5 && !kept.streams.includes(id)) kept.streams.push(id)
        await committed(store, append(id, [message(`m${n}`, n, { text: `word${n}` }), delta(`n${n}`, n)]))
        const content = new TextEncoder().encode(`content ${n % 9} of ${person}`)
        if (n % 7 < 5) kept.contents.set(hashOf(content), content.length)
        await store.blobs.keep(id, hashOf(content), content)
        await store.memories.put(person, memory(`m${n % 5}`, "é".repeat(n)), 100)
        await store.triggers.add(trigger(person, `${person}-t${n}`, id), { per: "person", most: 1_000 })
        const firing = { trigger: `${person}-t${n}`, at: n, kind: "sent", value: JSON.stringify({ n }) } as const
        await store.triggers.putFiring({ ...firing, id: "f" })
        await store.triggers.change({ ...trigger(person, `${person}-t${n}`, id), version: 2, value: "{}" }, [
          { ...firing, id: "g" },
        ])
        if (n % 11 === 0) await store.triggers.delete(`${person}-t${n}`)
        if (n % 13 === 0) await store.memories.delete(person, "user", `m${n % 5}`)
      })
      for (let at = 0; at < work.length; at += 6) await Promise.all(work.slice(at, at + 6).map((run) => run()))
      for (const branch of ["b5", "b6"])
        await store.log.remove((await conversation(store, person, branch)).id, { audit })
      expect(await store.usage.stored(person)).toEqual(await recount(store, person, kept))
      for (const id of kept.streams) await store.log.remove(id, { audit })
      await freeAll(store)
      const { memoryBytes, ...rest } = await store.usage.stored(person)
      expect(rest).toEqual({ conversations: 0, conversationBytes: 0, fileBytes: 0, files: 0, triggerBytes: 0 })
      expect(memoryBytes).toBeGreaterThan(0)
    }, 60_000)
  })
}

const NOTHING: Stored = {
  conversations: 0,
  conversationBytes: 0,
  fileBytes: 0,
  files: 0,
  memoryBytes: 0,
  triggerBytes: 0,
}

/** Derived from what the store returns. */
async function recount(
  store: Store,
  person: string,
  kept: { readonly streams: readonly StreamId[]; readonly contents?: ReadonlyMap<string, number> },
): Promise<Stored> {
  const logs = await Promise.all(kept.streams.map((id) => allEvents(store, id)))
  const triggers = await store.triggers
    .of(person, KINDS.slice(0, 2))
    .then(async (some) => [...some, ...(await store.triggers.of(person, KINDS.slice(2)))])
  const firings = await store.triggers.firings(
    triggers.map(({ id }) => id),
    1_000,
  )
  const memories = (await store.memories.all(person)).filter(({ scope }) => scope === "user")
  const length = (texts: readonly string[]) => texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  return {
    conversations: logs.filter((log) => log.length > 0).length,
    conversationBytes: length(logs.flat().map(({ value }) => value)) + EVENT_BYTES * logs.flat().length,
    fileBytes: [...(kept.contents?.values() ?? [])].reduce((sum, bytes) => sum + bytes, 0),
    files: 0,
    memoryBytes: length(memories.flatMap(({ name, description, body }) => [name, description, body])),
    triggerBytes: length([...triggers, ...firings].map(({ value }) => value)),
  }
}

function conversation(store: Store, person: string, branch: string) {
  return store.log.ensure({ kind: "conversation", agent: "helper", person, branch })
}

function memory(name: string, body: string): Memory {
  const times = { createdAt: 1, updatedAt: 1 }
  return {
    scope: "user",
    name,
    description: "d",
    type: "fact",
    pinned: false,
    writtenBy: "person",
    writtenIn: null,
    ...times,
    body,
  }
}

function trigger(person: string, id: string, stream: StreamId): TriggerRecord {
  return {
    id,
    kind: "schedule",
    person,
    stream,
    lookAt: null,
    live: true,
    version: 1,
    createdAt: 1,
    value: '{"a":"é"}',
  }
}

function hashOf(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex")
}
