/** The same random operations on every store: each answer and each read is the same. */
import { createHash } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Append, Memory, MemoryScope, RowChange, RowQuery, Store, Stream } from "@parlor/core"
import { FakeClock, MemoryStore } from "@parlor/core/testing"
import type { Collection, StreamId } from "@parlor/protocol"
import fc from "fast-check"
import { expect, test } from "vitest"
import { freshDatabase } from "../../../test/support/postgres.ts"
import { openPostgres } from "../src/postgres/open.ts"
import { openSqlite } from "../src/sqlite/open.ts"
import { memory } from "./contract-memories.ts"
import { append, audit, change, delta, message, newPerson } from "./fixtures.ts"

const ROUNDS = 100
const LONG_MS = 3_600_000
const DAY_MS = 86_400_000
const NOW = 1_700_000_000_000

test("[LOG-5] memory, SQLite and PostgreSQL answer alike", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parlor-differential-"))
  const database = await freshDatabase()
  const stores = [
    new MemoryStore(new FakeClock()),
    await openSqlite({ path: join(folder, "parlor.db") }),
    await openPostgres({ url: database.url }),
  ]
  const answers = new Set<unknown>()
  const found = new Set<unknown>()
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 10, maxLength: 30 }), async (steps) => {
        const person = newPerson()
        const [memory, ...others] = await Promise.all(stores.map((store) => play(store, person, steps)))
        for (const other of others) expect(other).toEqual(memory)
        for (const { why } of memory?.flatMap(refusals) ?? []) answers.add(why)
        for (const { kind } of memory?.flatMap(hits) ?? []) found.add(kind)
      }),
      { numRuns: ROUNDS },
    )
    // A run without a kind of operation proves nothing about it.
    expect([...answers].sort()).toEqual(["fenced", "gone", "moved", "owned", "repeated"])
    expect([...found].sort()).toEqual(["archive", "memory", "message"])
  } finally {
    for (const store of stores) await store.close()
    await database.drop()
    rmSync(folder, { recursive: true })
  }
}, 120_000)

type Step =
  | { readonly kind: "commit"; readonly batch: readonly Draft[] }
  | { readonly kind: "read"; readonly stream: number; readonly queries: readonly RowQuery[] }
  | { readonly kind: "events"; readonly stream: number; readonly after: number; readonly bytes: number }
  | { readonly kind: "renew"; readonly owner: string }
  | { readonly kind: "remove"; readonly stream: number; readonly feed: boolean }
  | { readonly kind: "put memory"; readonly memory: Memory; readonly most: number }
  | { readonly kind: "delete memory"; readonly scope: MemoryScope; readonly name: string }
  | { readonly kind: "keep"; readonly stream: number; readonly content: string }
  | { readonly kind: "attach"; readonly content: string; readonly name: string }
  | { readonly kind: "detach"; readonly content: string }
  | { readonly kind: "search"; readonly words: string; readonly agent?: string; readonly limit: number }

type Draft = {
  readonly stream: number
  readonly feed: readonly RowChange[] | undefined
  readonly rest: Partial<Append>
}

const rarely = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })
const anyStream = fc.nat(1)
const anyKey = fc.constantFrom("a", "b", "c", "\uff5e", "😀")
const anyText = fc
  .array(fc.constantFrom("red", "Redder", "blue", "blue", "東京", "京", "tower", "é", "?"), { maxLength: 5 })
  .map((words) => words.join(" "))
const anyFound: fc.Arbitrary<RowChange> = fc
  .record({
    collection: fc.constantFrom<Collection>("messages", "messages", "archives", "turns"),
    key: fc.constantFrom("m1", "m2", "m3"),
    operation: fc.constantFrom("insert" as const, "update" as const, "update" as const, "delete" as const),
    ord: fc.nat(3),
    text: fc.oneof({ weight: 6, arbitrary: anyText }, { weight: 1, arbitrary: fc.constantFrom(null, undefined) }),
    at: fc.option(fc.constantFrom(NOW - 1, NOW - 100 * DAY_MS), { nil: undefined }),
  })
  .map(({ collection, key, operation, ord, text, at }) => {
    const said = { ...(text === undefined ? {} : { text }), ...(at === undefined ? {} : { at }) }
    return change(collection, key, {}, { operation, ord, ...said })
  })
const anyChange: fc.Arbitrary<RowChange> = fc.oneof(
  anyFound,
  fc.tuple(fc.constantFrom("m1", "m10"), fc.nat(3)).map(([id, n]) => delta(id, n)),
  fc.tuple(fc.constantFrom("m1", "m10"), fc.nat(2)).map(([id, ord]) => message(id, ord)),
  fc
    .record({
      collection: fc.constantFrom<Collection>("queue", "turns", "messages"),
      key: anyKey,
      operation: fc.constantFrom("insert" as const, "update" as const, "delete" as const),
      n: fc.nat(9),
      ord: fc.option(fc.nat(3)),
      place: fc.option(fc.constantFrom("a0", "a1", "a1V", "Zz", "é", "\uff5e", "😀"), { nil: undefined }),
      outline: rarely(fc.constantFrom("1", "2")),
      more: rarely(fc.constant("x".repeat(20_000))),
    })
    .map(({ collection, key, operation, n, ord, place, outline, more }) => {
      const also = { ...(place === undefined ? {} : { place }), ...(outline === undefined ? {} : { outline }) }
      return change(collection, key, { n, more }, { operation, ord, ...also })
    }),
)
const anyChanges = fc.array(anyChange, { maxLength: 4 })
const anyLease = fc.oneof(
  fc.constant({ kind: "release" } as const),
  fc
    .tuple(fc.constantFrom("a", "b"), fc.constantFrom(-1, LONG_MS), fc.constantFrom(false, false, true))
    .map(([owner, ttlMs, force]) => ({ kind: "claim", owner, ttlMs, force }) as const),
)
const anyDraft: fc.Arbitrary<Draft> = fc
  .record({
    stream: anyStream,
    changes: anyChanges,
    feed: rarely(anyChanges),
    expect: rarely(fc.nat(4)),
    epoch: rarely(fc.nat(3)),
    batch: rarely(fc.nat(3)),
    active: rarely(fc.boolean()),
    lease: fc.option(anyLease, { nil: undefined, freq: 2 }),
    once: rarely(fc.record({ key: fc.constantFrom("k", "l"), hash: fc.constantFrom("g", "h"), answer: fc.string() })),
  })
  .map(({ stream, feed, ...rest }) => {
    const answer = rest.once?.answer.replaceAll("\u0000", "")
    const known = Object.entries(rest).filter(([, value]) => value !== undefined)
    const once = rest.once && { once: { ...rest.once, answer: answer ?? "" } }
    return { stream, feed, rest: { ...(Object.fromEntries(known) as Partial<Append>), ...once } }
  })
const anyQuery: fc.Arbitrary<RowQuery> = fc
  .record({
    collection: fc.constantFrom<Collection>("queue", "turns", "messages", "deltas"),
    shape: fc.oneof(
      fc.constant({}),
      anyKey.map((key) => ({ key })),
      fc.nat(4).map((first) => ({ first })),
      fc.nat(4).map((last) => ({ last })),
      fc.constant({ count: true as const }),
      fc.nat(4).map((newest) => ({ newest })),
      fc.tuple(fc.nat(4), fc.nat(4)).map(([newest, before]) => ({ newest, before })),
      fc.tuple(fc.nat(4), anyKey).map(([before, beforeKey]) => ({ before, beforeKey })),
      fc.tuple(fc.nat(4), fc.nat(4)).map(([oldest, after]) => ({ oldest, after })),
      fc.nat(4).map((oldest) => ({ oldest })),
    ),
    outlines: rarely(fc.constant(true as const)),
  })
  .map(({ collection, shape, outlines }) => ({ collection, ...shape, ...(outlines && { outlines }) }))
const anyScope = fc.constantFrom<MemoryScope>("user", "user", "project")
const anyMemory = fc.tuple(
  fc
    .record({
      scope: anyScope,
      name: anyKey,
      body: anyText,
      pinned: fc.boolean(),
      at: fc.constantFrom(NOW, NOW - DAY_MS),
    })
    .map(({ scope, name, body, pinned, at }) => memory(name, { scope, body, pinned, createdAt: at, updatedAt: at })),
  fc.constantFrom(1, 3, 100),
)
const anyContent = fc.constantFrom("", "one", "two", "three")
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.array(anyDraft, { minLength: 1, maxLength: 4 }).map((batch) => ({ kind: "commit", batch }) as const),
  },
  {
    weight: 6,
    arbitrary: fc
      .tuple(anyStream, fc.array(anyQuery, { maxLength: 5 }))
      .map(([stream, queries]) => ({ kind: "read", stream, queries }) as const),
  },
  fc
    .tuple(anyStream, fc.nat(6), fc.nat(200))
    .map(([stream, after, bytes]) => ({ kind: "events", stream, after, bytes }) as const),
  fc.constantFrom("a", "b").map((owner) => ({ kind: "renew", owner }) as const),
  fc.tuple(anyStream, fc.boolean()).map(([stream, feed]) => ({ kind: "remove", stream, feed }) as const),
  { weight: 2, arbitrary: anyMemory.map(([memory, most]) => ({ kind: "put memory", memory, most }) as const) },
  fc.tuple(anyScope, anyKey).map(([scope, name]) => ({ kind: "delete memory", scope, name }) as const),
  {
    weight: 2,
    arbitrary: fc.tuple(anyStream, anyContent).map(([stream, content]) => ({ kind: "keep", stream, content }) as const),
  },
  fc.tuple(anyContent, anyKey).map(([content, name]) => ({ kind: "attach", content, name }) as const),
  anyContent.map((content) => ({ kind: "detach", content }) as const),
  {
    weight: 4,
    arbitrary: fc
      .tuple(anyText, fc.constantFrom(undefined, undefined, "helper", "nobody"), fc.constantFrom(1, 3, 20))
      .map(([words, agent, limit]) => ({ kind: "search", words, limit, ...(agent && { agent }) }) as const),
  },
)

/** A store's answer, with its ids replaced by indexes in the list of streams. */
async function play(store: Store, person: string, steps: readonly Step[]): Promise<unknown[]> {
  const keys = ["main", "side"].map((branch) => ({ kind: "conversation", agent: "helper", person, branch }) as const)
  const streams: Stream[] = []
  // One after another: lists of streams are in the order of their ids.
  for (const key of keys) streams.push(await store.log.ensure(key))
  const feed = await store.log.ensure({ kind: "feed", person })
  const ids = [...streams, feed].map((stream) => stream.id)
  const idOf = (stream: number) => ids[stream] ?? (0 as StreamId)
  const plain = ({ id, ...rest }: Stream) => ({ ...rest, at: ids.indexOf(id) })
  const said: unknown[] = []
  for (const step of [...steps, ...lastLook]) {
    if (step.kind === "commit")
      said.push(await store.log.commit(step.batch.map((draft) => toAppend(draft, idOf, feed.id))))
    else if (step.kind === "events")
      said.push(await store.log.events(idOf(step.stream), step.after, { count: 5, ...step }))
    else if (step.kind === "renew")
      said.push((await store.log.renew(step.owner, ids, LONG_MS)).map((id) => ids.indexOf(id)))
    else if (step.kind === "remove") {
      const farewell = step.feed ? { feed: append(feed.id, [change("conversations", "x")], { expect: 0 }) } : {}
      said.push(await store.log.remove(idOf(step.stream), { audit, ...farewell }))
    } else if (step.kind === "put memory") said.push(await store.memories.put(person, step.memory, step.most))
    else if (step.kind === "delete memory") said.push(await store.memories.delete(person, step.scope, step.name))
    else if (step.kind === "keep") {
      const content = ownContent(person, step.content)
      await store.blobs.keep(idOf(step.stream), hashOf(content), content)
    } else if (step.kind === "attach") {
      const content = ownContent(person, step.content)
      const file = { hash: hashOf(content), name: step.name, mediaType: "text/plain", bytes: content.length, at: NOW }
      await store.blobs.attach(person, file, content)
    } else if (step.kind === "detach")
      said.push(await store.blobs.detach(person, hashOf(ownContent(person, step.content))))
    else if (step.kind === "search") {
      const agent = step.agent === undefined ? {} : { agent: step.agent }
      const hits = await store.search.find(person, step.words, { limit: step.limit, now: NOW, ...agent })
      said.push(hits.map((hit) => (hit.kind === "memory" ? hit : { ...hit, stream: ids.indexOf(hit.stream) })))
    } else {
      const read = await store.log.read(idOf(step.stream), step.queries)
      said.push(read && { lists: read.lists, stream: plain(read.stream) })
    }
  }
  for (const content of ["", "one", "two", "three"].map((text) => ownContent(person, text))) {
    const blob = await store.blobs.get(hashOf(content))
    said.push([blob && Buffer.from(blob).toString(), await store.blobs.attachment(person, hashOf(content))])
  }
  said.push(await store.blobs.attachments(person, { limit: 2 }))
  said.push(
    await store.blobs.attachedBytes(person),
    await store.memories.index(person),
    await store.memories.all(person),
  )
  said.push(await store.memories.all(person, { pinned: true }))
  const orphans = (await store.log.orphans(100_000)).filter((stream) => ids.includes(stream.id))
  return [...said, orphans.map(plain)]
}

const everything = (["queue", "turns", "messages", "deltas"] as const).map((collection) => ({ collection }))
const lastLook: readonly Step[] = [0, 1, 2].flatMap((stream) => [
  { kind: "read", stream, queries: everything } as const,
  { kind: "events", stream, after: 0, bytes: 1_000_000 } as const,
])

/** Unique content: what several people hold would outlive them. */
function ownContent(person: string, text: string): Uint8Array {
  return Buffer.from(text === "" ? "" : `${person} ${text}`)
}

function hashOf(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex")
}

function toAppend({ stream, feed, rest }: Draft, idOf: (stream: number) => StreamId, feedId: StreamId): Append {
  const fed = feed === undefined ? {} : { feed: { stream: feedId, changes: feed } }
  return append(idOf(stream), rest.changes ?? [], { ...rest, ...fed })
}

function refusals(said: unknown): { readonly why: string }[] {
  return Array.isArray(said) ? said.filter((answer: unknown) => hasWhy(answer)) : []
}

function hits(said: unknown): { readonly kind: string }[] {
  return Array.isArray(said) ? said.filter((answer: unknown) => isHit(answer)) : []
}

function isHit(answer: unknown): answer is { readonly kind: string } {
  return typeof answer === "object" && answer !== null && "kind" in answer && "score" in answer
}

function hasWhy(answer: unknown): answer is { readonly why: string } {
  return typeof answer === "object" && answer !== null && "why" in answer
}
