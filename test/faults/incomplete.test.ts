/** A server refuses to start on a database with missing parts. */
import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { type FakeModel, startFakeModel } from "./fake-model.ts"
import { type ServerProcess, spawnServer } from "./server-process.ts"
import { readLog, send } from "./wire.ts"

let folder: string
let model: FakeModel
let server: ServerProcess | undefined

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "parlor-incomplete-"))
  model = await startFakeModel({ tokenMs: 1 })
})

afterEach(async () => {
  await server?.kill()
  await model.close()
  await rm(folder, { recursive: true, force: true })
})

test("[LOG-19] `parlor serve` refuses a database without its log, and one that is empty beside it, and says what to do", {
  timeout: 120_000,
}, async () => {
  const url = await start().ready
  expect((await send(url, "host/main", { text: "kept", key: "k", mode: "queued" })).outcome).toBe("ok")
  await server?.kill()
  const again = await start().ready
  expect(JSON.stringify(await readLog(again, "host/main", 0))).toContain("kept")
  await server?.kill()

  const wal = join(folder, "parlor.db-wal")
  await rm(wal)
  await rm(`${folder}/parlor.db-shm`)
  for (let time = 0; time < 2; time++) {
    expect(await start().ended).toBe(1)
    expect(server?.output()).toMatch(/parlor\.db-wal.*missing.*PARLOR_OPEN_INCOMPLETE=1/s)
  }
  await truncate(join(folder, "parlor.db"), 0)
  await writeFile(wal, "")
  expect(await start().ended).toBe(1)
  expect(server?.output()).toMatch(/empty or missing.*Restore both files/s)
})

function start(): ServerProcess {
  server = spawnServer({ dataFolder: folder, modelUrl: model.url })
  return server
}
