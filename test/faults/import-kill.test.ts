/**
 * The server is killed while it imports. Afterwards the conversation is empty or complete, the same import with the same
 * key completes it exactly once, and nothing of the cut import stays in the store.
 *
 * 3 kills per store, 40 with PARLOR_LONG=1. PARLOR_SEED replays when the kills come; the rest is the machine's timing.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "@photostructure/sqlite"
import pg from "pg"
import { describe, expect, test } from "vitest"
import { freshDatabase } from "../support/postgres.ts"
import { rounds } from "../support/rounds.ts"
import { startFakeModel } from "./fake-model.ts"
import { chooseSeed, seededRandom } from "./random.ts"
import { type ServerOptions, type ServerProcess, spawnServer } from "./server-process.ts"
import { sleep, until } from "./waiting.ts"
import { credential, pathOf } from "./wire.ts"

const ROUNDS = rounds({ usual: 3, long: 40 })
const LINES = 3_000
const BODY = Array.from({ length: LINES }, (_, n) =>
  JSON.stringify({ role: n % 2 === 0 ? "person" : "agent", text: `line ${n} ${"x".repeat(400)}` }),
).join("\n")
/** A lease outlives its dead owner by 10 s, and abandoned imports are deleted by a sweep after that. */
const SWEPT_MS = 90_000

describe.concurrent.each(["SQLite", "PostgreSQL"] as const)("[LOG-28, LOG-29] %s", (store) => {
  test(`an import cut by ${ROUNDS} kills is whole or absent`, { timeout: 180_000 + ROUNDS * 30_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), "parlor-import-kill-"))
    const database = store === "PostgreSQL" ? await freshDatabase() : undefined
    const model = await startFakeModel({ tokenMs: 1 })
    const options = { dataFolder: folder, modelUrl: model.url, databaseUrl: database?.url }
    let server = spawnServer(options)
    try {
      const cut = await killing(
        options,
        () => server,
        (next) => (server = next),
      )
      console.info(`${store}: ${JSON.stringify(cut)}`)
      expect(cut.absent, "no kill hit an import in progress").toBeGreaterThan(0)
      const left = () => (database === undefined ? importsInSqlite(folder) : importsInPostgres(database.url))
      await until(SWEPT_MS, "the deletion of abandoned imports", async () => (await left()) === 0)
    } finally {
      await server.kill()
      await model.close()
      await database?.drop()
      await rm(folder, { recursive: true, force: true })
    }
  })
})

async function killing(
  options: ServerOptions,
  current: () => ServerProcess,
  replace: (server: ServerProcess) => void,
): Promise<{ readonly whole: number; readonly absent: number }> {
  const random = seededRandom(chooseSeed("kills during imports"))
  const known = { whole: 0, absent: 0 }
  let usualMs = 400
  for (let round = 0; round < ROUNDS; round++) {
    const conversation = `host/import-${round}`
    const importing = importInto(await current().ready, conversation).catch(() => undefined)
    await sleep(random.int(0, usualMs))
    await current().kill()
    await importing
    replace(spawnServer(options))
    const url = await current().ready
    const before = await countMessages(url, conversation)
    expect([0, LINES], `${conversation} has ${before} messages`).toContain(before)
    known[before === 0 ? "absent" : "whole"]++
    const began = Date.now()
    for (const repetition of ["after the kill", "once more"]) {
      const answer = await importInto(url, conversation)
      expect(answer.status, `${repetition}: ${await answer.text()}`).toBe(201)
      expect(await countMessages(url, conversation)).toBe(LINES)
      if (before === 0 && repetition === "after the kill") usualMs = Date.now() - began
    }
  }
  return known
}

function importInto(url: string, conversation: string): Promise<Response> {
  const [agent = "", branch = ""] = conversation.split("/")
  return fetch(`${url}/v1/import?agent=${agent}&branch=${branch}`, {
    method: "POST",
    headers: { ...credential(), "content-type": "application/jsonl", "idempotency-key": `import-${conversation}` },
    body: BODY,
  })
}

async function countMessages(url: string, conversation: string): Promise<number> {
  let count = 0
  for (let before: string | null = ""; before !== null; ) {
    const query: string = before === "" ? "" : `&before=${before}`
    const answer = await fetch(`${url}${pathOf(conversation)}/messages?limit=1000${query}`, { headers: credential() })
    if (answer.status === 404) return 0
    const page = (await answer.json()) as { readonly messages: readonly unknown[]; readonly older: string | null }
    count += page.messages.length
    before = page.older
  }
  return count
}

const COUNT = "SELECT count(*) AS count FROM streams WHERE kind = 'import'"

function importsInSqlite(folder: string): number {
  const db = new DatabaseSync(join(folder, "parlor.db"), { readOnly: true })
  const row = db.prepare(COUNT).get() as { readonly count: number }
  db.close()
  return row.count
}

async function importsInPostgres(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ readonly count: string }>(COUNT.replace("streams", "parlor.streams"))
  await client.end()
  return Number(rows[0]?.count)
}
