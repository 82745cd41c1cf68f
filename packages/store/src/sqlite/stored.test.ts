import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ONCE_KEPT_MS, type Store } from "@parlor/core"
import { DatabaseSync } from "@photostructure/sqlite"
import { afterEach, describe, expect, test } from "vitest"
import { expireKeys, fillOld, keepUp } from "../../test/old-store.ts"
import { openSqlite } from "./open.ts"

const folders: string[] = []
let store: Store | undefined

afterEach(async () => {
  await store?.close()
  store = undefined
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

describe("what is stored, on SQLite", () => {
  test("[LOG-31] a database from before is counted after it is open, a slice at a time, even if it is closed midway", async () => {
    const path = newPath()
    store = await openSqlite({ path })
    const { person, stored } = await fillOld(store)
    await store.close()
    beforeCounting(path)
    store = await openSqlite({ path })
    expect(await store.stored(person)).toEqual({ ...stored, conversationBytes: 0 })
    expect(await store.upkeep()).toBe(true)
    await store.close()
    store = await openSqlite({ path })
    await keepUp(store)
    expect(await store.stored(person)).toEqual(stored)
  }, 60_000)

  test("[QUE-11] an idempotency key is forgotten after seven days, and swept", async () => {
    const path = newPath()
    store = await openSqlite({ path })
    await expireKeys(store, async (key, daysAgo) => {
      const db = new DatabaseSync(path, { timeout: 5_000 })
      db.prepare("UPDATE once SET at = at - ? WHERE key = ?").run((daysAgo * ONCE_KEPT_MS) / 7, key)
      db.close()
    })
    const db = new DatabaseSync(path, { readOnly: true })
    expect(db.prepare("SELECT key FROM once ORDER BY key").all()).toEqual([
      expect.objectContaining({ key: "again" }),
      expect.objectContaining({ key: "young" }),
    ])
    db.close()
  })
})

function newPath(): string {
  const folder = mkdtempSync(join(tmpdir(), "parlor-stored-"))
  folders.push(folder)
  return join(folder, "parlor.db")
}

/** As it was before the step that counts. */
function beforeCounting(path: string): void {
  const db = new DatabaseSync(path)
  const triggers = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'stored_%'").all()
  for (const { name } of triggers as { name: string }[]) db.exec(`DROP TRIGGER ${name}`)
  db.exec(`
    DROP TABLE stored; DROP TABLE contents_held; DROP INDEX streams_uncounted; DROP INDEX once_at;
    ALTER TABLE streams DROP COLUMN bytes; ALTER TABLE streams DROP COLUMN uncounted;
    ALTER TABLE once DROP COLUMN at;
    UPDATE meta SET value = '7' WHERE name = 'schema';
  `)
  db.close()
}
