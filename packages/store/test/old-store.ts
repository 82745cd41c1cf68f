/** For the stores that persist data: an older store before it counted, and keys that grow old. */
import type { Store, Stored } from "@parlor/core"
import { expect } from "vitest"
import { append, change, commitOne, committed, message, newConversation, newPerson } from "./fixtures.ts"

/** More than two slices of events, and one of everything else. */
const APPENDS = 45
const EVENTS = 100

export async function fillOld(store: Store): Promise<{ readonly person: string; readonly stored: Stored }> {
  const person = newPerson()
  const { id } = await newConversation(store, person)
  for (let n = 0; n < APPENDS; n++)
    await committed(
      store,
      append(
        id,
        Array.from({ length: EVENTS }, (_, i) => message(`m${n}-${i}`, n * EVENTS + i + 1)),
      ),
    )
  await store.blobs.keep(id, `hash of ${person}`, new Uint8Array(77))
  await committed(
    store,
    append(id, [
      { ...change("files", "a"), operation: "insert" },
      { ...change("files", "b"), operation: "insert" },
    ]),
  )
  const attachment = { hash: `attached by ${person}`, name: "n", mediaType: "text/plain", bytes: 7, at: 1 }
  await store.blobs.attach(person, attachment, new Uint8Array(7))
  const times = { createdAt: 1, updatedAt: 1 }
  const written = { writtenBy: "person", writtenIn: null, ...times, body: "words" }
  await store.memories.put(
    person,
    { scope: "user", name: "n", description: "d", type: "t", pinned: false, ...written },
    9,
  )
  const schedule = { id: `t of ${person}`, kind: "schedule", person, stream: id, lookAt: null, live: true } as const
  await store.triggers.add({ ...schedule, version: 1, createdAt: 1, value: "{}" }, { per: "person", most: 9 })
  return { person, stored: await store.usage.stored(person) }
}

export async function keepUp(store: Store): Promise<void> {
  for (let n = 0; n < 1_000 && (await store.upkeep()); n++);
}

/** `age`: makes the key with that name this many days older. */
export async function expireKeys(store: Store, age: (key: string, days: number) => Promise<void>): Promise<void> {
  const { id } = await newConversation(store)
  const send = (key: string, answer: string) =>
    commitOne(store, append(id, [change("queue", answer)], { once: { key, hash: "h", answer } }))
  for (const key of ["old", "again", "young"]) expect(await send(key, `first ${key}`)).toMatchObject({ ok: true })
  expect(await send("old", "second")).toMatchObject({ why: "repeated", answer: "first old" })
  await age("old", 8)
  await age("again", 8)
  await age("young", 6)
  // Expired, although not deleted yet; used again, it is new.
  expect(await send("again", "second again")).toMatchObject({ ok: true })
  expect(await send("again", "third")).toMatchObject({ why: "repeated", answer: "second again" })
  expect(await send("young", "second")).toMatchObject({ why: "repeated", answer: "first young" })
  await keepUp(store)
}
