/** The documented backup of PostgreSQL, with the tools of this machine (OPS-28). */
import { readFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, expect, test } from "vitest"
import { root } from "../../scripts/setup.mjs"
import { checkLog, checkRest } from "../faults/check-log.ts"
import { startFakeModel } from "../faults/fake-model.ts"
import { spawnServer } from "../faults/server-process.ts"
import { until } from "../faults/waiting.ts"
import { make, readLog, send } from "../faults/wire.ts"
import { freshDatabase } from "../support/postgres.ts"
import { parlor } from "./command.ts"
import { postgresTools, startMachinePostgres } from "./postgres-tools.ts"

const PATIENCE_MS = 60_000
const CONVERSATIONS = ["host/one", "host/two", "critic/three"]
const tools = postgresTools()

const cleaning: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const clean of cleaning.splice(0).reverse()) await clean()
})

// Skipped without PostgreSQL's own tools: the server of the other tests comes without them.
test.skipIf(tools === undefined)(
  "[OPS-28] pg_dump of a running server, restored with pg_restore, loses nothing that was acknowledged",
  async () => {
    const guide = readFileSync(join(root, "docs", "guides", "operations.md"), "utf8")
    const folder = await mkdtemp(join(tmpdir(), "parlor-dump-"))
    cleaning.push(() => rm(folder, { recursive: true, force: true }))
    const postgres = await startMachinePostgres(tools ?? "")
    cleaning.push(() => postgres.remove())
    const model = await startFakeModel({ tokenMs: 10, words: 60 })
    cleaning.push(() => model.close())
    const first = await freshDatabase(postgres.url)
    const url = await serving("first", first.url)
    const accepted: (readonly [string, string])[] = []
    for (const conversation of CONVERSATIONS) {
      expect((await make(url, conversation)).outcome).toBe("ok")
      for (let n = 0; n < 3; n++) {
        const text = `message ${n} to ${conversation}`
        expect((await send(url, conversation, { text, key: text, mode: "queued" })).outcome).toBe("ok")
        accepted.push([conversation, text])
      }
    }
    await until(PATIENCE_MS, "a streaming reply", () => model.streaming > 0)
    await postgres.run("pg_dump", argsOf("pg_dump", first.url))
    const second = await freshDatabase(postgres.url)
    // Twice: the second time over what is there.
    for (let time = 0; time < 2; time++) await postgres.run("pg_restore", argsOf("pg_restore", second.url))
    const checked = await parlor(["doctor"], { DATABASE_URL: second.url })
    expect(checked.code, checked.out + checked.notes).toBe(0)
    const again = await serving("second", second.url)
    for (const conversation of CONVERSATIONS) {
      await until(
        PATIENCE_MS,
        "the end of all turns",
        async () => checkRest(await readLog(again, conversation, 0)).length === 0,
      )
      const log = await readLog(again, conversation, 0)
      expect(checkLog(log)).toEqual([])
      for (const [where, text] of accepted) if (where === conversation) expect(JSON.stringify(log)).toContain(text)
    }

    async function serving(name: string, databaseUrl: string): Promise<string> {
      const server = spawnServer({ dataFolder: join(folder, name), modelUrl: model.url, databaseUrl })
      cleaning.push(() => server.kill())
      return server.ready
    }

    /** The command of the guide, word by word. */
    function argsOf(tool: string, databaseUrl: string): string[] {
      const line = new RegExp(`^${tool} (.*)$`, "m").exec(guide)?.[1]
      if (line === undefined) throw new Error(`The operations guide does not say how to use ${tool}.`)
      return line
        .split(" ")
        .map((word) => word.replace('"$DATABASE_URL"', databaseUrl).replace("parlor.dump", join(folder, "parlor.dump")))
    }
  },
  180_000,
)

test("[OPS-28] backup and restore of a server with PostgreSQL name the tools to use instead", async () => {
  const env = { DATABASE_URL: "postgres://127.0.0.1:9/none" }
  expect(await parlor(["backup", "/tmp/never"], env)).toMatchObject({
    code: 2,
    notes: expect.stringContaining("pg_dump "),
  })
  expect(await parlor(["restore", "/tmp/never"], env)).toMatchObject({
    code: 2,
    notes: expect.stringContaining("pg_restore "),
  })
})
