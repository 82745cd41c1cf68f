import { FakeClock, MemoryStore } from "@parlor/core/testing"
import { expect, test } from "vitest"
import type { Caller } from "./caller.ts"
import { Names, underOnePerson } from "./names.ts"

const audit = { at: 1, person: "me", act: "test", subject: "test" }
const options = { most: 10, dropAttachments: false }
const link = (store: MemoryStore) => store.links.link({ name: "b", person: "ana", createdAt: 1 }, options, audit)

function counted(store: MemoryStore, { shared = true } = {}) {
  const seen = { reads: 0 }
  const named: MemoryStore["links"]["named"] = (names) => {
    seen.reads += 1
    return store.links.named(names)
  }
  const watch = store.watch.bind(store)
  return { seen, store: { links: { named }, ...(shared ? { watch } : {}) } }
}

test("[ADR-4] a name is looked up once, and what another node changed is seen within half a second", async () => {
  const clock = new FakeClock()
  const store = new MemoryStore(clock)
  const { seen, store: reading } = counted(store)
  const names = new Names(reading, clock)
  for (let n = 0; n < 5; n++) expect(await names.personOf("b")).toBe("b")
  expect(seen.reads).toBe(1)
  await link(store)
  await clock.advance(499)
  expect(await names.personOf("b")).toBe("b")
  await clock.advance(1)
  expect(await names.personOf("b")).toBe("ana")
  await store.links.unlink({ name: "b", person: "ana" }, audit)
  await clock.advance(500)
  expect(await names.personOf("b")).toBe("b")
})

test("[ADR-4] a single-process store is asked once, and again after a change", async () => {
  const clock = new FakeClock()
  const store = new MemoryStore(clock)
  const { seen, store: reading } = counted(store, { shared: false })
  const names = new Names(reading, clock)
  await names.personOf("b")
  await clock.advance(1_000_000)
  await names.personOf("b")
  expect(seen.reads).toBe(1)
  await link(store)
  names.forget()
  expect(await names.personOf("b")).toBe("ana")
})

test("[ADR-4] what was read during a change is not cached", async () => {
  const clock = new FakeClock()
  const store = new MemoryStore(clock)
  let arrive = () => {}
  const far = store.node({ readLatency: () => new Promise((resolve) => (arrive = resolve)) })
  const names = new Names({ links: far.links }, clock)
  const early = names.personOf("b")
  await link(store)
  names.forget()
  arrive()
  expect(await early).toBe("b")
  const late = names.personOf("b")
  arrive()
  expect(await late).toBe("ana")
})

test("[ADR-4] returns who a caller is now, if that changed", async () => {
  const clock = new FakeClock()
  const store = new MemoryStore(clock)
  const names = new Names(store, clock)
  const caller = { person: "b", scopes: [], isLocal: false, key: null, expiresAt: null, actFor: null }
  expect(await names.again(caller)).toBeUndefined()
  await link(store)
  const linked = { ...caller, person: "ana", linkedName: "b" }
  expect(await names.again(caller)).toEqual(linked)
  expect(await names.again(linked)).toBeUndefined()
  await store.links.unlink({ name: "b", person: "ana" }, audit)
  expect(await names.again(linked)).toEqual(caller)
})

test("[ADR-4] the local token needs no lookup", async () => {
  const { seen, store } = counted(new MemoryStore(new FakeClock()))
  const names = new Names(store, new FakeClock())
  const owner: Caller = { person: "me", scopes: [], isLocal: true, key: null, expiresAt: null, actFor: null }
  const door = underOnePerson(async () => owner, names)
  expect(await door({ authorization: undefined, person: undefined, address: "" })).toBe(owner)
  expect(await names.again(owner)).toBeUndefined()
  expect(seen.reads).toBe(0)
})
