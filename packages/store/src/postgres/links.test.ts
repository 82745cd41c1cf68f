/** [ADR-4] A link and the first thing created under its name, one paused halfway while the other runs. */
import type { Store } from "@parlor/core"
import { Refusal } from "@parlor/protocol"
import pg from "pg"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { freshDatabase } from "../../../../test/support/postgres.ts"
import { append, audit, change, commitOne, newConversation } from "../../test/fixtures.ts"
import { NAME_LOCKS } from "./functions/link.ts"
import { openPostgres } from "./open.ts"

let database: Awaited<ReturnType<typeof freshDatabase>>
let store: Store
/** Another node, in the middle of a transaction. */
let other: pg.Client

beforeAll(async () => {
  database = await freshDatabase()
  store = await openPostgres({ url: database.url })
  other = new pg.Client({ connectionString: database.url, options: "-c search_path=parlor" })
  await other.connect()
})

afterAll(async () => {
  await other.end()
  await store.close()
  await database.drop()
})

const link = (name: string) =>
  store.links.link({ name, person: "ana", createdAt: 1 }, { most: 100, dropAttachments: false }, audit)

/** Like another node, up to deleting what belongs to the name. */
async function linkHalfway(name: string): Promise<void> {
  await other.query("BEGIN")
  await other.query(`SELECT pg_advisory_xact_lock(${NAME_LOCKS}, hashtext($1))`, [name])
  await other.query("INSERT INTO links VALUES ($1, 'ana', 1)", [name])
}

async function somebodyWaits(): Promise<void> {
  await vi.waitFor(async () => {
    const waiting = await other.query("SELECT 1 FROM pg_locks WHERE NOT granted")
    expect(waiting.rowCount).toBeGreaterThan(0)
  })
}

test("[ADR-4] a conversation that is being made while its name is linked is seen, and the name is not linked", async () => {
  await other.query("BEGIN")
  await other.query(
    "INSERT INTO streams (kind, agent, person, branch, head, created_at) VALUES ('conversation', 'host', 'b', 'main', 1, 0)",
  )
  const linking = link("b")
  await somebodyWaits()
  await other.query("COMMIT")
  expect(await linking).toMatchObject({ ok: false, why: "not-empty", has: { conversations: 1 } })
})

test("[ADR-4] what is being written to a conversation that was empty is waited for, and the name is not linked", async () => {
  const { id, key } = await newConversation(store, "c")
  await other.query("BEGIN")
  await other.query("UPDATE streams SET head = 1 WHERE id = $1", [id])
  const linking = link("c")
  await somebodyWaits()
  await other.query("COMMIT")
  expect(await linking).toMatchObject({ ok: false, why: "not-empty" })
  expect(await store.log.find(key)).toMatchObject({ head: 1 })
})

test("[ADR-4] who adds a trigger to a conversation while its name is linked keeps nobody from linking it", async () => {
  const { id } = await newConversation(store, "e")
  await linkHalfway("e")
  const record = { id: "hook-e", kind: "hook", person: "e", stream: id, lookAt: null, live: true } as const
  const added = store.triggers.add({ ...record, version: 1, createdAt: 1, value: "{}" }, { per: "person", most: 9 })
  await somebodyWaits()
  await other.query("SELECT 1 FROM streams WHERE id = $1 FOR UPDATE NOWAIT", [id])
  await other.query("DELETE FROM streams WHERE id = $1", [id])
  await other.query("COMMIT")
  expect(await added).toBe("gone")
})

test("[ADR-4] who attaches what the name has already while it is linked keeps nobody from dropping it", async () => {
  const bytes = new TextEncoder().encode("attached twice")
  const note = { hash: "attached-twice", name: "n.txt", mediaType: "text/plain", bytes: bytes.length, at: 1 }
  await store.blobs.attach("f", note, bytes)
  await linkHalfway("f")
  const attached = store.blobs.attach("f", note, bytes).catch((error: unknown) => error)
  await somebodyWaits()
  await other.query("SELECT 1 FROM blobs WHERE hash = $1 FOR UPDATE NOWAIT", [note.hash])
  await other.query("COMMIT")
  expect(await attached).toMatchObject({ code: "person.linked" })
})

test("[ADR-4] who makes something while its name is being linked waits, and is refused", async () => {
  const { id } = await newConversation(store, "d")
  await linkHalfway("d")
  await other.query("DELETE FROM streams WHERE id = $1", [id])
  const written = commitOne(store, append(id, [change("queue", "a")]))
  const made = store.log.ensure({ kind: "feed", person: "d" }).catch((error: unknown) => error)
  await somebodyWaits()
  await other.query("COMMIT")
  expect(await written).toEqual({ ok: false, why: "gone" })
  const refusal = await made
  expect(refusal).toBeInstanceOf(Refusal)
  expect(refusal).toMatchObject({ code: "person.linked" })
})
