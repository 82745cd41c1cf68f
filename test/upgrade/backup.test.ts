/** Backups of a running server, made with the command, restored and started (OPS-21 to OPS-24). */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openSqlite } from "@parlor/store"
import { afterEach, expect, test } from "vitest"
import { checkLog, checkRest } from "../faults/check-log.ts"
import { startFakeModel } from "../faults/fake-model.ts"
import { type ServerProcess, spawnServer, TOKEN } from "../faults/server-process.ts"
import { until } from "../faults/waiting.ts"
import { make, readLog, send } from "../faults/wire.ts"
import { parlor } from "./command.ts"

const BACKUPS = 3
const CONVERSATIONS = ["host/one", "host/two", "critic/three", "scribe/four"]
const PATIENCE_MS = 60_000
/** Messages that each conversation gets between two backups. */
const MESSAGES = 4

const cleaning: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const clean of cleaning.splice(0).reverse()) await clean()
})

test("[OPS-21, OPS-22] backups made while turns run lose nothing that was acknowledged, and their turns continue", async () => {
  const folder = await temporary()
  const model = await startFakeModel({ tokenMs: 5, words: 60 })
  cleaning.push(() => model.close())
  const url = await serving(join(folder, "data"), model.url)
  for (const conversation of CONVERSATIONS) expect((await make(url, conversation)).outcome).toBe("ok")
  const accepted: { readonly conversation: string; readonly text: string }[] = []
  const sending = async (round: number) => {
    await Promise.all(
      CONVERSATIONS.map(async (conversation) => {
        for (let n = 0; n < MESSAGES; n++) {
          const text = `message ${round}.${n} to ${conversation}`
          const sent = await send(url, conversation, { text, key: text, mode: "queued" })
          expect(sent.outcome).toBe("ok")
          accepted.push({ conversation, text })
        }
      }),
    )
  }
  const backups: {
    readonly folder: string
    readonly before: readonly (typeof accepted)[number][]
    streaming: number
  }[] = []
  for (let round = 0; round < BACKUPS; round++) {
    await sending(round)
    await until(PATIENCE_MS, "a streaming reply", () => model.streaming > 0)
    const before = [...accepted]
    const backup = join(folder, `backup-${round}`)
    const more = sending(100 + round)
    const { code, notes } = await parlor(["backup", backup], { PARLOR_DATA: join(folder, "data") })
    expect(code, notes).toBe(0)
    expect(notes).toMatch(/Not included:\n {2}secret-key: .*\n {2}token: .*\n {2}files: /)
    backups.push({ folder: backup, before, streaming: model.streaming })
    await more
  }
  // At least one of them was made in the middle of a reply.
  expect(Math.max(...backups.map(({ streaming }) => streaming))).toBeGreaterThan(0)
  for (const [round, backup] of backups.entries()) {
    const data = join(folder, `restored-${round}`)
    const restored = await parlor(["restore", backup.folder, "--json"], { PARLOR_DATA: data })
    expect(restored.code, restored.notes).toBe(0)
    expect(JSON.parse(restored.out)).toMatchObject({ data, replaced: null })
    const checked = await parlor(["doctor", "--json"], { PARLOR_DATA: data })
    expect(checked.code, checked.out).toBe(0)
    expect(JSON.parse(checked.out.trim().split("\n").at(-1) ?? "")).toMatchObject({ errors: 0 })
    const again = await serving(data, model.url)
    for (const conversation of CONVERSATIONS) {
      await until(PATIENCE_MS, "the end of all turns", async () => (await restOf(again, conversation)).length === 0)
      const log = await readLog(again, conversation, 0)
      expect(checkLog(log)).toEqual([])
      const said = JSON.stringify(log)
      for (const message of backup.before)
        if (message.conversation === conversation) expect(said).toContain(message.text)
    }
  }
}, 240_000)

test("[OPS-23, OPS-24] the doctor's exit code says whether something is wrong, and a repaired server serves again", async () => {
  const folder = await temporary()
  const data = join(folder, "data")
  const model = await startFakeModel({ tokenMs: 1, words: 20 })
  cleaning.push(() => model.close())
  const first = spawnServer({ dataFolder: data, modelUrl: model.url })
  cleaning.push(() => first.kill())
  const url = await first.ready
  await send(url, "host/main", { text: "The tulips are in the cellar.", key: "a", mode: "queued" })
  await until(PATIENCE_MS, "the end of the turn", async () => (await restOf(url, "host/main")).length === 0)
  const env = { PARLOR_DATA: data }
  expect(await parlor(["doctor"], env)).toMatchObject({
    code: 0,
    out: "",
    notes: expect.stringContaining("No problems."),
  })
  const busy = await parlor(["doctor", "--repair"], env)
  expect(busy).toMatchObject({ code: 2, notes: expect.stringContaining("Stop it first") })
  await first.stop()
  const { DatabaseSync } = await import("@photostructure/sqlite")
  const db = new DatabaseSync(join(data, "parlor.db"))
  db.exec("DELETE FROM rows WHERE collection = 'messages'")
  db.close()
  const found = await parlor(["doctor"], env)
  expect(found).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^error {2}rows \(host\/main of me\): \d+ rows are not/),
  })
  const lines = (await parlor(["doctor", "--json"], env)).out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
  expect(lines[0]).toMatchObject({ check: "rows", severity: "error", repairable: true, repaired: false })
  const repaired = await parlor(["doctor", "--repair"], env)
  expect(repaired).toMatchObject({ code: 0, out: expect.stringMatching(/^repaired {2}rows/) })
  const again = await serving(data, model.url)
  const response = await fetch(`${again}/v1/conversations/host/main`, { headers: { authorization: `Bearer ${TOKEN}` } })
  expect(await response.text()).toContain("The tulips are in the cellar.")
})

test("[OPS-27] a second server in the same folder is refused, and the first one is not disturbed", async () => {
  const folder = await temporary()
  const model = await startFakeModel({ tokenMs: 1 })
  cleaning.push(() => model.close())
  const url = await serving(folder, model.url)
  const second = spawnServer({ dataFolder: folder, modelUrl: model.url })
  expect(await second.ended).toBe(1)
  expect(second.output()).toMatch(/Another Parlor is using the folder .* Stop it first, or use another folder\./)
  expect((await send(url, "host/main", { text: "Still here?", key: "k", mode: "queued" })).outcome).toBe("ok")
})

test("[OPS-26] a server does not start with a database of a newer version, and says so in one line", async () => {
  const folder = await temporary()
  const path = join(folder, "parlor.db")
  await (await openSqlite({ path })).close()
  const { DatabaseSync } = await import("@photostructure/sqlite")
  const db = new DatabaseSync(path)
  db.exec("UPDATE meta SET value = '999' WHERE name = 'schema'")
  db.close()
  const server = spawnServer({ dataFolder: folder, modelUrl: "http://127.0.0.1:9" })
  expect(await server.ended).toBe(1)
  expect(server.output().trim()).toMatch(
    /^The database has schema 999; this Parlor knows schemas up to \d+\. Use a newer Parlor\.$/,
  )
})

async function temporary(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "parlor-upgrade-"))
  cleaning.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function serving(dataFolder: string, modelUrl: string): Promise<string> {
  const server: ServerProcess = spawnServer({ dataFolder, modelUrl })
  cleaning.push(() => server.kill())
  return server.ready
}

async function restOf(url: string, conversation: string): Promise<readonly string[]> {
  return checkRest(await readLog(url, conversation, 0))
}
