import pg from "pg"
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest"
import { freshDatabase } from "../../../../../test/support/postgres.ts"
import { Pipelines } from "./pipelines.ts"

const NAME = "pipelines test"
const ECHO = { name: "echo", text: "SELECT $1::int AS n" }
const FAILING = { name: "failing", text: "SELECT 1 / $1::int AS n" }
const WAITING = { name: "waiting", text: "SELECT pg_advisory_lock_shared($1)::text AS n" }
const LOCK = 1

let database: Awaited<ReturnType<typeof freshDatabase>>
let other: pg.Client
let pipelines: Pipelines

beforeAll(async () => {
  database = await freshDatabase()
  other = new pg.Client({ connectionString: database.url })
  await other.connect()
})

afterAll(async () => {
  await other.end()
  await database.drop()
})

beforeEach(() => {
  const settings = { connectionString: database.url, application_name: NAME }
  pipelines = new Pipelines({ settings, connections: 2, answerMs: 60_000 })
  return () => pipelines.close()
})

const read = async (statement: { name: string; text: string }, value: number) =>
  (await pipelines.query<{ n: unknown }>({ ...statement, values: [value] })).rows[0]?.n

async function connections(): Promise<number> {
  const { rowCount } = await other.query("SELECT 1 FROM pg_stat_activity WHERE application_name = $1", [NAME])
  return rowCount ?? 0
}

test("many reads share few connections, and each gets its own answer", async () => {
  const numbers = Array.from({ length: 100 }, (_, n) => n)
  await expect(Promise.all(numbers.map((n) => read(ECHO, n)))).resolves.toEqual(numbers)
  expect(await connections()).toBe(2)
})

test("a read that fails takes no other with it, and its connection is replaced", async () => {
  const results = await Promise.allSettled([1, 0, 2, 3, 4, 5].map((n) => read(n === 0 ? FAILING : ECHO, n)))
  expect(results.map(({ status }) => status === "fulfilled")).toEqual([true, false, true, true, true, true])
  await expect(Promise.all([read(ECHO, 6), read(ECHO, 7)])).resolves.toEqual([6, 7])
  await vi.waitFor(async () => expect(await connections()).toBe(2))
})

test("a read does not wait behind a slow one while another connection is free", async () => {
  await other.query("SELECT pg_advisory_lock($1)", [LOCK])
  const slow = read(WAITING, LOCK)
  for (let n = 0; n < 5; n++) expect(await read(ECHO, n)).toBe(n)
  await other.query("SELECT pg_advisory_unlock($1)", [LOCK])
  await slow
})

test("a lost connection fails its reads, and the next read opens another", async () => {
  await read(ECHO, 1)
  await other.query("SELECT pg_advisory_lock($1)", [LOCK])
  const lost = expect(read(WAITING, LOCK)).rejects.toThrow()
  await other.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1", [NAME])
  await lost
  await other.query("SELECT pg_advisory_unlock($1)", [LOCK])
  await vi.waitFor(async () => expect(await read(ECHO, 2)).toBe(2))
})
