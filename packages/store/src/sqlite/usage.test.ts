import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ONCE_KEPT_MS, type Store } from "@parlor/core"
import { DatabaseSync } from "@photostructure/sqlite"
import { afterEach, describe, expect, test } from "vitest"
import { expireKeys, fillOld, keepUp } from "../../test/old-store.ts"
import { openSqlite } from "./open.ts"
import { countFiles, countStored } from "./usage.ts"

const folders: string[] = []
let store: Store | undefined

afterEach(async () => {
  await store?.close()
  store = undefined
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

describe("what is stored, on SQLite", () => {
  test("[LOG-31] [SEC-42] an older database is counted after it is opened, a slice at a time, even if it is closed midway", async () => {
    const path = newPath()
    store = await openSqlite({ path })
    const { person, stored } = await fillOld(store)
    await store.close()
    countAnew(path)
    store = await openSqlite({ path })
    expect(await store.usage.stored(person)).toEqual({ ...stored, conversationBytes: 0 })
    expect(await store.upkeep()).toBe(true)
    await store.close()
    store = await openSqlite({ path })
    await keepUp(store)
    expect(await store.usage.stored(person)).toEqual(stored)
  }, 60_000)

  test("[QUE-11] an idempotency key expires after seven days, and is deleted", async () => {
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

/** As right after the steps that count. */
function countAnew(path: string): void {
  const db = new DatabaseSync(path)
  countStored(db, Date.now())
  countFiles(db)
  db.close()
}
