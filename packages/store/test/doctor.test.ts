import { createHash } from "node:crypto"
import { closeSync, mkdtempSync, openSync, rmSync, statSync, truncateSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { restoredChange, type Store } from "@parlor/core"
import type { Collection, StreamId } from "@parlor/protocol"
import { DatabaseSync } from "@photostructure/sqlite"
import pg from "pg"
import { afterEach, describe, expect, test } from "vitest"
import { freshDatabase } from "../../../test/support/postgres.ts"
import type { Finding } from "../src/doctor/finding.ts"
import { openPostgres, openSqlite, runDoctor } from "../src/index.ts"
import { append, change, committed, delta } from "./fixtures.ts"

/** A closed store, and a way to change its tables behind its back. */
type Bench = {
  open(): Promise<Store>
  sql(text: string): Promise<void>
  doctor(options?: { readonly repair?: boolean }): ReturnType<typeof runDoctor>
  drop(): Promise<void>
}

const benches: Bench[] = []
afterEach(async () => {
  for (const bench of benches.splice(0)) await bench.drop()
})

const PERSON = "ana"
const LONG = "x".repeat(20_000)

describe.each([
  ["SQLite", sqliteBench],
  ["PostgreSQL", postgresBench],
] as const)("the doctor, on %s", (_, bench) => {
  test("[OPS-23] finds nothing in a good database, whatever is in it", async () => {
    const { doctor } = await filled(bench)
    const { findings, checked } = await doctor()
    expect(findings).toEqual([])
    expect(checked).toEqual({ streams: 2, events: 16, rows: 7, contents: 1 })
  })

  test("[OPS-23] the time it takes does not grow with the square of a log", async () => {
    const { open, doctor } = await filled(bench)
    const store = await open()
    const { id } = await store.log.ensure({ kind: "conversation", agent: "host", person: PERSON, branch: "long" })
    for (let batch = 0; batch < 60; batch++) {
      const message = (_: unknown, n: number) => change("messages", `m_${batch}_${n}`, { ord: batch * 100 + n + 1 })
      await committed(store, append(id, Array.from({ length: 100 }, message)))
    }
    await store.close()
    const started = performance.now()
    expect(await doctor()).toMatchObject({ checked: { events: 6_016 } })
    // It takes a fifth of a second; comparing every event with every other took sixteen.
    expect(performance.now() - started).toBeLessThan(8_000)
  })

  test("[OPS-23] a trimmed log is good, and an event that trimming does not drop is missed", async () => {
    const { doctor, sql, open, stream, feed } = await filled(bench)
    const store = await open()
    let dropped = 0
    for (let more = true; more; ) {
      const trimmed = await store.log.trim({ graceMs: 0 })
      dropped += trimmed.events
      more = trimmed.more
    }
    await store.close()
    // The deltas, and what the feed said first.
    expect(dropped).toBe(6)
    expect(await doctor()).toMatchObject({ findings: [], checked: { events: 10 } })
    await sql(`DELETE FROM parlor.events WHERE stream = ${stream} AND key = 'q_gone' AND op = 'insert'`)
    expect(checksOf((await doctor()).findings)).toEqual(["log error"])
    await sql(`DELETE FROM parlor.events WHERE stream = ${feed}`)
    expect(checksOf((await doctor()).findings)).toEqual(["log error", "log error", "rows error"])
  })

  test("[OPS-24] rows that are not as the log says are found and rebuilt, as they were", async () => {
    const { doctor, sql, open, stream } = await filled(bench)
    const before = await everything(open, stream)
    await sql(`UPDATE parlor.rows SET value = '{"id":"msg_1","text":"lies"}' WHERE key = 'msg_1'`)
    await sql("UPDATE parlor.rows SET ord = 99 WHERE key = 'msg_2'")
    await sql("DELETE FROM parlor.rows WHERE key = 'q_long'")
    await sql("UPDATE parlor.rows SET place = 'zz' WHERE key = 'q_short'")
    await sql(
      `INSERT INTO parlor.rows (stream, collection, key, value, seq) VALUES (${stream}, 'queue', 'q_left', '{}', 5)`,
    )
    const found = await doctor()
    expect(found.findings[0]).toMatchObject({ check: "rows", severity: "error", subject: "helper/main of ana" })
    // SQLite stores long values separately.
    expect(found.findings.slice(1).every(({ check }) => check === "leftovers")).toBe(true)
    expect(found.findings[0]?.detail).toMatch(/^5 rows are not as the log says/)
    // A check changes nothing.
    expect((await doctor()).findings).toEqual(found.findings)
    const repaired = await doctor({ repair: true })
    expect(repaired.findings).toEqual([])
    expect(repaired.repaired).toEqual(found.findings)
    expect(await everything(open, stream)).toEqual(before)
    expect((await doctor({ repair: true })).repaired).toEqual([])
  })

  test("[OPS-24] rows whose events are lost are kept, and a lost end of the log is accepted", async () => {
    const { doctor, sql, open, stream } = await filled(bench)
    await sql(`DELETE FROM parlor.events WHERE stream = ${stream} AND key = 'msg_1'`)
    const found = await doctor({ repair: true })
    expect(checksOf(found.findings)).toEqual(["log error", "rows error"])
    expect(found.findings[0]?.detail).toMatch(/^Events are missing: 1 to 1\. Restore a backup/)
    expect(found.findings[1]?.detail).toMatch(/messages msg_1\)\. They are kept/)
    expect(JSON.stringify(await everything(open, stream))).toContain("msg_1")
    await sql(`UPDATE parlor.streams SET head = head + 3 WHERE id = ${stream}`)
    expect(checksOf((await doctor()).findings)).toEqual(["log error", "log error", "rows error"])
    expect(checksOf((await doctor({ repair: true })).findings)).toEqual(["log error", "rows error"])
    const store = await open()
    await committed(store, append(stream, [change("queue", "q_new", queued("q_new"), placed("q_new"))]))
    await store.close()
  })

  test("[OPS-23] contents that are missing, changed or held by nothing are found; the last are removed", async () => {
    const { doctor, sql, hash } = await filled(bench)
    await sql(`INSERT INTO parlor.blobs (hash, bytes) VALUES ('${"0".repeat(64)}', 5)`)
    const orphaned = await doctor()
    expect(checksOf(orphaned.findings)).toEqual(["contents warning"])
    expect((await doctor({ repair: true })).findings).toEqual([])
    await sql("UPDATE parlor.blob_pieces SET n = 1 WHERE n = 0")
    expect(await doctor()).toMatchObject({ findings: [{ check: "contents", severity: "error", subject: hash }] })
    await sql("DELETE FROM parlor.blob_pieces")
    await sql("DELETE FROM parlor.blobs")
    const lost = await doctor({ repair: true })
    expect(lost).toMatchObject({ findings: [{ check: "contents", severity: "error", subject: hash }], repaired: [] })
  })

  test("[OPS-23] leases of dead servers, leftovers and wrong counts are found and repaired", async () => {
    const { doctor, sql, open, stream } = await filled(bench)
    await sql(`UPDATE parlor.streams SET owner = 'node_gone', lease_until = 5 WHERE id = ${stream}`)
    await sql("INSERT INTO parlor.streaming (stream, message, seq) VALUES (777, 'msg_9', 1)")
    await sql("UPDATE parlor.stored SET conversations = 41, file_bytes = 1, files = 9")
    const found = await doctor()
    expect(checksOf(found.findings)).toEqual(["leftovers warning", "leases warning", "counts warning"])
    const repaired = await doctor({ repair: true })
    expect(repaired.findings).toEqual([])
    expect(repaired.repaired).toHaveLength(3)
    const store = await open()
    expect(await store.usage.stored(PERSON)).toMatchObject({ conversations: 1, fileBytes: 5, files: 1 })
    await store.close()
  })

  test("[OPS-26] a database of a newer version is refused, by the server and the doctor", async () => {
    const { doctor, sql, open } = await filled(bench)
    await sql("UPDATE parlor.meta SET value = '999' WHERE name = 'schema'")
    const message = /The database has schema 999; this Parlor knows schemas up to \d+\. Use a newer Parlor\./
    await expect(open()).rejects.toThrow(message)
    await expect(doctor()).rejects.toThrow(message)
    await expect(doctor({ repair: true })).rejects.toThrow(message)
    await sql("UPDATE parlor.meta SET value = '3' WHERE name = 'schema'")
    await expect(doctor()).rejects.toThrow(/of an earlier version\. Start the server once/)
  })
})

test("[OPS-23] a damaged SQLite file is found, and nothing is repaired in it", async () => {
  const bench = await filled(sqliteBench)
  const { size } = statSync(bench.path ?? "")
  const file = openSync(bench.path ?? "", "r+")
  writeSync(file, Buffer.alloc(4096 * 3, 0xa5), 0, 4096 * 3, 4096 * 6)
  closeSync(file)
  const { findings, checked, repaired } = await bench.doctor({ repair: true })
  expect(findings.length).toBeGreaterThan(0)
  for (const { check, severity, detail } of findings) {
    expect({ check, severity }).toEqual({ check: "file", severity: "error" })
    expect(detail).toMatch(/damaged.*Restore a backup/s)
  }
  expect({ checked, repaired }).toEqual({ checked: { streams: 0, events: 0, rows: 0, contents: 0 }, repaired: [] })
  truncateSync(bench.path ?? "", size - 4096)
  await expect(bench.doctor()).rejects.toThrow(/truncated/)
})

test("[OPS-23] a running SQLite server is checked, and not repaired", async () => {
  const bench = await filled(sqliteBench)
  const store = await bench.open()
  await committed(store, append(bench.stream, [change("queue", "q_new", queued("q_new"), placed("q_new"))]))
  expect(await bench.doctor()).toMatchObject({ findings: [], checked: { events: 17 } })
  await expect(bench.doctor({ repair: true })).rejects.toThrow("A server is using this database. Stop it first")
  await store.close()
})

type Filled = Bench & {
  readonly stream: StreamId
  readonly feed: StreamId
  readonly hash: string
  readonly path?: string
}

async function filled(makeBench: () => Promise<Bench & { readonly path?: string }>): Promise<Filled> {
  const bench = await makeBench()
  benches.push(bench)
  const store = await bench.open()
  const { id: stream } = await store.log.ensure({
    kind: "conversation",
    agent: "helper",
    person: PERSON,
    branch: "main",
  })
  const { id: feed } = await store.log.ensure({ kind: "feed", person: PERSON })
  const listed = (title: string, at: number) =>
    made("conversations", "helper/main", { agent: "helper", branch: "main", title, activityAt: at })
  const hash = createHash("sha256").update("tulip").digest("hex")
  await store.blobs.keep(stream, hash, Buffer.from("tulip"))
  await committed(
    store,
    append(stream, [said("msg_1", 1, "done")], { feed: { stream: feed, changes: [listed("a", 1)] } }),
  )
  await committed(store, append(stream, [said("msg_2", 2, "streaming")]))
  for (let n = 0; n < 5; n++) await committed(store, append(stream, [delta("msg_2", n)]))
  const ended = { ...said("msg_2", 2, "done"), operation: "update", dropsDeltasOf: "msg_2" } as const
  await committed(store, append(stream, [ended], { feed: { stream: feed, changes: [listed("b", 2)] } }))
  await committed(
    store,
    append(stream, [made("queue", "q_short", queued("q_short")), made("queue", "q_long", queued(LONG))]),
  )
  await committed(store, append(stream, [made("queue", "q_gone", queued("gone"))]))
  await committed(store, append(stream, [{ ...made("queue", "q_gone", queued("gone")), operation: "delete" }]))
  await committed(store, append(stream, [made("files", "notes.md", { path: "notes.md", hash })]))
  await committed(store, append(stream, [said("msg_3", 3, "done", LONG)]))
  await store.close()
  return { ...bench, stream, feed, hash }
}

function said(id: string, ord: number, state: string, text = "words") {
  return made("messages", id, { id, ord, state, role: "agent", at: 1, parts: [{ type: "text", text }] })
}

function queued(text: string) {
  return {
    id: `q ${text.slice(0, 9)}`,
    rank: "a",
    mode: "queue",
    at: 1,
    payload: { text },
    attachments: [],
    trigger: null,
  }
}

function placed(key: string) {
  return { place: made("queue", key, queued(key)).place ?? "" }
}

/** As core writes it. */
function made(collection: Collection, key: string, row: unknown) {
  return restoredChange(collection, key, JSON.stringify(row))
}

/** All rows, in the order in which pages give them. */
async function everything(open: () => Promise<Store>, stream: StreamId) {
  const store = await open()
  const read = await store.log.read(stream, [
    { collection: "messages", newest: 100 },
    { collection: "queue", first: 100 },
    { collection: "queue", first: 100, outlines: true },
    { collection: "queue" },
    { collection: "files" },
  ])
  await store.close()
  return read?.lists
}

function checksOf(findings: readonly Finding[]): readonly string[] {
  return findings.map(({ check, severity }) => `${check} ${severity}`)
}

async function sqliteBench(): Promise<Bench & { readonly path: string }> {
  const folder = mkdtempSync(join(tmpdir(), "parlor-doctor-"))
  const path = join(folder, "parlor.db")
  return {
    path,
    open: () => openSqlite({ path }),
    sql: async (text) => {
      const db = new DatabaseSync(path)
      db.exec(text.replaceAll("parlor.", ""))
      db.close()
    },
    doctor: ({ repair = false } = {}) => runDoctor({ at: { path }, repair }),
    drop: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

async function postgresBench(): Promise<Bench> {
  const { url, drop } = await freshDatabase()
  return {
    open: () => openPostgres({ url }),
    sql: async (text) => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      await client.query(text)
      await client.end()
    },
    doctor: ({ repair = false } = {}) => runDoctor({ at: { url }, repair }),
    drop,
  }
}
