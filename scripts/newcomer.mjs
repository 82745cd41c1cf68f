/**
 * Walks a newcomer's first five minutes in a real browser and prints how many clicks each step takes, beside what
 * ChatGPT's page needs. The walk is `test/e2e/newcomer.test.ts`.
 *
 *   node scripts/newcomer.mjs
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { root, run, script } from "./setup.mjs"

await script(async () => {
  const folder = mkdtempSync(join(tmpdir(), "parlor-newcomer-"))
  const table = join(folder, "table.txt")
  try {
    const test = join(root, "scripts", "test.mjs")
    await run(process.execPath, [test, "test/e2e/newcomer"], { env: { ...process.env, PARLOR_WALK_TABLE: table } })
  } finally {
    if (existsSync(table)) console.log(`\n${readFileSync(table, "utf8")}`)
    rmSync(folder, { recursive: true, force: true })
  }
})
