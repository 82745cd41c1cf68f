/** [ADR-4] A link and the first thing of its name, one held in the middle while the other comes. */
import type { Store } from "@parlor/core"
import { Refusal } from "@parlor/protocol"
import pg from "pg"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { freshDatabase } from "../../../../test/support/postgres.ts"
import { append, audit, change, commitOne, newConversation } from "../../test/fixtures.ts"
import { NAME_LOCKS } from "./link-function.ts"
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
  store.link({ name, person: "ana", createdAt: 1 }, { most: 100, dropAttachments: false }, audit)

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
  expect(await store.find(key)).toMatchObject({ head: 1 })
})

test("[ADR-4] who makes something while its name is being linked waits, and is refused", async () => {
  const { id } = await newConversation(store, "d")
  await other.query("BEGIN")
  await other.query(`SELECT pg_advisory_xact_lock(${NAME_LOCKS}, hashtext('d'))`)
  await other.query("DELETE FROM streams WHERE id = $1", [id])
  await other.query("INSERT INTO links VALUES ('d', 'ana', 1)")
  const written = commitOne(store, append(id, [change("queue", "a")]))
  const made = store.ensure({ kind: "feed", person: "d" }).catch((error: unknown) => error)
  await somebodyWaits()
  await other.query("COMMIT")
  expect(await written).toEqual({ ok: false, why: "gone" })
  const refusal = await made
  expect(refusal).toBeInstanceOf(Refusal)
  expect(refusal).toMatchObject({ code: "person.linked" })
})
