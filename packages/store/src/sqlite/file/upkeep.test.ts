import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "@photostructure/sqlite"
import { expect, test } from "vitest"
import { allEvents, append, change, committed, newConversation } from "../../../test/fixtures.ts"
import { openSqlite } from "../open.ts"

const MB = 1024 * 1024
/** The space is freed in the writer's free moments, of which a busy machine has few. */
const PATIENCE_MS = 25_000
const audit = { at: 1, person: "p", act: "remove", subject: "s" }

test("[LOG-24] deleting a conversation frees its space while others are written to, even in an older database", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parlor-upkeep-"))
  const path = join(folder, "parlor.db")
  try {
    await (await openSqlite({ path })).close()
    const older = new DatabaseSync(path)
    older.exec("PRAGMA auto_vacuum = NONE; VACUUM")
    expect(older.prepare("PRAGMA auto_vacuum").get()).toEqual({ auto_vacuum: 0 })
    older.close()
    const store = await openSqlite({ path })
    for (let round = 0; round < 2; round++) {
      const [big, small] = [await newConversation(store), await newConversation(store)]
      const write = (n: number) => change("changes", `c${n}`, { text: "x".repeat(200_000) })
      for (let n = 0; n < 60; n++) await committed(store, append(big.id, [write(n)]))
      // Up to 4 MB of the 12 may still be in the write-ahead log.
      await expect.poll(() => statSync(path).size).toBeGreaterThan(7 * MB)
      await store.log.remove(big.id, { audit })
      let longest = 0
      const until = performance.now() + PATIENCE_MS
      for (let n = 0; statSync(path).size > 4 * MB && performance.now() < until; n++) {
        const began = performance.now()
        await Promise.all([committed(store, append(small.id, [change("queue", `q${n}`)])), store.log.freeSlice()])
        longest = Math.max(longest, performance.now() - began)
      }
      expect(statSync(path).size).toBeLessThan(4 * MB)
      expect((await allEvents(store, small.id)).length).toBeGreaterThan(0)
      console.info(`round ${round}: the longest write beside it took ${longest.toFixed(1)} ms`)
    }
    await store.close()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}, 60_000)
