/**
 * Databases of every schema that was ever released, written by the version of that time (`scripts/fixture.mjs`), opened
 * by the current one (OPS-25).
 */

import { readdirSync, readFileSync } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gunzipSync } from "node:zlib"
import pg from "pg"
import { afterEach, expect, test } from "vitest"
import { startFakeModel } from "../faults/fake-model.ts"
import { spawnServer } from "../faults/server-process.ts"
import { until } from "../faults/waiting.ts"
import { ask, get } from "../faults/wire.ts"
import { freshDatabase } from "../support/postgres.ts"
import { parlor } from "./command.ts"

const FIXTURES = fileURLToPath(new URL("fixtures", import.meta.url))
/** Of the fixtures' server. */
const SECRET_KEY = Buffer.alloc(32, 7).toString("base64")
const PATIENCE_MS = 60_000

/** The first schema of each store whose versions knew these. */
const KNEW = {
  sqlite: { files: 2, triggers: 3, links: 5 },
  postgres: { files: 2, triggers: 3, links: 4 },
} as const

const cleaning: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const clean of cleaning.splice(0).reverse()) await clean()
})

const fixtures = readdirSync(FIXTURES)
  .map((file) => ({ file, store: file.split("-")[0] as keyof typeof KNEW, schema: Number(/-(\d+)/.exec(file)?.[1]) }))
  .sort((a, b) => a.schema - b.schema)

/** Every step up to here was in a version of its own; later versions added several at once. */
const ONE_BY_ONE = { sqlite: 13, postgres: 12 } as const
const LATER = { sqlite: [18, 19, 20], postgres: [19, 21, 22] } as const

test("[OPS-25] there is a database of every schema that a version had", () => {
  for (const store of ["sqlite", "postgres"] as const) {
    const schemas = fixtures.filter((one) => one.store === store).map(({ schema }) => schema)
    const first = Array.from({ length: ONE_BY_ONE[store] }, (_, index) => index + 1)
    expect(schemas).toEqual([...first, ...LATER[store]])
  }
})

test.each(fixtures)(
  "[OPS-25] $file opens with everything, and conversations continue",
  async ({ file, store, schema }) => {
    const folder = await mkdtemp(join(tmpdir(), "parlor-fixture-"))
    cleaning.push(() => rm(folder, { recursive: true, force: true }))
    const content = gunzipSync(readFileSync(join(FIXTURES, file)))
    const databaseUrl = store === "postgres" ? await loaded(content.toString()) : undefined
    if (store === "sqlite") await writeFile(join(folder, "parlor.db"), content, { mode: 0o600 })
    const model = await startFakeModel({ tokenMs: 1, words: 5 })
    cleaning.push(() => model.close())
    const env = { PARLOR_SECRET_KEY: SECRET_KEY }
    const server = spawnServer({ dataFolder: folder, modelUrl: model.url, databaseUrl, env })
    cleaning.push(() => server.kill())
    const url = await server.ready
    const at = async (path: string) => (await get(`${url}${path}`)).json() as Promise<Answered>
    const host = "/v1/conversations/host/main"

    const { conversations } = await at("/v1/conversations")
    expect(conversations).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ agent: "host", branch: "main" }),
        expect.objectContaining({ agent: "critic", title: "What the critic says" }),
      ]),
    )
    const exported = await (await get(`${url}${host}/export`)).text()
    expect(exported).toContain("The tulips are in the cellar.")
    expect(exported).toContain("And the roses?")
    const events = await (await get(`${url}${host}/events?offset=-1`)).text()
    expect(events).toContain("The tulips are in the cellar.")
    expect((await at("/v1/keys")).keys).toEqual([expect.objectContaining({ name: "laptop", revokedAt: null })])
    expect((await at("/v1/search?q=tulips")).hits.length).toBeGreaterThan(0)
    const knew = KNEW[store]
    if (schema >= knew.files) {
      expect(await (await get(`${url}${host}/files/notes/plan.md`)).text()).toBe("Water the tulips twice.\n")
      expect(JSON.stringify(await at("/v1/memory/user/tulips"))).toContain("The tulips are in the cellar.")
      expect((await at(`${host}/archives`)).archives.length).toBeGreaterThan(0)
      expect(JSON.stringify(await at("/v1/conversations/host/redder"))).toContain("Make it redder.")
      const [attachment] = (await at("/v1/attachments")).attachments
      expect(await (await get(`${url}/v1/attachments/${attachment?.hash}`)).text()).toBe("a tulip")
      // The migration counted them (SEC-42).
      expect((await at("/v1/usage")).files.used).toBeGreaterThanOrEqual(2)
    }
    if (schema >= knew.triggers) {
      expect((await at("/v1/schedules")).schedules).toHaveLength(1)
      expect((await at("/v1/hooks")).hooks).toHaveLength(1)
    }
    if (schema >= knew.links) expect(JSON.stringify(await at("/v1/links"))).toContain("telegram:42")

    const sent = await ask(`${url}/v1/conversations/critic/main/messages`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ text: "And now?" }),
    })
    expect(sent).toMatchObject({ outcome: "ok" })
    await until(PATIENCE_MS, "the reply", async () => {
      const { messages, status } = await at("/v1/conversations/critic/main")
      return status.state === "idle" && messages.at(-1)?.role === "agent" && messages.length >= 4
    })
    expect(await server.stop()).toBe(0)
    const checked = await parlor(["doctor"], {
      PARLOR_DATA: folder,
      ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
    })
    expect(checked.code, checked.out + checked.notes).toBe(0)
  },
)

/** The fields of all answers that are looked at. */
type Answered = {
  readonly conversations: readonly unknown[]
  readonly keys: readonly unknown[]
  readonly hits: readonly unknown[]
  readonly archives: readonly unknown[]
  readonly attachments: readonly { readonly hash: string }[]
  readonly schedules: readonly unknown[]
  readonly hooks: readonly unknown[]
  readonly files: { readonly used: number }
  readonly messages: readonly { readonly role: string }[]
  readonly status: { readonly state: string }
}

async function loaded(dump: string): Promise<string> {
  const database = await freshDatabase()
  cleaning.push(() => database.drop())
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(dump)
  await client.end()
  return database.url
}
